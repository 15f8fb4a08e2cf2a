import express from 'express';
import rateLimit from 'express-rate-limit';
const app = express();
app.post('/login', (req, res, next) => {
  const limiter = rateLimit({ windowMs: 60000, limit: 5 });
  limiter(req, res, next);
}, login);
