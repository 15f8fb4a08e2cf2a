async function tryLogin(redis, req) {
  const key = `login:${req.ip}`;
  const [[, n]] = await redis.multi().incr(key).expire(key, 900, "NX").exec();
  return n <= 5;
}
module.exports = { tryLogin };
