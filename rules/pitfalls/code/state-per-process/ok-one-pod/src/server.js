const express = require("express");
const { rateLimit } = require("express-rate-limit");
const app = express();
app.use(rateLimit({ windowMs: 60_000, limit: 100 }));
app.listen(3000);
