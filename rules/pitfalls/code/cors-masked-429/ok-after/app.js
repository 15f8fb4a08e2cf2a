const express = require("express");
const cors = require("cors");
const { rateLimit } = require("express-rate-limit");
const app = express();
app.use(cors());
app.use(rateLimit({ windowMs: 60_000, limit: 40 }));
app.listen(3000);
