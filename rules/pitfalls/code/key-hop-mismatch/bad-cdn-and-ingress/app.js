const express = require("express");
const { rateLimit } = require("express-rate-limit");
const app = express();
app.set("trust proxy", 1);
app.use(rateLimit({ windowMs: 60000, limit: 100 }));
