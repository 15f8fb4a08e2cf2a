use tower_governor::governor::GovernorConfigBuilder;

fn limits() {
    let conf = GovernorConfigBuilder::default()
        .per_second(2)
        .finish();
}
