const { rateLimit } = require("express-rate-limit");

function guard(req, res, next) {
  const limiter = rateLimit({ windowMs: 60_000, limit: 5 });
  return limiter(req, res, next);
}
module.exports = { guard };
