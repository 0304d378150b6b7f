-- Renews the caller's own term, and the token's life with it; never takes the lease anew. A token that was lost (evicted,
-- deleted) is taken anew: the owner would else go on without one, and every write of its would be refused.
-- KEYS: lease, token of the term, fence counter, and perhaps the line of those who wait for a hand-over and the beginning
-- of their places: whoever names no term (0) leaves it. ARGV: contender id, lease in ms, token of the term that is meant.
-- Answers {owner, remaining ms, token, whether it was renewed}.
local lease, token, fence, line, places = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, px, meant = ARGV[1], ARGV[2], ARGV[3]
if places and meant == '0' then
  redis.call('zrem', line, id)
  redis.call('del', places .. id)
end
local owner = redis.call('get', lease)
if not owner then
  return {'', 0, 0, 0}
end
local held = redis.call('get', token)
if owner ~= id or (held and held ~= meant) then
  return {owner, redis.call('pttl', lease), tonumber(held or '0'), 0}
end
local begun = places and redis.call('del', places .. id) == 1
if not held then
  local last = tonumber(redis.call('get', fence) or '0')
  if not last or last < 0 or last >= 9007199254740991 then
    return redis.error_reply('ERR the fence counter ' .. fence .. ' is broken: expected a whole number from 0 to 2^53 - 2')
  end
  held = redis.call('incr', fence)
  begun = true
end
redis.call('set', lease, id, 'xx', 'px', px)
redis.call('set', token, held, 'px', px)
-- Its first, after a hand-over, that others may know.
if begun then
  redis.pcall('publish', lease, 'acquired@@' .. id)
end
return {id, tonumber(px), tonumber(held), 1}
