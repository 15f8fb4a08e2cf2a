const express = require("express");
const { rateLimit } = require("express-rate-limit");
const app = express();
const limiter = rateLimit({ windowMs: 60_000, limit: 100 });
const loginLimiter = rateLimit({ windowMs: 900_000, limit: 10 });
app.use(limiter);
app.post("/login", loginLimiter, login);
