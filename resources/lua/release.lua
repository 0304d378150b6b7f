-- Gives the term back if it is the caller's, and tells everybody. A release that names another term is late, and frees
-- nothing; where the token was lost, the owner's id has to do. The fence counter stays.
-- KEYS: lease, token of the term, and perhaps the queue of contenders up to 3.1; or the line, the places and the fence
-- counter of those who wait for a hand-over. ARGV: contender id, token of the term that is meant, whom of the queue to
-- tell.
-- * Beside contenders up to 3.1 their queue is emptied: all who wait hear the message, and whoever is refused queues up
--   anew. 'first': who waits for longest alone is told, on a channel of its own, and all where nobody waits.
-- * From the line the next whose place lasts is granted a term of its own, in this very step, and is told its token.
-- Answers 1 when it was freed.
local lease, token, queue, places, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, meant, whom = ARGV[1], ARGV[2], ARGV[3]
local held = redis.call('get', token)
if redis.call('get', lease) ~= id or (held and held ~= meant) then
  if queue and not places then
    redis.call('zrem', queue, id)
  end
  return 0
end
-- The lease ends no earlier than that of a call which came only now would: whoever was told to wait counts from before.
local function hand_over()
  local last = tonumber(redis.call('get', fence) or '0')
  if not last or last < 0 or last >= 9007199254740991 then return false end
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  while true do
    local first = redis.call('zrange', queue, 0, 0)[1]
    if not first then return false end
    local at, length = string.match(redis.call('hget', places, first) or '', '^(%d+) (%d+)$')
    redis.call('zrem', queue, first)
    redis.call('hdel', places, first)
    if first ~= id and at and now - at <= math.min(1500, length * 3 / 8) then
      local taken = redis.call('incr', fence)
      redis.call('set', lease, first, 'px', length)
      redis.call('set', token, taken, 'px', length)
      redis.pcall('publish', lease .. ':' .. first, 'granted@@' .. string.format('%.0f', taken))
      redis.pcall('publish', lease, 'acquired@@' .. first)
      return true
    end
  end
end
redis.call('del', lease, token)
if places then
  if hand_over() then return 1 end
elseif whom == 'first' then
  local first = redis.call('zrange', queue, 0, 0)[1]
  if first then
    redis.call('zrem', queue, first)
    redis.pcall('publish', lease .. ':' .. first, 'released@@' .. id)
    return 1
  end
elseif queue then
  redis.call('del', queue)
end
redis.pcall('publish', lease, 'released@@' .. id)
return 1
