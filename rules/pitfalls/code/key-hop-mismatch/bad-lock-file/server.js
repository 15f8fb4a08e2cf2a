const fastify = require("fastify")({ trustProxy: 1 });
fastify.register(require("@fastify/rate-limit"), { max: 100, timeWindow: "1 minute" });
