const express = require("express");
const { rateLimit } = require("express-rate-limit");
const app = express();
app.set("trust proxy", true);

const search = rateLimit({ windowMs: 60_000, limit: 20 });
app.use("/search", search);
app.listen(8080);
