import Redis from "ioredis";
const redis = new Redis(process.env.REDIS_URL!);
const fallback = new Map<string, { n: number; until: number }>();
export async function hit(key: string, limit: number, windowSec: number): Promise<boolean> {
  try {
    const n = await redis.incr(key);
    if (n === 1) await redis.expire(key, windowSec);
    return n <= limit;
  } catch (err) {
    const now = Date.now();
    const e = fallback.get(key) ?? { n: 0, until: now + windowSec * 1000 };
    e.n += 1;
    fallback.set(key, e);
    return e.n <= limit;
  }
}
