const express = require("express");
const { rateLimit } = require("express-rate-limit");
const app = express();
app.get("/ready", (q, s) => s.send("ok"));
app.use(rateLimit({ windowMs: 60 * 60 * 1000, limit: 300 }));
app.listen(3000);
