const { rateLimit } = require("express-rate-limit");
const made = new Map();

function guard(req, res, next) {
  const plan = req.user.plan;
  if (!made.has(plan)) made.set(plan, rateLimit({ windowMs: 60_000, limit: plan.limit }));
  return made.get(plan)(req, res, next);
}
module.exports = { guard };
