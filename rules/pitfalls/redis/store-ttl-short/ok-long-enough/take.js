const fs = require("fs");
const script = fs.readFileSync("take.lua", "utf8");

module.exports = (redis, tenant) => redis.eval(script, 1, `t:${tenant}`, 100, 5);
