use actix_governor::{Governor, GovernorConfigBuilder};
#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let conf = GovernorConfigBuilder::default().seconds_per_request(2).burst_size(5).finish().unwrap();
    HttpServer::new(move || App::new().wrap(Governor::new(&conf)))
        .bind(("0.0.0.0", 8080))?.run().await
}
