const fs = require("fs");
const script = fs.readFileSync("take.lua", "utf8");
const CAPACITY = 500;

module.exports = (redis, tenant) => redis.eval(script, 1, `t:${tenant}`, CAPACITY, 500 / 86400);
