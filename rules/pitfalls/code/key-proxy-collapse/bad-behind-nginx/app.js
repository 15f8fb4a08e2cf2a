const express = require("express");
const rateLimit = require("express-rate-limit");
const app = express();

app.use(rateLimit({
  windowMs: 60 * 1000,
  max: 30,
}));
app.get("/", (req, res) => res.send("ok"));
app.listen(8080);
