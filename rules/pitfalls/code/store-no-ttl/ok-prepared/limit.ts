import { redis } from "./redis";

export async function allow(key: string, limit: number) {
  await redis.set(key, 0, "EX", 60, "NX");
  const count = await redis.incr(key);
  return count <= limit;
}
