-- As Simba up to 3.1 renews: whoever has the owner's id. Who does not hold does not queue up.
-- KEYS: lease. ARGV: contender id, lease in ms.
-- Answers the text owner@@remaining ms, and @@ where nobody holds.
local lease = KEYS[1]
local id, px = ARGV[1], ARGV[2]
local owner = redis.call('get', lease)
if not owner then
  return '@@'
end
if owner ~= id then
  return owner .. '@@' .. redis.call('pttl', lease)
end
redis.call('set', lease, id, 'xx', 'px', px)
return id .. '@@' .. px
