local rate = tonumber(ARGV[1])
local capacity = tonumber(ARGV[2])
local now = tonumber(ARGV[3])
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local at = tonumber(state[2]) or now
now = math.max(now, at)
local tokens = math.min(capacity, (tonumber(state[1]) or capacity) + (now - at) * rate)
redis.call('HSET', KEYS[1], 'tokens', tokens, 'at', now)
redis.call('EXPIRE', KEYS[1], math.ceil(capacity / rate) + 1)
return tokens >= 1 and 1 or 0
