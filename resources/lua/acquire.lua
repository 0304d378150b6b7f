-- Takes the lease if nobody holds it. On the caller's own lease it begins a new term, with a new fencing token, for the
-- rest of the lease: whatever an earlier life of the caller still has on its way is then another term's.
-- KEYS: lease, fence counter, token of the term; beside contenders up to 3.1 their queue: who is refused waits in it, who
-- owns does not; or instead the line of those who wait for a hand-over, and the beginning of their places: each for how
-- long a lease. ARGV: contender id, lease in ms.
-- Answers {owner, remaining ms, token, whether a term was begun}; to who waits also whether it comes first, and the fence
-- counter.
local lease, fence, token, queue, places = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, px = ARGV[1], ARGV[2]
-- A place ends by itself: whoever does not come again in time is passed over.
local function take_place()
  local time = redis.call('time')
  redis.call('zadd', queue, 'nx', time[1] .. string.format('%06d', time[2]), id)
  redis.call('set', places .. id, px, 'px', math.max(1, math.min(1500, math.floor(px * 3 / 8))))
  while true do
    local first = redis.call('zrange', queue, 0, 0)[1]
    if first == id or redis.call('exists', places .. first) == 1 then break end
    redis.call('zrem', queue, first)
  end
  redis.call('pexpire', queue, 3000)
end
local owner = redis.call('get', lease)
if owner and owner ~= id then
  local answer = {owner, redis.call('pttl', lease), tonumber(redis.call('get', token) or '0'), 0}
  if not queue then
    return answer
  end
  if places then
    take_place()
  else
    redis.call('zadd', queue, 'nx', redis.call('time')[1], id)
  end
  answer[5] = redis.call('zrange', queue, 0, 0)[1] == id and 1 or 0
  answer[6] = tonumber(redis.call('get', fence) or '0') or 0
  return answer
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
if places then
  redis.call('del', places .. id)
end
-- Messages are hints: a user without rights on the channel can hold a lease all the same.
redis.pcall('publish', lease, 'acquired@@' .. id)
return {id, remaining, taken, 1}
