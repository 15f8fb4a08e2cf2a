const hits = new Map();
setInterval(() => hits.clear(), 60_000);
module.exports = (req, res, next) => {
  const n = (hits.get(req.user.id) ?? 0) + 1;
  hits.set(req.user.id, n);
  if (n > 100) return res.status(429).set("Retry-After", "60").end();
  next();
};
