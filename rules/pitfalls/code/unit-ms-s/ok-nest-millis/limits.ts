import { ThrottlerModule } from "@nestjs/throttler";

export const limits = ThrottlerModule.forRoot([
  { name: "short", ttl: 30000, limit: 3 },
]);
