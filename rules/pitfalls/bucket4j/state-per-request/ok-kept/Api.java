class Api {
  private Bucket fresh() {
    return Bucket.builder().addLimit(limit).build();
  }

  int get(String key) {
    return map.computeIfAbsent(key, k -> fresh()).tryConsume(1) ? 200 : 429;
  }
}
