package limit

// rate limit by user
func hit(ctx context.Context, rdb *redis.Client, user string) (bool, error) {
	n, err := rdb.Incr(ctx, "rl:"+user).Result()
	if err != nil {
		return false, err
	}
	if n == 1 {
		rdb.Expire(ctx, "rl:"+user, time.Minute)
	}
	return n <= 100, nil
}
