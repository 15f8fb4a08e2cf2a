const express = require("express");
const cors = require("cors");
const { rateLimit } = require("express-rate-limit");
const app = express();
const limiter = rateLimit({ windowMs: 60_000, limit: 40 });
app.use(limiter);
app.use(cors());
app.listen(3000);
