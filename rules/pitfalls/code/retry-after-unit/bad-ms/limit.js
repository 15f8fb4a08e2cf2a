function refuse(res, rl) {
  res.set("Retry-After", rl.msBeforeNext);
  res.status(429).end();
}
