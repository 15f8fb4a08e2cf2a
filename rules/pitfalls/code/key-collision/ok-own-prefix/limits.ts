import { rateLimit } from "express-rate-limit";
import { RedisStore } from "rate-limit-redis";
import { sendCommand } from "./redis";

export const read = rateLimit({
  windowMs: 60_000,
  limit: 600,
  store: new RedisStore({ prefix: "api:", sendCommand }),
});
export const write = rateLimit({
  windowMs: 1_000,
  limit: 5,
  store: new RedisStore({ prefix: "api:write:", sendCommand }),
});
