package seamcheck

// The kit as a process: what a runner may do to it, and what an adapter may do. The test binary is its own adapter.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("SEAMCHECK_SERVE") == "" {
		os.Exit(m.Run())
	}
	kept := os.Stdout // as a library might
	Serve(map[string]any{"name": "toy", "version": "1", "levels": []string{"cut", "compact"}}, Methods{
		"measure": func(call *Call) (any, error) {
			fmt.Println("stray print")
			fmt.Fprintln(kept, "stray write")
			var messages []any
			call.Read("messages", &messages)
			return len(messages), nil
		},
		"cut": func(call *Call) (any, error) {
			var budget int
			call.Read("budget", &budget)
			return []any{}[budget], nil
		},
		"build": func(call *Call) (any, error) {
			var live struct {
				ID Text `json:"id"`
			}
			call.Read("context", &live)
			return live, nil
		},
		"inspect": func(call *Call) (any, error) { return call.Live, nil },
		"units":   func(call *Call) (any, error) { return 0, fmt.Errorf("no: %w", Refusal("CONTEXT_INVALID_INPUT")) },
		"compact": compactToy,
	})
}

// compactToy calls its summarizer with the options, and says by its record what came of it.
func compactToy(call *Call) (any, error) {
	var options json.RawMessage
	call.Read("options", &options)
	said, failed := json.RawMessage(nil), any(nil)
	func() {
		defer func() {
			if thrown := recover(); thrown != nil {
				failed = fmt.Sprint("panic: ", thrown)
			}
		}()
		ctx, cancel := context.WithCancel(call)
		defer cancel()
		value, err := call.Summarize(ctx, options)
		if said = value; err != nil {
			failed = err.Error()
		}
	}()
	if call.Err() != nil {
		return nil, Refusal("CONTEXT_CANCELLED")
	}
	return &Compacted{Live: said, Record: []any{said, failed}}, nil
}

type session struct {
	*testing.T
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	log     strings.Builder
}

func open(t *testing.T) *session {
	s := &session{T: t, process: exec.Command(os.Args[0])}
	s.process.Env = append(os.Environ(), "SEAMCHECK_SERVE=1")
	s.process.Stderr = &s.log
	in, err := s.process.StdinPipe()
	out, failed := s.process.StdoutPipe()
	if err != nil || failed != nil || s.process.Start() != nil {
		t.Fatal("the adapter cannot be started")
	}
	s.in, s.out = in, bufio.NewReader(out)
	t.Cleanup(func() { _ = s.process.Process.Kill() })
	return s
}

func initialized(t *testing.T) *session {
	s := open(t)
	s.expect(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersions":["2","1"]}}`,
		`{"id":0,"jsonrpc":"2.0","result":{"language":"Go","levels":["cut","compact"],"name":"toy","profiles":["boundary"],"protocolVersion":"1","version":"1"}}`)
	return s
}

func (s *session) write(line string) { _, _ = io.WriteString(s.in, line+"\n") }

func (s *session) read() string {
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.Helper()
		s.Fatalf("no answer: %v\n%s", err, s.log.String())
	}
	return strings.TrimSuffix(line, "\n")
}

// expect compares as JSON text, whose keys are sorted, with `*` for the rest of a message.
func (s *session) expect(line, answer string) {
	s.Helper()
	if line != "" {
		s.write(line)
	}
	found, start := s.read(), strings.TrimSuffix(answer, "*")
	if found != answer && !(start != answer && strings.HasPrefix(found, start)) {
		s.Errorf("%.200s\nwas answered %s\nexpected     %s", line, found, answer)
	}
}

// ends closes the input and expects status 0 and silence; it returns what stood on standard error.
func (s *session) ends() string {
	s.Helper()
	_ = s.in.Close()
	rest, _ := io.ReadAll(s.out)
	if err := s.process.Wait(); err != nil || len(rest) > 0 {
		s.Errorf("ended with %v and %q\n%s", err, rest, s.log.String())
	}
	return s.log.String()
}

func request(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

func TestABadLineCostsOneAnswer(t *testing.T) {
	s := open(t)
	for line, code := range map[string]int{
		"{": -32700, "\"\xff\"": -32700, `{"id":NaN}`: -32700, strings.Repeat("[", 100000): -32700, "\"\x01\"": -32700,
		"[]": -32600, "1": -32600, "null": -32600, `{"jsonrpc":"1.0","id":1,"method":"x"}`: -32600,
		`{"jsonrpc":"2.0","id":1}`: -32600, `{"jsonrpc":"2.0","id":1,"method":2}`: -32600,
		`{"jsonrpc":"2.0","id":true,"method":"x"}`: -32600, `{"jsonrpc":"2.0","id":1.5,"method":"x"}`: -32600,
		`{"JSONRPC":"2.0","id":1,"method":"x"}`: -32600,
	} {
		s.expect(line, fmt.Sprintf(`{"error":{"code":%d,*`, code))
	}
	s.expect(strings.Repeat(" ", 16<<20)+request(1, "x", `{}`), `{"error":{"code":-32600,"message":"a line over 16 MiB"},"id":null,*`)
	s.write("\n \r\n" + `{"jsonrpc":"2.0","method":"shutdown"}` + "\n" + `{"jsonrpc":"2.0","id":null,"error":{"code":1}}`)
	s.expect(request(1, "shutdown", `{}`), `{"error":{"code":-32600,*`)
	s.expect(request(1, "initialize", `{"protocolVersions":["9"]}`), `{"error":{"code":-32602,*`)
	s.expect(request(1, "initialize", `[]`), `{"error":{"code":-32602,*`)
	s.expect(request(1, "initialize", `{"protocolVersions":["1"]}`), `{"id":1,*`)
	s.expect(request(1, "initialize", `{"protocolVersions":["1"]}`), `{"error":{"code":-32600,*`)
	s.expect(request(1, "native", `{}`), `{"error":{"code":-32601,*`)
	s.expect(request(1, "groups", `{}`), `{"error":{"code":-32601,*`)
	s.expect(request(1, "measure", `{}`), `{"error":{"code":-32602,*`)
	s.expect(request(1, "measure", `[]`), `{"error":{"code":-32602,*`)
	s.expect(request(1, "inspect", `{"handle":1}`), `{"error":{"code":-32602,*`)
	s.expect(request(1, "inspect", `{"handle":null}`), `{"error":{"code":-32602,*`)
	s.expect(request(1, "inspect", `{"handle":"h9"}`), `{"error":{"code":-32000,"message":"unknown-handle","data":{"code":"unknown-handle"}}*`)
	s.expect(request(1, "shutdown", `{}`), `{"id":1,"jsonrpc":"2.0","result":{}}`)
	s.ends()
}

func TestAnIdComesBackAsItCame(t *testing.T) {
	s := initialized(t)
	for _, id := range []string{`12345678901234567890123`, `-1`, `"a\u00e4\"b"`, `"s1"`, `""`} {
		s.expect(`{"jsonrpc":"2.0","id":`+id+`,"method":"measure","params":{"messages":[]}}`,
			`{"id":`+id+`,"jsonrpc":"2.0","result":{"units":0}}`)
	}
	_, _ = io.WriteString(s.in, request(7, "measure", `{"messages":[1,2]}`)) // no line end before the end
	_ = s.in.Close()
	s.expect("", `{"id":7,"jsonrpc":"2.0","result":{"units":2}}`)
	s.ends()
}

func TestPrintsAndPanicsGoToStandardError(t *testing.T) {
	s := initialized(t)
	s.expect(request(1, "measure", `{"messages":[1,2]}`), `{"id":1,"jsonrpc":"2.0","result":{"units":2}}`)
	s.expect(request(2, "cut", `{"messages":[],"budget":3}`), `{"error":{"code":-32603,*`)
	for _, budget := range []string{"", `,"budget":"1"`, `,"budget":-1`, `,"budget":1.5`, `,"budget":null`} {
		s.expect(request(3, "cut", `{"messages":[]`+budget+`}`), `{"error":{"code":-32602,*`)
	}
	s.expect(request(4, "measure", `{"messages":{}}`), `{"error":{"code":-32000,"message":"unsupported",*`)
	s.expect(request(5, "measure", `{"messages":{"json":"{,}"}}`), `{"error":{"code":-32000,"message":"not-json",*`)
	s.expect(request(6, "measure", `{"messages":{"json":"[3]"}}`), `{"id":6,"jsonrpc":"2.0","result":{"units":1}}`)
	s.expect(request(7, "units", `{"context":1}`), `{"error":{"code":-32000,"message":"CONTEXT_INVALID_INPUT",*`)
	log := s.ends()
	for _, words := range []string{"stray print", "stray write", "index out of range", "seamcheck_test.go"} {
		if !strings.Contains(log, words) {
			t.Errorf("standard error does not hold %q:\n%s", words, log)
		}
	}
}

func TestALoneSurrogateSurvives(t *testing.T) {
	for _, text := range []string{`"\ud800"`, `"a\uDE00\ud83d\ud83d\ude00\\ud800\"\n"`, `"\ud800\ud800\udc00z"`, `"íéí"`, `""`} {
		var read, again Text
		if err := json.Unmarshal([]byte(text), &read); err != nil {
			t.Fatal(text, err)
		}
		written, err := json.Marshal(read)
		if err != nil || json.Unmarshal(written, &again) != nil || read != again || strings.Contains(string(written), "\ufffd") {
			t.Errorf("%s came back as %s", text, written)
		}
	}
	var text Text
	if json.Unmarshal([]byte(`"\ud800 \ud83d\ude00"`), &text) != nil || text.CodePoints() != 3 || text != "\xed\xa0\x80 😀" {
		t.Errorf("%q has %d code points", text, text.CodePoints())
	}
	s := initialized(t)
	s.expect(request(1, "build", `{"context":{"id":"\ud800"}}`), `{"id":1,"jsonrpc":"2.0","result":{"handle":"h1"}}`)
	s.expect(request(2, "inspect", `{"handle":"h1"}`), `{"id":2,"jsonrpc":"2.0","result":{"context":{"id":"\ud800"}}}`)
	s.expect(request(3, "release", `{"handle":"h1"}`), `{"id":3,"jsonrpc":"2.0","result":{}}`)
	s.expect(request(4, "release", `{"handle":"h1"}`), `{"error":{"code":-32000,"message":"unknown-handle",*`)
	s.ends()
}

// asks starts a compaction and returns the id of its question.
func (s *session) asks(id int, more string) string {
	s.Helper()
	s.write(request(id, "compact", `{"handle":"h1","options":{}`+more+`}`))
	var asked struct {
		ID     string
		Params struct{ Compaction int }
	}
	if json.Unmarshal([]byte(s.read()), &asked) != nil || asked.Params.Compaction != id {
		s.Fatalf("the question of compaction %d is %v", id, asked)
	}
	return asked.ID
}

func (s *session) tell(question, answer string) {
	s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,%s}`, question, answer))
}

func TestSeveralCompactionsWaitAtOnce(t *testing.T) {
	s := initialized(t)
	s.expect(request(1, "build", `{"context":{}}`), `{"id":1,*`)
	first, second, third := s.asks(10, ""), s.asks(11, ""), s.asks(12, "")
	s.expect(request(10, "compact", `{"handle":"h1","options":{}}`), `{"error":{"code":-32600,*`)
	s.expect(request(2, "measure", `{"messages":[]}`), `{"id":2,*`)
	s.tell(third, `"result":{"kind":"text","text":"c\ud800"}`)
	s.expect("", `{"id":12,"jsonrpc":"2.0","result":{"handle":"h5","looks":1,"record":["c\ud800",null],"status":"compacted"}}`)
	s.tell(third, `"result":{"kind":"text","text":"again"}`)
	s.tell("stranger", `"result":{"kind":"text","text":"x"}`)
	s.tell(first, `"error":{"code":1,"message":"gone"}`)
	s.expect("", `{"id":10,"jsonrpc":"2.0","result":{"handle":"h6","looks":1,"record":[null,"gone"],"status":"compacted"}}`)
	s.write(`{"jsonrpc":"2.0","method":"cancel","params":{"compaction":99}}`)
	s.write(`{"jsonrpc":"2.0","method":"cancel","params":{"compaction":11}}`)
	s.tell(second, `"result":{"kind":"text","text":"late"}`)
	s.expect("", `{"error":{"code":-32000,"message":"CONTEXT_CANCELLED","data":{"code":"CONTEXT_CANCELLED","looks":1}},"id":11,"jsonrpc":"2.0"}`)
	s.tell(s.asks(13, ""), `"result":{"kind":"text"}`)
	s.expect("", `{"error":{"code":-32602,*`)
	s.asks(14, "")
	s.ends()
}

func TestAScriptIsActedOutAtOnce(t *testing.T) {
	s := initialized(t)
	s.expect(request(1, "build", `{"context":{}}`), `{"id":1,*`)
	for script, record := range map[string]string{
		`{"kind":"text","text":"t"}`: `["t",null]`, `{"kind":"value","value":{"json":"[1]"}}`: `[[1],null]`,
		`{"kind":"throw","message":"m"}`: `[null,"m"]`, `{"kind":"reject"}`: `[null,""]`, `{"kind":"panic","message":"m"}`: `[null,"panic: m"]`,
		`{"kind":"pending","cancel":true}`: ``, `{"kind":"text","text":"t","cancel":true}`: ``,
	} {
		s.expect(request(2, "compact", `{"handle":"h1","options":[7],"summarizer":`+script+`}`),
			`{"jsonrpc":"2.0","method":"summarize","params":{"compaction":2,"request":[7]}}`)
		var done struct {
			Result struct{ Record json.RawMessage }
			Error  struct{ Message string }
		}
		answer := s.read()
		_ = json.Unmarshal([]byte(answer), &done)
		if string(done.Result.Record) != record || (record == "") != (done.Error.Message == "CONTEXT_CANCELLED") {
			t.Errorf("%s was acted out as %s", script, answer)
		}
	}
	for _, bad := range []string{`{"kind":"chain","depth":1,"text":"t"}`, `{"kind":"text","text":1}`, `{}`, `1`} {
		s.expect(request(3, "compact", `{"handle":"h1","options":{},"summarizer":`+bad+`}`), `{"error":{"code":-32602,*`)
	}
	script := `,"summarizer":{"kind":"text","text":"t"}`
	// A context that is made from one that is done asks it at once, which is a look.
	for more, looks := range map[string]string{`,"cancelAtLook":0`: `"looks":1}`, `,"cancelled":true`: `"looks":2}`} {
		s.expect(request(4, "compact", `{"handle":"h1","options":{}`+more+script+`}`), `{"jsonrpc":"2.0","method":"summarize",*`)
		s.expect("", `{"error":{"code":-32000,"message":"CONTEXT_CANCELLED","data":{"code":"CONTEXT_CANCELLED",`+looks+`*`)
	}
	s.ends()
}

func TestWhatIsCancelledBeforeItsAnswerIsCancelledAndWhatIsAnsweredBeforeIsNot(t *testing.T) {
	s := initialized(t)
	s.expect(request(1, "build", `{"context":{}}`), `{"id":1,*`)
	seen := map[string]int{}
	for id := 100; id < 300; id++ {
		question := s.asks(id, "")
		cancel := fmt.Sprintf("{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{\"compaction\":%d}}", id)
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"kind":"text","text":"t"}}`, question)
		lines := []string{cancel, answer}
		if id%2 == 0 {
			lines = []string{answer, cancel}
		}
		s.write(strings.Join(lines, "\n"))
		seen[fmt.Sprint(id%2, strings.Contains(s.read(), "CONTEXT_CANCELLED"))]++
	}
	if expected := map[string]int{"0 false": 100, "1 true": 100}; !reflect.DeepEqual(seen, expected) {
		t.Errorf("found %v, expected %v", seen, expected)
	}
	s.ends()
}
