async function allowed(redis, key, now, limit) {
  await redis.zadd(key, now, `${now}`);
  return (await redis.zcard(key)) <= limit;
}
module.exports = { allowed };
