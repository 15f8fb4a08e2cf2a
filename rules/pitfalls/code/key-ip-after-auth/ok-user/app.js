const express = require("express");
const { rateLimit } = require("express-rate-limit");
const app = express();
app.use(requireAuth);
const limiter = rateLimit({ windowMs: 60_000, limit: 100, keyGenerator: (req) => req.user.id });
app.use(limiter);
app.get("/orders", orders);
