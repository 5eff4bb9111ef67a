// Package seamcheck serves a Go implementation over the fixture protocol, version 1. It needs the standard library of
// Go 1.19 or later. Copy this file and payload.go freely; README.md beside them says more.
package seamcheck

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Methods are what the implementation offers, by the names of the protocol. Each returns what stands in its result;
// `compact` returns a *Compacted, or nil if the context stays as it is. An error that is no Refusal is a breakdown.
type Methods map[string]func(call *Call) (any, error)

// Compacted is a new live context and its record.
type Compacted struct{ Live, Record any }

// Call is one request. That of `compact` is the cancellation too: a call of its Err is a look.
type Call struct {
	context.Context
	Live   any // the context that `inspect`, `native` and `compact` are about
	server *server
	id     json.RawMessage
	params fields
	cancel context.CancelFunc
	looks  atomic.Int64
	atLook int64
	script action
	broken error // a fault of the protocol, which must not pass for one of the summarizer
}

// Read reads a parameter: a payload such as "messages", or "budget". What the type cannot hold is unsupported.
func (call *Call) Read(name string, into any) {
	must(json.Unmarshal(payload(call.params, name), into) == nil, Refusal("unsupported"))
}

// Err is a look at the cancellation.
func (call *Call) Err() error {
	if call.looks.Add(1)-1 == call.atLook {
		call.cancel()
	}
	return call.Context.Err()
}

// Summarize does what the runner says: it returns a JSON value (a string, mostly) or an error, or panics, or waits until
// ctx is done. Let ctx be the call, or made from it.
func (call *Call) Summarize(ctx context.Context, request any) (json.RawMessage, error) {
	s, line := call.server, object{"method": "summarize", "params": object{"compaction": call.id, "request": request}}
	if call.script != nil {
		s.send(line)
		return call.script(ctx)
	}
	answers, id := make(chan action, 1), fmt.Sprintf(`"s%d"`, s.issued.Add(1))
	line["id"] = json.RawMessage(id)
	s.questions.Store(id, func(message fields) { answers <- call.acting(message) })
	defer s.questions.Delete(id)
	s.send(line)
	return wait(ctx, answers)
}

// Serve answers on standard input and output until `shutdown` or the end of the input, and ends the program. The
// declaration is the result of `initialize`: name, version, levels, capabilities, maxInFlight.
func Serve(declaration map[string]any, methods Methods) {
	declaration["protocolVersion"], declaration["language"], declaration["profiles"] = "1", "Go", []string{"boundary"}
	s := &server{declaration: declaration, methods: methods, output: *os.Stdout}
	*os.Stdout = *os.Stderr // also for those who have kept it
	runtime.GOMAXPROCS(1)   // so that Gosched lets go on whatever a line has woken
	lines := bufio.NewReader(os.Stdin)
	for line, err := "", error(nil); err == nil && !s.ended; {
		line, err = lines.ReadString('\n')
		s.Lock() // whoever has just written runs again, perhaps to wait for this line
		s.Unlock()
		s.respond(nil, func() any { return s.take(strings.Trim(line, " \t\r\n"), len(line)) })
		for n := 0; n < 8; n++ { // once would do, if the scheduler were not so fair
			runtime.Gosched()
		}
	}
	os.Exit(0)
}

var resultField = map[string]string{"build": "handle", "inspect": "context", "compact": "handle", "cut": "kept",
	"measure": "units", "units": "units", "groups": "groups", "diagnose": "diagnostics", "boundary": "boundary"}

type server struct {
	declaration              object
	methods                  Methods
	initialized, ended       bool
	live, running, questions sync.Map
	issued                   atomic.Int64
	sync.Mutex               // for the output
	output                   os.File
}

func (s *server) send(line object) {
	line["jsonrpc"] = "2.0"
	text, err := json.Marshal(line)
	must(err == nil, err)
	s.Lock()
	defer s.Unlock()
	_, _ = s.output.Write(append(text, '\n'))
}

// respond answers with what the call returns, if it is something, or with what it panics with.
func (s *server) respond(id json.RawMessage, call func() any) {
	defer func() {
		var known *fault
		thrown := recover()
		if err, _ := thrown.(error); thrown != nil && !errors.As(err, &known) {
			fmt.Fprintf(os.Stderr, "%v\n%s", thrown, debug.Stack())
			known = &fault{-32603, fmt.Sprint(thrown), nil}
		}
		if known != nil {
			s.send(object{"id": id, "error": known})
		}
	}()
	if result := call(); result != nil {
		s.send(object{"id": id, "result": result})
	}
}

// take does what a line says. It returns nothing, since requests are answered by themselves.
func (s *server) take(line string, size int) any {
	message, method, syntax := fields{}, "", &json.SyntaxError{}
	if line == "" {
		return nil
	}
	must(size <= 16<<20+1, &fault{-32600, "a line over 16 MiB", nil})
	err := json.Unmarshal([]byte(line), &message)
	must(utf8.ValidString(line) && !errors.As(err, &syntax), &fault{-32700, "no JSON in UTF-8", nil})
	id, name, params := message["id"], message["method"], fields{}
	asks := json.Unmarshal(name, &method) == nil && (id == nil || id[0] == '"' || strings.Trim(string(id), "-0123456789") == "")
	answers := name == nil && (message["result"] != nil || message["error"] != nil)
	must(err == nil && string(message["jsonrpc"]) == `"2.0"` && (asks || answers), &fault{-32600, "no message of JSON-RPC 2.0", nil})
	if answers {
		if hear, open := s.questions.LoadAndDelete(string(id)); open {
			hear.(func(fields))(message)
		}
	} else if asks && id != nil {
		s.respond(id, func() any {
			return s.result(method, &Call{server: s, id: id, params: get(message, "params", fields{})})
		})
	} else if method == "cancel" && json.Unmarshal(message["params"], &params) == nil {
		if running, known := s.running.Load(string(params["compaction"])); known {
			running.(*Call).cancel()
		}
	}
	return nil
}

func (s *server) result(method string, call *Call) any {
	must((method == "initialize") != s.initialized, &fault{-32600, "`initialize` comes first, and once", nil})
	offered, field, handle := s.methods[method], resultField[method], ""
	switch method {
	case "initialize":
		versions := fmt.Sprintf("%q", get[[]any](call.params, "protocolVersions"))
		must(strings.Contains(versions, `"1"`), &fault{-32602, "this adapter speaks version 1", nil})
		s.initialized = true
		return s.declaration
	case "inspect", "release", "compact":
		handle = get[string](call.params, "handle")
		live, known := s.live.Load(handle)
		must(known, Refusal("unknown-handle"))
		call.Live = live
	}
	if method == "release" || method == "shutdown" {
		s.live.Delete(handle)
		s.ended = method == "shutdown"
		return object{}
	}
	must(offered != nil && field != "", &fault{-32601, "this adapter has no method `" + method + "`", nil})
	if method == "compact" {
		call.compact(offered, handle)
		return nil
	}
	if method == "cut" {
		get[uint64](call.params, "budget") // of another type it is a fault of the runner, and nothing that is unsupported
	}
	if stray := os.Getenv("SEAMCHECK_STRAY"); stray != "" {
		fmt.Println(stray) // so that a test of the kit sees where prints go
	}
	value, err := offered(call)
	must(err == nil, err)
	if method == "build" {
		value = s.issue(value)
	}
	result := object{field: value}
	if native := s.methods["native"]; method == "inspect" && native != nil {
		result["native"], err = native(call)
		must(err == nil, err)
	}
	return result
}

func (s *server) issue(live any) string {
	handle := fmt.Sprint("h", s.issued.Add(1))
	s.live.Store(handle, live)
	return handle
}

// compact starts a compaction, which answers by itself when it ends.
func (call *Call) compact(method func(*Call) (any, error), handle string) {
	s, key := call.server, string(call.id)
	payload(call.params, "options")
	call.atLook = int64(get(call.params, "cancelAtLook", ^uint32(0))) // no compaction looks so often
	call.Context, call.cancel = context.WithCancel(context.Background())
	if get(call.params, "cancelled", false) {
		call.cancel()
	}
	if call.params["summarizer"] != nil {
		call.script = call.acting(fields{"result": call.params["summarizer"]})
		must(call.broken == nil, call.broken)
	}
	_, twice := s.running.LoadOrStore(key, call)
	must(!twice, &fault{-32600, "a compaction of this id is running", nil})
	go s.respond(call.id, func() any {
		defer s.running.Delete(key)
		value, err := method(call)
		if known := (*fault)(nil); errors.As(err, &known) && known.Data != nil {
			known.Data["looks"] = call.looks.Load()
		}
		must(call.broken == nil, call.broken)
		must(err == nil, err)
		if after, changed := value.(*Compacted); changed {
			return object{"status": "compacted", "handle": s.issue(after.Live), "record": after.Record, "looks": call.looks.Load()}
		}
		return object{"status": "unchanged", "handle": handle, "record": nil, "looks": call.looks.Load()}
	})
}
