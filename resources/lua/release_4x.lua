-- As Simba 4.x gives the lease back: whoever has the owner's id, whatever its term.
-- KEYS: lease, token of the term. ARGV: contender id. Answers 1 when it was the caller's, else 0.
local lease, token = KEYS[1], KEYS[2]
if redis.call('get', lease) ~= ARGV[1] then
  return 0
end
redis.call('del', lease, token)
redis.call('publish', lease, 'released@@' .. ARGV[1])
return 1
