-- One register of a mutex: read it or, with a version, set it if that is still its version (0: it was never set).
-- KEYS: register. ARGV: 1 if the deadline itself is wanted where the server stamps; then, to set: version, owner, mode,
-- who stamps, token, and the stamp in µs: a deadline
-- (who stamps: 0), or a length that the server adds to its clock (1) or keeps (2).
-- Answers {whether it was set, version, owner, mode, token, stamp, whether its lease is over by the server's clock,
-- who stamped it}.
-- Versions, tokens and deadlines stay text, for Lua's numbers are doubles.
local register, dated = KEYS[1], ARGV[1]
local version, owner, mode, by, token, stamp = unpack(redis.call('hmget', register, 'version', 'owner', 'mode', 'by',
  'token', 'stamp'))
version = version or '0'
local function now()
  local time = redis.call('time')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end
local set = 0
if ARGV[2] == version then
  set = 1
  owner, mode, by, token, stamp = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
  if by == '1' then
    stamp = string.format('%.0f', now() + tonumber(stamp))
  end
  redis.call('hset', register, 'owner', owner, 'mode', mode, 'by', by, 'token', token, 'stamp', stamp)
  redis.call('hincrby', register, 'version', 1)
  version = redis.call('hget', register, 'version')
end
local over = 0
if by == '1' and mode ~= '0' then
  local left = tonumber(stamp) - now()
  if left <= 0 then
    over = 1
  end
  if dated ~= '1' then
    stamp = string.format('%.0f', left)
  end
end
return {set, version, owner or '', mode or '0', token or '0', stamp or '0', over, by or '2'}
