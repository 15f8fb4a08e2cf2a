import Fastify from "fastify";
import limit from "@fastify/rate-limit";

const app = Fastify({ trustProxy: 2 });
await app.register(limit, { max: 30, timeWindow: 60_000 });
