-- Tries what the lease scripts do, before a run, in keys of its own that are gone afterwards (and by themselves after a
-- few seconds). KEYS: lease, fence counter, token of the term, perhaps a queue, perhaps places in a line. ARGV: life in ms.
-- Answers {'granted', why a message cannot be published or ''}.
local lease, fence, token, queue, places = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local px = ARGV[1]
redis.call('set', lease, 'probe', 'nx', 'px', px)
local taken = redis.call('incr', fence)
redis.call('pexpire', fence, px)
redis.call('set', token, taken, 'px', px)
redis.call('get', lease)
redis.call('mget', lease, token)
redis.call('pttl', lease)
redis.call('set', lease, 'probe', 'xx', 'px', px)
redis.call('pexpire', token, px)
if queue then
  redis.call('zadd', queue, 'nx', redis.call('time')[1], 'probe')
  redis.call('zrem', queue, 'probe')
  redis.call('zrange', queue, 0, 0)
  redis.call('zpopmin', queue)
  redis.call('del', queue)
end
if places then
  redis.call('set', places .. 'probe', px, 'px', px)
  redis.call('exists', places .. 'probe')
  redis.call('get', places .. 'probe')
  redis.call('del', places .. 'probe')
end
local told = redis.pcall('publish', lease, 'probe')
redis.call('del', lease, fence, token)
return {'granted', type(told) == 'table' and told.err or ''}
