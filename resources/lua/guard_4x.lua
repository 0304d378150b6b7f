-- As Simba 4.x renews: whoever has the owner's id, whatever its term.
-- KEYS: lease, token of the term. ARGV: contender id, lease in ms.
-- Answers {owner, remaining ms, token}.
local lease, token = KEYS[1], KEYS[2]
local id, px = ARGV[1], ARGV[2]
local owner = redis.call('get', lease)
if not owner then
  return {'', 0, 0}
end
if owner ~= id then
  local remaining = redis.call('pttl', lease)
  return {owner, remaining, tonumber(redis.call('get', token) or '0')}
end
local taken = tonumber(redis.call('get', token) or '0')
redis.call('set', lease, id, 'xx', 'px', px)
redis.call('pexpire', token, px)
return {id, tonumber(px), taken}
