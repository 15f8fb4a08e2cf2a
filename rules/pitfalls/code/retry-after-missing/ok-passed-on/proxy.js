const fetch = require("node-fetch");

module.exports = async function vendor(req, res) {
  const answer = await fetch("https://vendor.example.com/limited");
  if (answer.status === 429) {
    return res.status(429).end();
  }
  res.json(await answer.json());
};
