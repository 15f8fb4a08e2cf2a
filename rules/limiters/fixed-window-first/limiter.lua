-- Fixed window that starts with a key's first request after the last window's end.
-- KEYS[1] one key, a hash. ARGV: mode (live | replay), now_us, cost, limit, window_us
--   live:   the clock is Redis's TIME, now_us is empty.   replay: now_us is the clock.
--   cost 0 looks whether a cost of 1 would pass, and takes nothing.
-- Reply: {allowed 0|1, remaining, retry_us, reset_us until the window ends, limit}. Errors: a code, a space, why.
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
local limit, window = whole(ARGV[4], 1, MAX), whole(ARGV[5], 1, 4503599627370495)
if #ARGV ~= 5 or not limit or not window then
  return refuse('BAD_PARAMETERS', 'limit and window_us are whole numbers from 1')
end
if cost > limit then
  return refuse('COST_EXCEEDS_CAPACITY', digits(cost) .. ' is above the limit ' .. digits(limit) .. ': never allowed')
end

-- the TTL only collects garbage: once it has passed, the state says the same as no state
local function expire(reset)
  local ttl = math.floor((reset + 999) / 1000) + 2000
  if mode == 'replay' and ttl < 86400000 then ttl = 86400000 end -- replayed time is not Redis's time
  redis.call('PEXPIRE', KEYS[1], digits(ttl))
end

local start, stop, count, open = now, now, 0, false
local state = redis.call('HMGET', KEYS[1], 's', 'e', 'c')
if state[1] then
  if now < tonumber(state[1]) then now = tonumber(state[1]) end -- the clock never goes back
  if now < tonumber(state[2]) then
    start, stop, count, open = tonumber(state[1]), tonumber(state[2]), tonumber(state[3]), true
  end
end

local allowed, retry = 0, 0
if count + math.max(cost, 1) <= limit then allowed = 1 else retry = stop - now end
if allowed == 1 and cost > 0 then
  if not open then start, stop = now, now + window end
  count = count + cost
  redis.call('HSET', KEYS[1], 's', digits(start), 'e', digits(stop), 'c', digits(count))
  expire(stop - now)
end
return {allowed, math.max(0, limit - count), retry, math.max(0, stop - now), limit}
