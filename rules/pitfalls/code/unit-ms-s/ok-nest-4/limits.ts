import { ThrottlerModule } from "@nestjs/throttler";

export const limits = ThrottlerModule.forRoot([
  { name: "short", ttl: 30, limit: 3 },
]);
