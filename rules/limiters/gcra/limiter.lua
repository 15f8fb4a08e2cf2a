-- GCRA: one stamp, the theoretical arrival time, kept as microseconds and the n-th parts of one, so it never drifts.
-- KEYS[1] one key, a hash. ARGV: mode (live | replay), now_us, cost, burst, requests, period_us
--   burst is how many pass at once from rest (not one more than that).
--   live:   the clock is Redis's TIME, now_us is empty.   replay: now_us is the clock.
--   cost 0 looks whether a cost of 1 would pass, and takes nothing.
-- Reply: {allowed 0|1, remaining, retry_us, reset_us until at rest, burst}. Errors: a code, a space, why.
local MAX = 9007199254740991 -- above it a Lua number is no longer exact

local function whole(text, low, high)
  if type(text) ~= 'string' or #text > 16 or not string.find(text, '^%d+$') then return nil end
  local number = tonumber(text)
  if number < low or number > high then return nil end
  return number
end

local function refuse(code, why)
  return redis.error_reply(code .. ' ' .. why)
end

-- printed in full: tostring keeps 14 digits only
local function digits(number)
  return string.format('%.0f', number)
end

local mode, cost = ARGV[1], whole(ARGV[3], 0, MAX)
local now
if mode == 'live' then
  if ARGV[2] ~= '' then return refuse('BAD_NOW', 'mode live takes its time from Redis: now_us must be empty') end
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
elseif mode == 'replay' then
  now = whole(ARGV[2], 0, 4503599627370496)
  if not now then return refuse('BAD_NOW', 'mode replay wants now_us, whole microseconds') end
else
  return refuse('BAD_MODE', 'the mode is live or replay')
end
if not cost then return refuse('BAD_COST', 'the cost is a whole number, 0 to look without taking') end
local burst, requests, period = whole(ARGV[4], 1, MAX), whole(ARGV[5], 1, MAX), whole(ARGV[6], 1, MAX)
if #ARGV ~= 6 or not burst or not requests or not period then
  return refuse('BAD_PARAMETERS', 'burst, requests and period_us are whole numbers from 1')
end
if burst * period + requests > 4503599627370495 then
  return refuse('OUT_OF_RANGE', 'burst times period_us must stay below 2^52: reduce requests / period_us')
end
if cost > burst then
  return refuse('COST_EXCEEDS_CAPACITY', digits(cost) .. ' is above the burst ' .. digits(burst) .. ': never allowed')
end

local function up(a, b) return math.floor((a + b - 1) / b) end

-- the TTL only collects garbage: once it has passed, the state says the same as no state
local function expire(reset)
  local ttl = math.floor((reset + 999) / 1000) + 2000
  if mode == 'replay' and ttl < 86400000 then ttl = 86400000 end -- replayed time is not Redis's time
  redis.call('PEXPIRE', KEYS[1], digits(ttl))
end

local full = burst * period
local span = up(full, requests) -- from rest to exhausted, in microseconds
local debt, changed = 0, false -- how far the theoretical arrival is ahead of now, in n-th parts of a microsecond
local state = redis.call('HMGET', KEYS[1], 'a', 'r', 'n', 'f')
if state[1] then
  local arrival, rest, was_span = tonumber(state[1]), tonumber(state[2]), tonumber(state[4])
  if now < arrival - was_span then now = arrival - was_span end -- the clock never goes back
  if tonumber(state[3]) ~= requests or was_span ~= span then
    changed = true -- the time owed stays owed, a part of a microsecond rounded up
    if rest > 0 then arrival, rest = arrival + 1, 0 end
  end
  local ahead = arrival - now
  if ahead > math.floor(full / requests) then
    debt = full -- the limit was lowered
  elseif ahead >= 0 then
    debt = math.min(full, ahead * requests + rest)
  end
end

local need = math.max(cost, 1) * period
local allowed, retry = 0, 0
if debt + need <= full then allowed = 1 else retry = up(debt + need - full, requests) end
if cost > 0 and (allowed == 1 or changed) then
  if allowed == 1 then debt = debt + need end
  redis.call('HSET', KEYS[1], 'a', digits(now + math.floor(debt / requests)), 'r', digits(debt % requests),
    'n', digits(requests), 'f', digits(span))
  expire(up(debt, requests))
end
return {allowed, math.floor((full - debt) / period), retry, up(debt, requests), burst}
