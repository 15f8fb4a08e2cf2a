const express = require("express");
const { rateLimit } = require("express-rate-limit");
const app = express();
const limiter = rateLimit({ windowMs: 60_000, limit: 100, statusCode: 429 });
