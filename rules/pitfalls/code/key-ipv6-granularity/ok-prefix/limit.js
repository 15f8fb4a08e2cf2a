const { rateLimit, ipKeyGenerator } = require("express-rate-limit");

module.exports = rateLimit({
  windowMs: 60_000,
  limit: 10,
  keyGenerator: (req) => ipKeyGenerator(req.ip, 56),
});
