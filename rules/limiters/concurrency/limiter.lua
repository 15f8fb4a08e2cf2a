-- Concurrency: at most limit at the same time. Who is let in holds a place until it gives it back, or until hold_us have
-- passed, so that a caller that dies frees its place.
-- KEYS[1] one key, a sorted set: places by the instant they end; '@' the newest stamp and '#' a counter, both below zero.
-- ARGV: mode (live | replay), now_us, cost, limit, hold_us [, take | give, id of the holder]
--   live:   the clock is Redis's TIME, now_us is empty.   replay: now_us is the clock.
--   cost 0 looks whether a cost of 1 would pass, and takes nothing. Taking again with the same id prolongs the hold.
-- Reply: {allowed 0|1 (give: 1 when there was something to give), remaining, retry_us, reset_us until all are free, limit}.
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
local limit, hold = whole(ARGV[4], 1, 100000), whole(ARGV[5], 1, 4503599627370495)
local act, id = ARGV[6] or 'take', ARGV[7]
if (#ARGV ~= 5 and #ARGV ~= 7) or not limit or not hold or (act ~= 'take' and act ~= 'give')
  or (id and not string.find(id, '^[%w_.:-]+$')) then
  return refuse('BAD_PARAMETERS', 'limit (at most 100000) and hold_us are whole numbers from 1; then take or give, and an id')
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

local clock = tonumber(redis.call('ZSCORE', KEYS[1], '@') or '0')
if now < -clock then now = -clock end -- the clock never goes back
local function used() return redis.call('ZCOUNT', KEYS[1], '(' .. digits(now), '+inf') end
local function reset()
  local latest = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
  return math.max(0, tonumber(latest[2] or '0') - now)
end

if act == 'give' then
  local given = 0
  for place = 1, cost do given = given + redis.call('ZREM', KEYS[1], id .. '/' .. place) end
  return {math.min(given, 1), limit - used(), 0, reset(), limit}
end

local want, allowed, retry = math.max(cost, 1), 0, 0
local held = id and tonumber(redis.call('ZSCORE', KEYS[1], id .. '/1') or '0') > now
local taken = used()
if held or taken + want <= limit then
  allowed = 1
else
  local frees = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. digits(now), '+inf', 'WITHSCORES', 'LIMIT', taken + want - limit - 1, 1)
  retry = tonumber(frees[2]) - now
end
if allowed == 1 and cost > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '(0', digits(now))
  local counter = -tonumber(redis.call('ZINCRBY', KEYS[1], digits(-cost), '#'))
  local ends = digits(now + hold)
  for place = 1, cost do
    redis.call('ZADD', KEYS[1], ends, id and (id .. '/' .. place) or digits(counter - place))
  end
  redis.call('ZADD', KEYS[1], digits(-now), '@')
  taken = used()
  expire(reset())
end
return {allowed, math.max(0, limit - taken), retry, reset(), limit}
