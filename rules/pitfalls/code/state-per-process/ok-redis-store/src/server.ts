import express from "express";
import { rateLimit } from "express-rate-limit";
import { RedisStore } from "rate-limit-redis";
import { client } from "./redis";

const app = express();
app.set("trust proxy", 1);
app.use(rateLimit({
  windowMs: 60_000,
  limit: 100,
  store: new RedisStore({ prefix: "rl:all:", sendCommand: (...args: string[]) => client.sendCommand(args) }),
}));
app.listen(3000);
