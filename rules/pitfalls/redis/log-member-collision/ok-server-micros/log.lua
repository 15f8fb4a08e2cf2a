local t = redis.call('TIME')
local at = t[1] * 1000000 + t[2]
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, at - 60 * 1000000)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], at, at)
redis.call('EXPIRE', KEYS[1], 61)
return 1
