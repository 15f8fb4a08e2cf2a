const buckets = new Map<string, number[]>();
export default {
  async fetch(request: Request): Promise<Response> {
    const ip = request.headers.get("CF-Connecting-IP") ?? "";
    const now = Date.now();
    const list = (buckets.get(ip) ?? []).filter((t) => t > now - 60000);
    if (list.length >= 20) return new Response("Too Many Requests", { status: 429, headers: { "Retry-After": "60" } });
    list.push(now);
    buckets.set(ip, list);
    return fetch(request);
  },
};
