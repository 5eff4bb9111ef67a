//! The runner's end of an in-memory wire. Lines are read by the reference's own reader, which keeps lone
//! surrogates.

use seamcheck_protocol::implementation::Implementation;
use seamcheck_protocol::serve::serve;
use seamcheck_reference::{Document, Json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, split};

const PIPE_BYTES: usize = 1 << 20;

pub(crate) struct Wire {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    asked: u64,
}

/// Serves an implementation and plays the runner against it, from after the handshake to the shutdown.
pub(crate) async fn session<I: Implementation>(implementation: I, runner: impl AsyncFnOnce(&mut Wire)) {
    let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
    let (input, output) = split(theirs);
    let play = async {
        let (reader, writer) = split(ours);
        let mut wire = Wire { lines: BufReader::new(reader).lines(), writer, asked: 0 };
        let suite = r#"{"name":"test","version":"0","specVersion":"0"}"#;
        wire.call("initialize", &format!(r#"{{"protocolVersions":["1"],"suite":{suite}}}"#)).await.unwrap();
        runner(&mut wire).await;
        wire.call("shutdown", "{}").await.unwrap();
    };
    let (served, ()) = tokio::join!(serve(implementation, BufReader::new(input), output), play);
    served.unwrap();
}

impl Wire {
    pub(crate) async fn send(&mut self, line: &str) {
        self.writer.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    pub(crate) async fn receive(&mut self) -> Json {
        parse(&self.lines.next_line().await.unwrap().expect("the adapter has hung up"))
    }

    /// Sends a request and gives its number.
    pub(crate) async fn ask(&mut self, method: &str, params: &str) -> u64 {
        self.asked += 1;
        let id = self.asked;
        self.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)).await;
        id
    }

    /// Sends a request that nothing comes before the answer of: its result, or its error.
    pub(crate) async fn call(&mut self, method: &str, params: &str) -> Result<Json, Json> {
        self.ask(method, params).await;
        outcome(&self.receive().await)
    }

    /// Calls, and shows what came of it in the format of the vectors.
    pub(crate) async fn answer(&mut self, method: &str, params: &str) -> Json {
        match self.call(method, params).await {
            Ok(result) => Json::object([("ok", result)]),
            Err(error) => refusal(&error),
        }
    }
}

pub(crate) fn parse(text: &str) -> Json {
    const DEPTH: usize = 200;
    Document::parse(text.as_bytes()).unwrap().root().to_json(DEPTH).unwrap()
}

/// The result of a response, or its error.
pub(crate) fn outcome(response: &Json) -> Result<Json, Json> {
    match response.get("result") {
        Some(result) => Ok(result.clone()),
        None => Err(response.get("error").unwrap().clone()),
    }
}

/// `{"error": {"code": ..}}`
pub(crate) fn refusal(error: &Json) -> Json {
    let code = error.get("data").and_then(|data| data.get("code"));
    let code = code.unwrap_or_else(|| panic!("no refusal: {error}")).clone();
    Json::object([("error", Json::object([("code", code)]))])
}
