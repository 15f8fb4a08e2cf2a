async function call(url) {
  while (true) {
    const r = await fetch(url);
    if (r.status === 429) {
      await sleep(Number(r.headers.get("retry-after") ?? 1) * 1000);
      continue;
    }
    return r;
  }
}
