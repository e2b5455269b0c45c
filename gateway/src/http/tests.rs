//! What no test from outside can bring about.

use super::*;
use axum::http::StatusCode;
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::Service as _;

async fn asked(router: &Router, target: &str) -> (StatusCode, String) {
    let request = Request::get(target).header(header::HOST, "localhost").body(Body::empty()).unwrap();
    let response = router.clone().call(request).await.unwrap();
    let status = response.status();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

fn app(settings: Settings) -> Arc<App> {
    Arc::new(App::new(Arc::new(Gateway::new(None)), settings).unwrap())
}

#[tokio::test]
async fn a_panic_is_an_eio_that_says_nothing_of_the_inside() {
    let app = app(Settings { requests: 1, ..Settings::default() });
    let boom = async || -> String { panic!("a secret") };
    let router = guarded(Router::new().route("/boom", get(boom)), &app);
    for _ in 0..3 {
        // The place is given back each time.
        let (status, body) = asked(&router, "/boom").await;
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((&body["errno"], &body["type"]), (&"EIO".into(), &"/problems/internal".into()));
        assert!(!body.to_string().contains("secret"), "{body}");
    }
    assert_eq!(app.metrics.under_way.get(), 0);
}

#[tokio::test]
async fn what_takes_too_long_is_given_up() {
    let app = app(Settings { request_timeout: Duration::from_millis(20), ..Settings::default() });
    let slow = async || tokio::time::sleep(Duration::from_secs(60)).await;
    let router = guarded(Router::new().route("/slow", get(slow)), &app);
    let (status, body) = asked(&router, "/slow").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(body.contains("/problems/timed-out"), "{body}");
}

#[tokio::test]
async fn every_problem_that_is_sent_is_explained() {
    let router = routes(&app(Settings::default()), |server| server);
    for kind in Kind::ALL {
        let (status, text) = asked(&router, &format!("/problems/{}", kind.facts().1)).await;
        assert!(status == StatusCode::OK && text.lines().count() == 2, "{text}");
    }
    assert_eq!(asked(&router, "/problems/none").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_token_is_gone_before_any_handler_and_health_needs_none() {
    let token = Some(Token::new("0123456789abcdef").unwrap());
    let app = app(Settings { token, ..Settings::default() });
    let echo = async |headers: axum::http::HeaderMap| headers.contains_key(header::AUTHORIZATION).to_string();
    let router = guarded(Router::new().route("/echo", get(echo)), &app);
    let request = Request::get("/echo").header(header::HOST, "localhost");
    let request =
        request.header(header::AUTHORIZATION, "Bearer 0123456789abcdef").body(Body::empty()).unwrap();
    let response = router.clone().call(request).await.unwrap();
    assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), "false");
    assert_eq!(asked(&router, "/echo").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(asked(&routes(&app, |server| server), "/api/v1/health").await.0, StatusCode::OK);
}
