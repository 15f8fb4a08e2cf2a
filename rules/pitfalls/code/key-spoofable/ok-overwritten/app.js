const { rateLimit } = require("express-rate-limit");
const limiter = rateLimit({ windowMs: 60000, limit: 100, keyGenerator: (req) => req.headers["x-forwarded-for"].split(",")[0].trim(), store: new RedisStore({}) });
