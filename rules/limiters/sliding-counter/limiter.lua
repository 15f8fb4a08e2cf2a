-- Sliding window counter: this window's count plus the last one's, weighted by how much of it the sliding window
-- still covers. Compared in count-microseconds, so nothing is rounded. Denied requests do not count.
-- KEYS[1] one key, a hash. ARGV: mode (live | replay), now_us, cost, limit, window_us
--   live:   the clock is Redis's TIME, now_us is empty.   replay: now_us is the clock.
--   cost 0 looks whether a cost of 1 would pass, and takes nothing.
-- Reply: {allowed 0|1, remaining, retry_us, reset_us until nothing weighs, limit}. Errors: a code, a space, why.
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
local limit, window = whole(ARGV[4], 1, MAX), whole(ARGV[5], 1, MAX)
if #ARGV ~= 5 or not limit or not window then
  return refuse('BAD_PARAMETERS', 'limit and window_us are whole numbers from 1')
end
if limit * window > 2251799813685248 then
  return refuse('OUT_OF_RANGE', 'limit times window_us must stay below 2^51')
end
if cost > limit then
  return refuse('COST_EXCEEDS_CAPACITY', digits(cost) .. ' is above the limit ' .. digits(limit) .. ': never allowed')
end

local function up(a, b) return math.floor((a + b - 1) / b) end

-- the TTL only collects garbage: once it has passed, the state says the same as no state
local function expire(reset)
  local ttl = math.floor((reset + 999) / 1000) + 2000
  if mode == 'replay' and ttl < 86400000 then ttl = 86400000 end -- replayed time is not Redis's time
  redis.call('PEXPIRE', KEYS[1], digits(ttl))
end

local previous, current, changed = 0, 0, false
local state = redis.call('HMGET', KEYS[1], 's', 'c', 'p', 'w')
if state[1] then
  local started, was_window = tonumber(state[1]), tonumber(state[4])
  if now < started then now = started end -- an older clock stays in the window that has begun
  local since = now - started
  if since < was_window then
    current, previous = tonumber(state[2]), tonumber(state[3])
  elseif since < 2 * was_window then
    previous = tonumber(state[2])
  end
  if was_window ~= window then
    -- what still weighs under the old window counts as this window's, rounded up
    local elapsed = since % was_window
    current = current + up(previous * (was_window - elapsed), was_window)
    previous, changed = 0, true
  end
  current, previous = math.min(current, limit), math.min(previous, limit)
end
local elapsed = now % window
local start = now - elapsed

local want = math.max(cost, 1)
local weight = previous * (window - elapsed)
local allowed, retry = 0, 0
if weight + (current + want) * window <= limit * window then
  allowed = 1
elseif current + want <= limit then
  retry = up(weight - (limit - want - current) * window, previous)
else
  retry = window - elapsed + up((current - (limit - want)) * window, current)
end
local left = 0
if allowed == 1 and cost > 0 then current = current + cost end
if current > 0 then left = 2 * window - elapsed elseif previous > 0 then left = window - elapsed end
if cost > 0 and (allowed == 1 or changed) then
  redis.call('HSET', KEYS[1], 's', digits(start), 'c', digits(current), 'p', digits(previous), 'w', digits(window))
  expire(left)
end
local remaining = math.max(0, math.floor((limit * window - weight - current * window) / window))
return {allowed, remaining, retry, left, limit}
