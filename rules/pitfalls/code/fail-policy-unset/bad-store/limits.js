const { rateLimit } = require("express-rate-limit");
const { RedisStore } = require("rate-limit-redis");
const store = new RedisStore({ prefix: "api:", sendCommand: (...args) => client.sendCommand(args) });
module.exports = rateLimit({ windowMs: 60_000, limit: 100, store });
