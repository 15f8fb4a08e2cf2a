class Rack::Attack
  cache.store = ActiveSupport::Cache::RedisCacheStore.new

  throttle("all", limit: 100, period: 60) { |req| req.ip }
end
