local capacity = tonumber(ARGV[1])
local rate = tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1])
local saved = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = math.min(capacity, (tonumber(saved[1]) or capacity) + (now - (tonumber(saved[2]) or now)) * rate)
if level < 1 then return 0 end
redis.call('HSET', KEYS[1], 'level', level - 1, 'at', now)
redis.call('EXPIRE', KEYS[1], 120)
return 1
