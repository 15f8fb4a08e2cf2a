const rateLimit = require("express-rate-limit");
const RedisStore = require("rate-limit-redis");
const store = new RedisStore({ sendCommand: (...args) => client.sendCommand(args), prefix: "rl:" });
const apiLimiter = rateLimit({ windowMs: 60000, max: 100, store });
const loginLimiter = rateLimit({ windowMs: 900000, max: 5, store });
module.exports = { apiLimiter, loginLimiter };
