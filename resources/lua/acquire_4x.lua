-- As Simba 4.x takes the lease: if nobody holds it; on one's own lease nothing changes.
-- KEYS: lease, fence counter, token of the term. ARGV: contender id, lease in ms.
-- Answers {owner, remaining ms, token}.
local lease, fence, token = KEYS[1], KEYS[2], KEYS[3]
local id, px = ARGV[1], ARGV[2]
if redis.call('set', lease, id, 'nx', 'px', px) then
  local taken = redis.call('incr', fence)
  redis.call('set', token, taken, 'px', px)
  redis.call('publish', lease, 'acquired@@' .. id)
  return {id, tonumber(px), taken}
end
local owner = redis.call('get', lease)
if not owner then
  return {'', 0, 0}
end
local remaining = redis.call('pttl', lease)
return {owner, remaining, tonumber(redis.call('get', token) or '0')}
