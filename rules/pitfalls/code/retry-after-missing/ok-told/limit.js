const { redis } = require("./redis");

module.exports = async function limit(req, res, next) {
  const key = `rl:${req.get("x-api-key")}:${Math.floor(Date.now() / 60000)}`;
  const [[, count]] = await redis.multi().incr(key).expire(key, 120).exec();
  if (count > 60) {
    res.set("Retry-After", "60");
    return res.status(429).json({ error: "slow down" });
  }
  next();
};
