-- Gives the term back if it is the caller's, and tells everybody. A release that names another term is late, and frees
-- nothing; where the token was lost, the owner's id has to do. The fence counter stays.
-- Beside contenders up to 3.1 their queue is emptied: all who wait hear the message, and whoever is refused queues up anew.
-- KEYS: lease, token of the term, perhaps that queue. ARGV: contender id, token of the term that is meant.
-- Answers 1 when it was freed.
local lease, token, queue = KEYS[1], KEYS[2], KEYS[3]
local held = redis.call('get', token)
if redis.call('get', lease) ~= ARGV[1] or (held and held ~= ARGV[2]) then
  if queue then
    redis.call('zrem', queue, ARGV[1])
  end
  return 0
end
redis.call('del', lease, token)
if queue then
  redis.call('del', queue)
end
redis.pcall('publish', lease, 'released@@' .. ARGV[1])
return 1
