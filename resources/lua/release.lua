-- Gives the term back if it is the caller's, and tells everybody. A release that names another term is late, and frees
-- nothing; where the token was lost, the owner's id has to do. The fence counter stays.
-- KEYS: lease, token of the term. ARGV: contender id, token of the term that is meant. Answers 1 when it was freed.
local lease, token = KEYS[1], KEYS[2]
local held = redis.call('get', token)
if redis.call('get', lease) ~= ARGV[1] or (held and held ~= ARGV[2]) then
  return 0
end
redis.call('del', lease, token)
redis.pcall('publish', lease, 'released@@' .. ARGV[1])
return 1
