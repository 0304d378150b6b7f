-- As Simba up to 3.1 gives the lease back. Who has queued up for longest is taken out of the queue and told, on a channel
-- of its own, whether it still listens or not; nobody else is told. Who does not hold leaves the queue.
-- KEYS: lease, queue. ARGV: contender id. Answers 1 when it was the caller's, else 0.
local lease, queue = KEYS[1], KEYS[2]
local id = ARGV[1]
if redis.call('get', lease) ~= id then
  redis.call('zrem', queue, id)
  return 0
end
redis.call('del', lease)
local first = redis.call('zrange', queue, 0, 0)[1]
if first then
  redis.call('zrem', queue, first)
  redis.call('publish', lease .. ':' .. first, 'released@@' .. id)
end
return 1
