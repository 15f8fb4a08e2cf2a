class Rack::Attack
  cache.store = ActiveSupport::Cache::RedisCacheStore.new

  throttle("all", limit: 100, period: 60) { |req| req.env["HTTP_X_FORWARDED_FOR"].split(",").first }
end
