-- Gives the term back if it is the caller's, and tells everybody. A release that names another term is late, and frees
-- nothing; where the token was lost, the owner's id has to do. The fence counter stays.
-- KEYS: lease, token of the term, and perhaps the queue of contenders up to 3.1; or the line, the beginning of the places
-- and the fence counter of those who wait for a hand-over. ARGV: contender id, token of the term that is meant, whom of
-- the queue to tell.
-- * Beside contenders up to 3.1 their queue is emptied: all who wait hear the message, and whoever is refused queues up
--   anew. 'first': who waits for longest alone is told, on a channel of its own, and all where nobody waits.
-- * From the line the next whose place lasts is granted a term of its own, in this very step, and is told its token.
-- Answers 1 when it was freed.
local lease, token, queue, places, fence = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, meant, whom = ARGV[1], ARGV[2], ARGV[3]
local owner, held = unpack(redis.call('mget', lease, token))
if owner ~= id or (held and held ~= meant) then
  if queue and not places then
    redis.call('zrem', queue, id)
  end
  return 0
end
-- The lease ends no earlier than that of a call which came only now would: whoever was told to wait counts from before.
-- The others are told by the new owner's first guard: what all hear would be written to them before the grant is.
local function hand_over()
  while true do
    local first = redis.call('zpopmin', queue)[1]
    if not first then return false end
    local length = first ~= id and redis.call('get', places .. first)
    if length then
      local taken = redis.pcall('incr', fence)
      if type(taken) ~= 'number' or taken < 1 or taken > 9007199254740991 then return false end
      redis.call('set', lease, first, 'px', length)
      redis.call('set', token, taken, 'px', length)
      redis.pcall('publish', lease .. ':' .. first, 'granted@@' .. string.format('%.0f', taken))
      return true
    end
  end
end
if places and hand_over() then return 1 end
redis.call('del', lease, token)
if whom == 'first' then
  local first = redis.call('zpopmin', queue)[1]
  if first then
    redis.pcall('publish', lease .. ':' .. first, 'released@@' .. id)
    return 1
  end
elseif queue and not places then
  redis.call('del', queue)
end
redis.pcall('publish', lease, 'released@@' .. id)
return 1
