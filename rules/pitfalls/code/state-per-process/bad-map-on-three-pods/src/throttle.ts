import type { NextFunction, Request, Response } from "express";

const hits = new Map<string, { count: number; resetAt: number }>();

export function throttle(limit = 50, windowMs = 10_000) {
  return (req: Request, res: Response, next: NextFunction) => {
    const who = req.get("x-api-key") ?? "none";
    const now = Date.now();
    const entry = hits.get(who);
    if (!entry || entry.resetAt < now) {
      hits.set(who, { count: 1, resetAt: now + windowMs });
      return next();
    }
    entry.count += 1;
    hits.set(who, entry);
    if (entry.count > limit) {
      res.set("Retry-After", String(Math.ceil((entry.resetAt - now) / 1000)));
      return res.sendStatus(429);
    }
    return next();
  };
}

setInterval(() => {
  for (const [who, entry] of hits) if (entry.resetAt < Date.now()) hits.delete(who);
}, 60_000);
