const { rateLimit } = require("express-rate-limit");
const limiter = rateLimit({ windowMs: 60_000, limit: 5 });

function guard(req, res, next) {
  return limiter(req, res, next);
}
module.exports = { guard };
