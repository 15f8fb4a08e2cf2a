-- Leaky bucket as a queue: requests leave evenly, one each period_us / requests; who comes early is told how long to wait,
-- and who would wait longer than max_wait_us is denied. The caller sleeps; Redis holds one stamp and no queue.
-- KEYS[1] one key, a hash. ARGV: mode (live | replay), now_us, cost, max_wait_us, requests, period_us
--   live:   the clock is Redis's TIME, now_us is empty.   replay: now_us is the clock.
--   cost 0 looks whether a cost of 1 would pass, and takes nothing.
-- Reply: {allowed 0|1, remaining, wait_us before going on | retry_us when denied, reset_us until nobody waits, places}.
-- Errors: a code, a space, why.
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
local max_wait, requests, period = whole(ARGV[4], 0, MAX), whole(ARGV[5], 1, MAX), whole(ARGV[6], 1, MAX)
if #ARGV ~= 6 or not max_wait or not requests or not period then
  return refuse('BAD_PARAMETERS', 'max_wait_us from 0, requests and period_us from 1 are whole numbers')
end
if max_wait * requests + period + requests > 4503599627370495 then
  return refuse('OUT_OF_RANGE', 'max_wait_us times requests must stay below 2^52: reduce requests / period_us')
end
local full = max_wait * requests + period -- all counts are n-th parts of a microsecond
local places = math.floor(full / period)
if cost > places then
  return refuse('COST_EXCEEDS_CAPACITY', digits(cost) .. ' is above the queue with ' .. digits(places) .. ' places: never allowed')
end

local function up(a, b) return math.floor((a + b - 1) / b) end

-- the TTL only collects garbage: once it has passed, the state says the same as no state
local function expire(reset)
  local ttl = math.floor((reset + 999) / 1000) + 2000
  if mode == 'replay' and ttl < 86400000 then ttl = 86400000 end -- replayed time is not Redis's time
  redis.call('PEXPIRE', KEYS[1], digits(ttl))
end

local span = up(full, requests) -- from rest to a full queue, in microseconds
local queued, changed = 0, false -- how far the next free slot is ahead of now
local state = redis.call('HMGET', KEYS[1], 'a', 'r', 'n', 'f')
if state[1] then
  local free, rest, was_span = tonumber(state[1]), tonumber(state[2]), tonumber(state[4])
  if now < free - was_span then now = free - was_span end -- the clock never goes back
  if tonumber(state[3]) ~= requests or was_span ~= span then
    changed = true -- who waits keeps waiting, a part of a microsecond rounded up
    if rest > 0 then free, rest = free + 1, 0 end
  end
  local ahead = free - now
  if ahead > math.floor(full / requests) then
    queued = full -- the queue was shortened
  elseif ahead >= 0 then
    queued = math.min(full, ahead * requests + rest)
  end
end

local need = math.max(cost, 1) * period
local allowed, wait = 0, 0
if queued + need <= full then
  allowed, wait = 1, up(queued + need - period, requests)
else
  wait = up(queued + need - full, requests)
end
if cost > 0 and (allowed == 1 or changed) then
  if allowed == 1 then queued = queued + need end
  redis.call('HSET', KEYS[1], 'a', digits(now + math.floor(queued / requests)), 'r', digits(queued % requests),
    'n', digits(requests), 'f', digits(span))
  expire(up(queued, requests))
end
return {allowed, math.floor((full - queued) / period), wait, up(queued, requests), places}
