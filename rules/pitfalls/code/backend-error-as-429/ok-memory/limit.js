const { RateLimiterMemory } = require("rate-limiter-flexible");
const limiter = new RateLimiterMemory({ points: 10, duration: 1 });

module.exports = async (req, res, next) => {
  try {
    await limiter.consume(req.user.id);
    next();
  } catch (e) {
    res.set("Retry-After", "1").status(429).send("Too Many Requests");
  }
};
