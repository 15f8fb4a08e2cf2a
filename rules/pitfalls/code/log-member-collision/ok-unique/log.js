const { randomUUID } = require("crypto");

async function size(redis, key, now) {
  await redis.zadd(key, now, `${now}:${randomUUID()}`);
  const n = await redis.zcard(key);
  if (n > 10) await redis.zrem(key, "x");
  return n;
}
module.exports = { size };
