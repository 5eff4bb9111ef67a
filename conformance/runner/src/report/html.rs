//! The certificate as one HTML file: no network, no script, nothing outside it. The template escapes every value,
//! and whatever cannot be seen is shown by its number first, so that no text of an adapter can break out.

mod figure;
mod view;

use super::certificate::Certificate;
use super::safe_text::visible;
use minijinja::value::{Serde, ValueKind};
use minijinja::{AutoEscape, Environment, Value, escape_formatter};

const TEMPLATE: &str = include_str!("html/report.html.j2");
const STYLE: &str = include_str!("html/report.css");

/// The certificate as a page.
///
/// # Errors
/// The template failed, in words.
pub(super) fn page(certificate: &Certificate) -> Result<String, String> {
    let words = |error: minijinja::Error| format!("the HTML report cannot be made: {error:#}");
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(|out, state, value| match value.as_str() {
        Some(text) if value.kind() == ValueKind::String && !value.is_safe() => {
            escape_formatter(out, state, &Value::from(visible(text)))
        }
        _ => escape_formatter(out, state, value),
    });
    environment.add_template("report", TEMPLATE).map_err(words)?;
    let view = view::Page::new(certificate, STYLE);
    environment.get_template("report").and_then(|template| template.render(Value::from(Serde(&view)))).map_err(words)
}
