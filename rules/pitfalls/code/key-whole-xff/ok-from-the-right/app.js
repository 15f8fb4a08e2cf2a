const { rateLimit } = require("express-rate-limit");

module.exports = rateLimit({
  windowMs: 60_000,
  limit: 10,
  keyGenerator: (req) => req.headers["x-forwarded-for"].split(",").at(-1).trim(),
});
