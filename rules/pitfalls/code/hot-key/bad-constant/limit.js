const { RateLimiterRedis } = require("rate-limiter-flexible");
const limiter = new RateLimiterRedis({ storeClient: client, points: 5000, duration: 1 });
module.exports = () => limiter.consume("everything");
