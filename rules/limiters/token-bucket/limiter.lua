-- Token bucket, exact: levels are counted in token-microseconds, so nothing is ever rounded away.
-- KEYS[1] one key, a hash. ARGV: mode (live | replay), now_us, cost, capacity, tokens, period_us
--   live:   the clock is Redis's TIME, now_us is empty.   replay: now_us is the clock.
--   cost 0 looks whether a cost of 1 would pass, and takes nothing.
-- Reply: {allowed 0|1, remaining tokens, retry_us, reset_us until full, capacity}. Errors: a code, a space, why.
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
local capacity, tokens, period = whole(ARGV[4], 1, MAX), whole(ARGV[5], 1, MAX), whole(ARGV[6], 1, 2251799813685248)
if #ARGV ~= 6 or not capacity or not tokens or not period then
  return refuse('BAD_PARAMETERS', 'capacity, tokens and period_us are whole numbers from 1')
end
if capacity * period + tokens > MAX then
  return refuse('OUT_OF_RANGE', 'capacity times period_us must stay below 2^53: reduce tokens / period_us')
end
if cost > capacity then
  return refuse('COST_EXCEEDS_CAPACITY', digits(cost) .. ' is above the capacity ' .. digits(capacity) .. ': never allowed')
end

local function up(a, b) return math.floor((a + b - 1) / b) end

-- floor(a * b / c) for a < c, without a product above 2^53
local function scale(a, b, c)
  local quotient, rest, bit = 0, 0, 1
  while bit * 2 <= b do bit = bit * 2 end
  while bit >= 1 do
    quotient, rest = quotient * 2, rest * 2
    if b >= bit then b, rest = b - bit, rest + a end
    while rest >= c do quotient, rest = quotient + 1, rest - c end
    bit = bit / 2
  end
  return quotient
end

-- the TTL only collects garbage: once it has passed, the state says the same as no state
local function expire(reset)
  local ttl = math.floor((reset + 999) / 1000) + 2000
  if mode == 'replay' and ttl < 86400000 then ttl = 86400000 end -- replayed time is not Redis's time
  redis.call('PEXPIRE', KEYS[1], digits(ttl))
end

local full = capacity * period
local level = full
local state = redis.call('HMGET', KEYS[1], 'l', 't', 'c', 'n', 'p')
if state[1] then
  level = tonumber(state[1])
  local last = tonumber(state[2])
  if now < last then now = last end -- the clock never goes back
  local was_capacity, was_tokens, was_period = tonumber(state[3]), tonumber(state[4]), tonumber(state[5])
  local was_full = was_capacity * was_period
  local elapsed = now - last
  if elapsed >= up(was_full - level, was_tokens) then level = was_full else level = level + elapsed * was_tokens end
  if was_capacity ~= capacity or was_tokens ~= tokens or was_period ~= period then
    -- time so far counts at the old rate; then what is there is carried over, at most the new capacity. A full bucket
    -- stays full: it may have expired, and would be full then
    local held = math.floor(level / was_period)
    if level == was_full or held >= capacity then
      level = full
    else
      level = held * period + scale(level % was_period, period, was_period)
    end
  end
end

local need = math.max(cost, 1) * period
local allowed, retry = 0, 0
if level >= need then allowed = 1 else retry = up(need - level, tokens) end
if cost > 0 then
  if allowed == 1 then level = level - need end
  redis.call('HSET', KEYS[1], 'l', digits(level), 't', digits(now),
    'c', digits(capacity), 'n', digits(tokens), 'p', digits(period))
  expire(up(full - level, tokens))
end
return {allowed, math.floor(level / period), retry, up(full - level, tokens), capacity}
