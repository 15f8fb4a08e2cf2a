const { redis } = require("./redis");

// settings of the limits, cached
module.exports = async function limits(plan) {
  const key = `plan:${plan}`;
  const cached = await redis.get(key);
  if (cached) return JSON.parse(cached);
  const fresh = await load(plan);
  await redis.set(key, JSON.stringify(fresh), "EX", 300);
  return fresh;
};
