import { redis } from "./redis";
import { log } from "./log";

export async function allow(client: string, limit: number) {
  const key = `rl:${client}:${Math.floor(Date.now() / 60000)}`;
  try {
    const [[, count]] = await redis.multi().incr(key).expire(key, 120).exec();
    return count <= limit;
  } catch (e) {
    log.error("limiter down", e);
    return true;
  }
}
