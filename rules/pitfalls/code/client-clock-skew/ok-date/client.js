// honour the vendor's rate limit
async function pause(response) {
  const reset = Number(response.headers.get("x-ratelimit-reset"));
  await sleep(reset * 1000 - Date.parse(response.headers.get("date")) || Date.now());
}
