function refuse(res, rl) {
  res.set("Retry-After", Math.ceil(rl.msBeforeNext / 1000));
  res.status(429).end();
}
