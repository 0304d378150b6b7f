-- Tries what the lease scripts do, before a run, in keys of its own that are gone afterwards (and by themselves after a
-- few seconds). KEYS: lease, fence counter, token of the term, perhaps a queue. ARGV: life in ms.
-- Answers {'granted', why a message cannot be published or ''}.
local lease, fence, token, queue = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local px = ARGV[1]
redis.call('set', lease, 'probe', 'nx', 'px', px)
local taken = redis.call('incr', fence)
redis.call('pexpire', fence, px)
redis.call('set', token, taken, 'px', px)
redis.call('get', lease)
redis.call('pttl', lease)
redis.call('set', lease, 'probe', 'xx', 'px', px)
redis.call('pexpire', token, px)
if queue then
  redis.call('zadd', queue, 'nx', redis.call('time')[1], 'probe')
  redis.call('zrem', queue, 'probe')
  redis.call('del', queue)
end
local told = redis.pcall('publish', lease, 'probe')
redis.call('del', lease, fence, token)
return {'granted', type(told) == 'table' and told.err or ''}
