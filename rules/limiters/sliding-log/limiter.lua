-- Sliding window log: of the requests allowed in the window_us before now, at most limit. Denied ones are not logged.
-- KEYS[1] one key, a list: the window in force, then the stamps, newest first (a list, so that requests of one
-- instant stay as many as they are). ARGV: mode (live | replay), now_us, cost, limit, window_us
--   live:   the clock is Redis's TIME, now_us is empty.   replay: now_us is the clock.
--   cost 0 looks whether a cost of 1 would pass, and takes nothing.
-- Reply: {allowed 0|1, remaining, retry_us, reset_us until empty, limit}. Errors: a code, a space, why.
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
local limit, window = whole(ARGV[4], 1, 100000), whole(ARGV[5], 1, 4503599627370495)
if #ARGV ~= 5 or not limit or not window then
  return refuse('BAD_PARAMETERS', 'limit (at most 100000) and window_us are whole numbers from 1')
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

local function stamp(index) return tonumber(redis.call('LINDEX', KEYS[1], index)) end

local used, newest = 0, now
local was_window = tonumber(redis.call('LINDEX', KEYS[1], 0) or window)
local length = redis.call('LLEN', KEYS[1])
if length > 1 then
  newest = stamp(1)
  if now < newest then now = newest end -- the clock never goes back
  -- what is older than the window that was promised is gone, and what is older than the new one too
  local oldest = now - math.min(was_window, window)
  while length > 1 and stamp(-1) <= oldest do
    redis.call('RPOP', KEYS[1])
    length = length - 1
  end
  used = length - 1
end

local want = math.max(cost, 1)
local allowed, retry = 0, 0
if used + want <= limit then
  allowed = 1
else
  retry = stamp(-(used + want - limit)) + window - now
end
if cost > 0 and (allowed == 1 or was_window ~= window) then
  redis.call('LPOP', KEYS[1])
  if allowed == 1 then
    local stamps = {}
    for i = 1, math.min(cost, 1000) do stamps[i] = digits(now) end
    local rest = cost
    while rest > 0 do
      local some = math.min(rest, 1000)
      redis.call('LPUSH', KEYS[1], unpack(stamps, 1, some))
      rest = rest - some
    end
    used, newest = used + cost, now
  end
  redis.call('LPUSH', KEYS[1], digits(window))
  expire(newest + window - now)
end
local reset = 0
if used > 0 then reset = newest + window - now end
return {allowed, math.max(0, limit - used), retry, reset, limit}
