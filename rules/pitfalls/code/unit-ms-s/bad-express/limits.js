const { rateLimit } = require("express-rate-limit");

module.exports = rateLimit({ windowMs: 60, limit: 10 });
