-- Token bucket for costs that are known only after the work: an estimate is reserved before it, and settled once after it.
-- What was too much comes back; what was too little becomes debt, which later refills pay before anybody passes.
-- KEYS[1] one key, a hash. ARGV: mode (live | replay), now_us, cost, capacity, tokens, period_us, hold_us
--   [, reserve | settle, id]. With settle the cost is what it really was, 0 gives all back. Without an id: a plain bucket.
--   live:   the clock is Redis's TIME, now_us is empty.   replay: now_us is the clock.
--   cost 0 without settle looks whether a cost of 1 would pass, and takes nothing.
-- Reply: {allowed 0|1 (settle: 0 when the id is unknown, settled before, or older than hold_us), remaining tokens,
-- retry_us, reset_us until full and nothing is open, capacity}. Errors: a code, a space, why.
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
local hold, act, id = whole(ARGV[7], 1, 4503599627370495), ARGV[8] or 'reserve', ARGV[9]
if (#ARGV ~= 7 and #ARGV ~= 9) or not capacity or not tokens or not period or not hold
  or (act ~= 'reserve' and act ~= 'settle') or (id and not string.find(id, '^[%w_.:-]+$')) then
  return refuse('BAD_PARAMETERS', 'capacity, tokens, period_us and hold_us are whole numbers from 1; then reserve or settle, and an id')
end
if capacity * period + tokens > 4503599627370495 then
  return refuse('OUT_OF_RANGE', 'capacity times period_us must stay below 2^52: reduce tokens / period_us')
end
if act == 'reserve' and cost > capacity then
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
local level, until_us, open = full, 0, 0 -- until_us: when the last reservation that is open lapses
local state = redis.call('HMGET', KEYS[1], 'l', 't', 'c', 'n', 'p', 'u', 'o')
if state[1] then
  level, until_us, open = tonumber(state[1]), tonumber(state[6]), tonumber(state[7])
  local last = tonumber(state[2])
  if now < last then now = last end -- the clock never goes back
  local was_capacity, was_tokens, was_period = tonumber(state[3]), tonumber(state[4]), tonumber(state[5])
  local was_full = was_capacity * was_period
  local elapsed = now - last
  if elapsed >= up(was_full - level, was_tokens) then level = was_full else level = level + elapsed * was_tokens end
  if was_capacity ~= capacity or was_tokens ~= tokens or was_period ~= period then
    -- a full bucket stays full, a debt stays one, at most the new capacity
    local held = math.floor(level / was_period)
    if level == was_full or held >= capacity then
      level = full
    else
      level = math.max(-full, held * period + scale(level % was_period, period, was_period))
    end
  end
end

local function reply(allowed, retry)
  local reset = math.max(up(full - level, tokens), open > 0 and until_us - now or 0)
  return {allowed, math.max(0, math.floor(level / period)), retry, reset, capacity}
end

local function save()
  redis.call('HSET', KEYS[1], 'l', digits(level), 't', digits(now), 'c', digits(capacity), 'n', digits(tokens),
    'p', digits(period), 'u', digits(until_us), 'o', digits(open))
  expire(math.max(up(full - level, tokens), open > 0 and until_us - now or 0))
end

local reserved, lapses
if id then
  local found = redis.call('HGET', KEYS[1], 'r' .. id)
  if found then
    reserved, lapses = string.match(found, '^(%d+) (%d+)$')
    reserved, lapses = tonumber(reserved), tonumber(lapses)
  end
end

if act == 'settle' then
  if not reserved then return reply(0, 0) end
  redis.call('HDEL', KEYS[1], 'r' .. id)
  open = open - 1
  local settled = 0
  if lapses > now then
    settled = 1
    -- 2 capacities of debt and of gift are as good as any more
    level = level + (reserved - math.min(cost, reserved + 2 * capacity)) * period
    level = math.max(-full, math.min(full, level))
  end
  save()
  return reply(settled, 0)
end

if reserved and lapses > now then return reply(1, 0) end -- asked twice: charged once
local need = math.max(cost, 1) * period
local allowed, retry = 0, 0
if level >= need then allowed = 1 else retry = up(need - level, tokens) end
if cost > 0 then
  if allowed == 1 then
    if id then
      if open >= 256 then
        local all = redis.call('HGETALL', KEYS[1])
        for i = 1, #all, 2 do
          if string.sub(all[i], 1, 1) == 'r' and tonumber(string.match(all[i + 1], ' (%d+)$')) <= now then
            redis.call('HDEL', KEYS[1], all[i])
            open = open - 1
            if all[i] == 'r' .. id then reserved = nil end
          end
        end
        if open >= 1024 then return refuse('TOO_MANY_OPEN', '1024 reservations are open: settle them, or take a shorter hold_us') end
      end
      if not reserved then open = open + 1 end
      until_us = math.max(until_us, now + hold)
      redis.call('HSET', KEYS[1], 'r' .. id, digits(cost) .. ' ' .. digits(now + hold))
    end
    level = level - need
  end
  save()
end
return reply(allowed, retry)
