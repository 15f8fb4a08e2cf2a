class Api {
  private Bucket fresh() {
    return Bucket.builder().addLimit(limit).build();
  }

  int get(String key) {
    return fresh().tryConsume(1) ? 200 : 429;
  }
}
