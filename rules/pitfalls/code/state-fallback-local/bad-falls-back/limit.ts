import { redis } from "./redis";

const local = new Map<string, number>();

export async function allow(client: string, limit: number) {
  const key = `rl:${client}:${Math.floor(Date.now() / 60000)}`;
  try {
    const [[, count]] = await redis.multi().incr(key).expire(key, 120).exec();
    return count <= limit;
  } catch {
    const n = (local.get(key) ?? 0) + 1;
    local.set(key, n);
    if (local.size > 10_000) local.clear();
    return n <= limit; // else 429 "rate limit"
  }
}
