import { NextRequest, NextResponse } from "next/server";
const hits = new Map<string, { count: number; resetAt: number }>();
export async function POST(req: NextRequest) {
  const ip = req.headers.get("x-real-ip") ?? "local";
  const now = Date.now();
  const entry = hits.get(ip);
  if (!entry || entry.resetAt < now) {
    hits.set(ip, { count: 1, resetAt: now + 60_000 });
  } else if (++entry.count > 10) {
    return NextResponse.json({ error: "Too many requests" }, { status: 429 });
  }
  return NextResponse.json({ ok: true });
}
