-- Leaky bucket as a meter, in the arithmetic of nginx's limit_req: thousandths of a request, whole milliseconds,
-- the first request from rest adds nothing, so that burst + 1 pass at once; a denied request changes nothing.
-- KEYS[1] one key, a hash. ARGV: mode (live | replay), now_us, cost, burst, rate_milli (requests per 1000 s)
--   live:   the clock is Redis's TIME, now_us is empty.   replay: now_us is the clock.
--   cost 0 looks whether a cost of 1 would pass, and takes nothing.
-- Reply: {allowed 0|1, remaining, retry_us, reset_us until at rest, burst + 1}. Errors: a code, a space, why.
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
local burst, rate = whole(ARGV[4], 0, 1000000000), whole(ARGV[5], 1, 1000000000000)
if #ARGV ~= 5 or not burst or not rate then
  return refuse('BAD_PARAMETERS', 'burst from 0 to 10^9 and rate_milli from 1 to 10^12 are whole numbers')
end

local function up(a, b) return math.floor((a + b - 1) / b) end

if up((burst + 2) * 1000000, rate) > 4000000000000 then
  return refuse('OUT_OF_RANGE', 'burst / rate must stay below 126 years')
end
if cost > burst + 1 then
  return refuse('COST_EXCEEDS_CAPACITY', digits(cost) .. ' is above burst + 1, ' .. digits(burst + 1) .. ': never allowed')
end

-- the TTL only collects garbage: once it has passed, the state says the same as no state
local function expire(reset)
  local ttl = math.floor((reset + 999) / 1000) + 2000
  if mode == 'replay' and ttl < 86400000 then ttl = 86400000 end -- replayed time is not Redis's time
  redis.call('PEXPIRE', KEYS[1], digits(ttl))
end

local now_ms = math.floor(now / 1000)
local excess, changed = -1000, false -- at rest
local since, from = now_ms, excess -- draining goes on from here: its parts of a thousandth count too
local state = redis.call('HMGET', KEYS[1], 'x', 't', 'r')
if state[1] then
  local last, was_rate = tonumber(state[2]), tonumber(state[3])
  if now_ms < last then now_ms, now = last, last * 1000 end -- the clock never goes back
  changed = was_rate ~= rate
  local held, elapsed = tonumber(state[1]), now_ms - last
  if elapsed < up((held + 1000) * 1000, was_rate) then
    excess = math.max(-1000, held - math.floor(was_rate * elapsed / 1000))
  end
  if changed then since, from = now_ms, excess else since, from = last, held end
end

local want, most = math.max(cost, 1) * 1000, burst * 1000
local allowed, retry = 0, 0
if excess + want <= most then
  allowed = 1
else
  retry = (since + up((from + want - most) * 1000, rate)) * 1000 - now
end
if cost > 0 and (allowed == 1 or changed) then
  if allowed == 1 then
    excess = excess + want
    since, from = now_ms, excess
  end
  redis.call('HSET', KEYS[1], 'x', digits(excess), 't', digits(now_ms), 'r', digits(rate))
  expire((since + up((from + 1000) * 1000, rate)) * 1000 - now)
end
local reset = 0
if excess > -1000 then reset = (since + up((from + 1000) * 1000, rate)) * 1000 - now end
return {allowed, math.max(0, math.floor((most - excess) / 1000)), retry, math.max(0, reset), burst + 1}
