const Redis = require("ioredis");
const cluster = new Redis.Cluster([{ host: "a.example.com", port: 6379 }], { redisOptions: { commandTimeout: 50 } });

module.exports = (tenant, script) => {
  const level = `b:${tenant}:level`;
  const stamp = `b:${tenant}:stamp`;
  return cluster.eval(script, 2, level, stamp, 5, 10);
};
