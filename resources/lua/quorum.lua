-- One of several independent servers of a quorum lock: what it does with an attempt, knowing nothing of the others.
-- KEYS: lock, fence. ARGV: obtain, extend, give_back or abort; the attempt; its fence (extend too; 0: none) or, with
-- re-enters, the attempt that holds; its ttl in µs; its priority; its owner; then each 0 or 1: keeps victims,
-- sets missing, re-enters.
-- The lock is a list: who holds it is last; before it those it was stolen from, where they are kept. The key lasts for as
-- long as the last of them. The fence, the highest there was, stays.
-- Answers {done, QuorumAnswer, owner, number, token, what is left in µs}; to give_back and abort, owner, number, token and
-- what is left tell to whom it has gone back.
-- Attempts stay text, for Lua's numbers are doubles; fences are far below 2^53.
local what, attempt, other, ttl, priority, owner = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
local keeps, sets, enters = ARGV[7] == '1', ARGV[8] == '1', ARGV[9] == '1'
local time = redis.call('time')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local fence = tonumber(redis.call('get', KEYS[2]) or '0')
local chain = cjson.decode(redis.call('get', KEYS[1]) or '[]')
local function text(number)
  return string.format('%.0f', number)
end
local function ends(entry)
  return tonumber(entry.ends)
end
if #chain > 0 and ends(chain[#chain]) <= now then
  chain = {}
end
local held = chain[#chain]

local function keep()
  if #chain == 0 then
    redis.call('del', KEYS[1])
  else
    redis.call('set', KEYS[1], cjson.encode(chain))
    redis.call('pexpireat', KEYS[1], text(math.ceil(ends(chain[#chain]) / 1000)))
  end
end
local function raise(to)
  if to > fence then
    fence = to
    redis.call('set', KEYS[2], text(fence))
  end
end
local function denied(why)
  if held then
    return {0, why, held.owner, '0', text(fence), text(ends(held) - now)}
  end
  return {0, why, '', '0', text(fence), '0'}
end
-- Whichever of its answers comes first: a thief has to know.
local function granted(entry, token, left)
  if entry.from ~= '0' then
    return {1, 1, entry.victim, entry.from, token, left}
  end
  return {1, 0, '', '0', token, left}
end
-- Whoever is last again, for what is left of his lease.
local function restored(done)
  while #chain > 0 and ends(chain[#chain]) <= now do
    table.remove(chain)
  end
  local to = chain[#chain]
  if to then
    return {done, 0, to.owner, to.attempt, to.token, text(ends(to) - now)}
  end
  return {done, 0, '', '0', '0', '0'}
end

if what == 'obtain' and enters then
  if not held or held.attempt ~= other or held.passed then
    return denied(3)
  end
  local before = held.priority
  held.priority = math.max(held.priority, priority)
  keep()
  return {1, 2, '', text(before), text(fence), '0'}
end

if what == 'obtain' then
  if held and held.attempt == attempt then
    return granted(held, text(fence), '0')
  end
  if held and priority <= held.priority then
    return denied(3)
  end
  if other ~= '0' and tonumber(other) <= fence then
    return denied(4)
  end
  local entry = {owner = owner, attempt = attempt, from = '0', victim = '', priority = priority, token = other,
                 ends = text(now + ttl)}
  raise(tonumber(other))
  if held then
    entry.from, entry.victim = held.attempt, held.owner
    if keeps then
      entry.ends = text(math.max(ends(entry), ends(held)))
    else
      chain = {}
    end
  end
  chain[#chain + 1] = entry
  keep()
  return granted(entry, entry.token, text(ends(entry) - now))
end

if what == 'extend' then
  if not held and sets then
    held = {owner = owner, attempt = attempt, from = '0', victim = '', priority = priority, token = other, ends = '0'}
    chain = {held}
  end
  if not held or held.attempt ~= attempt or held.passed then
    return denied(3)
  end
  held.ends = text(math.max(ends(held), now + ttl))
  raise(tonumber(held.token))
  keep()
  return {1, 0, '', '0', held.token, text(ends(held) - now)}
end

local at = 0
for place, entry in ipairs(chain) do
  if entry.attempt == attempt then
    at = place
    break
  end
end
if at == 0 then
  return {0, 0, '', '0', '0', '0'}
end
local last = at == #chain
local answer
if what == 'give_back' then
  local done = (last and not chain[at].passed) and 1 or 0
  if not keeps then
    for _ = 1, at do
      table.remove(chain, 1)
    end
    keep()
    return {done, 0, '', '0', '0', '0'}
  end
  for place = 1, at - 1 do
    chain[place].passed = true
  end
  table.remove(chain, at)
  answer = last and restored(done) or {done, 0, '', '0', '0', '0'}
else
  table.remove(chain, at)
  answer = last and restored(1) or {1, 0, '', '0', '0', '0'}
end
keep()
return answer
