const express = require("express");
const { rateLimit } = require("express-rate-limit");
const app = express();
app.use(rateLimit({ windowMs: 60 * 60 * 1000, limit: 100000 }));
app.get("/ready", (q, s) => s.send("ok"));
app.listen(3000);
