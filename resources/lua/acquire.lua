-- Takes the lease if nobody holds it. On the caller's own lease it begins a new term, with a new fencing token, for the
-- rest of the lease: whatever an earlier life of the caller still has on its way is then another term's.
-- KEYS: lease, fence counter, token of the term, and beside contenders up to 3.1 their queue: who is refused waits in it,
-- who owns does not. ARGV: contender id, lease in ms.
-- Answers {owner, remaining ms, token, whether a term was begun}.
local lease, fence, token, queue = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, px = ARGV[1], ARGV[2]
local owner = redis.call('get', lease)
if owner and owner ~= id then
  if queue then
    redis.call('zadd', queue, 'nx', redis.call('time')[1], id)
  end
  return {owner, redis.call('pttl', lease), tonumber(redis.call('get', token) or '0'), 0}
end
-- Lua's numbers are doubles: from 2^53 on two terms would get one token. Asked before anything is taken.
local last = tonumber(redis.call('get', fence) or '0')
if not last or last < 0 or last >= 9007199254740991 then
  return redis.error_reply('ERR the fence counter ' .. fence .. ' is broken: expected a whole number from 0 to 2^53 - 2')
end
local taken = redis.call('incr', fence)
local remaining = tonumber(px)
if owner then
  remaining = redis.call('pttl', lease)
else
  redis.call('set', lease, id, 'px', px)
end
if remaining < 0 then
  redis.call('set', token, taken)
else
  redis.call('set', token, taken, 'px', math.max(remaining, 1))
end
if queue then
  redis.call('zrem', queue, id)
end
-- Messages are hints: a user without rights on the channel can hold a lease all the same.
redis.pcall('publish', lease, 'acquired@@' .. id)
return {id, remaining, taken, 1}
