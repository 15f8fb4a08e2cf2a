import { rateLimit } from "express-rate-limit";
import { RedisStore } from "rate-limit-redis";
const make = () => new RedisStore({ sendCommand: (...args: string[]) => client.sendCommand(args) });
export const api = rateLimit({ windowMs: 60000, limit: 100, store: make() });
export const login = rateLimit({ windowMs: 900000, limit: 5, store: make() });
