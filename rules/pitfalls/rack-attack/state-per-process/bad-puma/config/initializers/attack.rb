class Rack::Attack
  cache.store = ActiveSupport::Cache::MemoryStore.new

  throttle("all", limit: 100, period: 60) { |req| req.ip }
end
