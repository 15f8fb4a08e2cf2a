export async function hit(redis: Redis, id: string) {
  const key = `rl:${id}:${Math.floor(Date.now() / 60000)}`;
  const n = await redis.incr(key);
  await redis.expire(key, 120);
  return n <= 100;
}
