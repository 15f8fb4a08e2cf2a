local t = redis.call('TIME')
local stamp = t[1] * 1000 + math.floor(t[2] / 1000)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], stamp, stamp)
return 1
