export async function hit(redis: Redis, id: string) {
  const key = `rl:${id}`;
  await redis.set(key, 0, "EX", 60, "NX");
  const n = await redis.incr(key);
  return n <= 100;
}
