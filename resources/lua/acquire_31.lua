-- As Simba up to 3.1 takes the lease: if nobody holds it. Who is refused queues up, by the whole seconds of the server's
-- clock, where it does not wait already; so does the owner itself, whose lease stays as it is.
-- KEYS: lease, queue. ARGV: contender id, lease in ms.
-- Answers the text owner@@remaining ms, and @@ where nobody holds.
local lease, queue = KEYS[1], KEYS[2]
local id, px = ARGV[1], ARGV[2]
if redis.call('set', lease, id, 'nx', 'px', px) then
  redis.call('publish', lease, 'acquired@@' .. id)
  return id .. '@@' .. px
end
redis.call('zadd', queue, 'nx', redis.call('time')[1], id)
local owner = redis.call('get', lease)
if not owner then
  return '@@'
end
return owner .. '@@' .. redis.call('pttl', lease)
