builder.Services.AddRateLimiter(o =>
{
    o.RejectionStatusCode = 429;
    o.AddFixedWindowLimiter("api", w => w.PermitLimit = 5);
});
var app = builder.Build();
app.UseRateLimiter();
app.MapGet("/", () => 1).RequireRateLimiting("api");
