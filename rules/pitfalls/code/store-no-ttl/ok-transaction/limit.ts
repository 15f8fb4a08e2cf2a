import { redis } from "./redis";

export async function allow(key: string, limit: number) {
  const [[, count]] = await redis.multi().incr(key).expire(key, 60, "NX").exec();
  return count <= limit;
}
