async function call(url) {
  while (true) {
    const r = await fetch(url);
    if (r.status === 429) continue;
    return r;
  }
}
