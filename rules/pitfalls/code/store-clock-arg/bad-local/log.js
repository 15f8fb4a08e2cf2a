const { randomUUID } = require("crypto");

async function allowed(redis, key, limit, windowMs) {
  const now = Date.now();
  const reply = await redis.multi().zremrangebyscore(key, 0, now - windowMs).zcard(key).zadd(key, now, randomUUID()).exec();
  return reply[1][1] < limit;
}
module.exports = { allowed };
