const { RateLimiterRedis } = require("rate-limiter-flexible");
module.exports = new RateLimiterRedis({ storeClient: client, points: 5, duration: 60 });
