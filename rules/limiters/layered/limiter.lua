-- Several token buckets at once, all or nothing: a request that one of them denies is charged to none.
-- KEYS: one key for each bucket, outermost first (global, address, user), or one key for all; hashes. ARGV: mode (live |
-- replay), now_us, cost, then capacity, tokens, period_us of each bucket.
--   live:   the clock is Redis's TIME, now_us is empty.   replay: now_us is the clock.
--   cost 0 looks whether a cost of 1 would pass, and takes nothing.
-- Reply: {allowed 0|1, least remaining tokens, longest retry_us, longest reset_us, capacity of the bucket with the least,
-- number of the first bucket that denied or 0}. Errors: a code, a space, why.
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
local buckets = (#ARGV - 3) / 3
if buckets < 1 or buckets ~= math.floor(buckets) or buckets > 16 or (#KEYS ~= 1 and #KEYS ~= buckets) then
  return refuse('BAD_PARAMETERS', 'capacity, tokens and period_us for each of up to 16 buckets, and one key or one each')
end
local limits = {}
for i = 1, buckets do
  local capacity, tokens, period = whole(ARGV[3 * i + 1], 1, MAX), whole(ARGV[3 * i + 2], 1, MAX), whole(ARGV[3 * i + 3], 1, 2251799813685248)
  if not capacity or not tokens or not period then
    return refuse('BAD_PARAMETERS', 'capacity, tokens and period_us are whole numbers from 1')
  end
  if capacity * period + tokens > MAX then
    return refuse('OUT_OF_RANGE', 'capacity times period_us must stay below 2^53: reduce tokens / period_us')
  end
  if cost > capacity then
    return refuse('COST_EXCEEDS_CAPACITY', digits(cost) .. ' is above the capacity ' .. digits(capacity) .. ': never allowed')
  end
  limits[i] = {capacity, tokens, period}
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
  for i = 1, #KEYS do redis.call('PEXPIRE', KEYS[i], digits(ttl)) end
end

-- one clock for all: the newest stamp of any
local states = {}
for i = 1, buckets do
  states[i] = redis.call('HMGET', KEYS[i] or KEYS[1], 'l' .. i, 't' .. i, 'c' .. i, 'n' .. i, 'p' .. i)
  if states[i][1] and now < tonumber(states[i][2]) then now = tonumber(states[i][2]) end
end

local allowed, retry, denier, changed, levels = 1, 0, 0, false, {}
for i = 1, buckets do
  local capacity, tokens, period = limits[i][1], limits[i][2], limits[i][3]
  local full, state = capacity * period, states[i]
  local level = full
  if state[1] then
    level = tonumber(state[1])
    local elapsed = now - tonumber(state[2])
    local was_capacity, was_tokens, was_period = tonumber(state[3]), tonumber(state[4]), tonumber(state[5])
    local was_full = was_capacity * was_period
    if elapsed >= up(was_full - level, was_tokens) then level = was_full else level = level + elapsed * was_tokens end
    if was_capacity ~= capacity or was_tokens ~= tokens or was_period ~= period then
      changed = true -- time so far counted at the old rate: what is there is carried over, whether anybody passes or not
      local held = math.floor(level / was_period)
      if level == was_full or held >= capacity then
        level = full
      else
        level = held * period + scale(level % was_period, period, was_period)
      end
    end
  end
  levels[i] = level
  local need = math.max(cost, 1) * period
  if level < need then
    allowed, retry = 0, math.max(retry, up(need - level, tokens))
    if denier == 0 then denier = i end
  end
end

local remaining, reset, least = MAX, 0, 0
for i = 1, buckets do
  local capacity, tokens, period = limits[i][1], limits[i][2], limits[i][3]
  local level = levels[i]
  if cost > 0 and (allowed == 1 or changed) then
    if allowed == 1 then level = level - cost * period end
    redis.call('HSET', KEYS[i] or KEYS[1], 'l' .. i, digits(level), 't' .. i, digits(now),
      'c' .. i, digits(capacity), 'n' .. i, digits(tokens), 'p' .. i, digits(period))
  end
  local left = math.floor(level / period)
  if left < remaining then remaining, least = left, capacity end
  reset = math.max(reset, up(capacity * period - level, tokens))
end
if cost > 0 and (allowed == 1 or changed) then expire(reset) end
return {allowed, remaining, retry, reset, least, denier}
