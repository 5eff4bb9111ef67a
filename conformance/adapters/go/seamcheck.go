// Package seamcheck serves a Go implementation over the fixture protocol, version 1. One file, the standard library of
// Go 1.19 or later; copy it freely. README.md beside it says more. For texts with lone surrogates there is text.go.
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
	"unicode/utf8"
)

// Methods are what the implementation offers, by the names of the protocol. Each returns what stands in its result;
// `compact` returns a *Compacted, or nil if the context stays as it is. An error that is no Refusal is a breakdown.
type Methods map[string]func(call *Call) (any, error)

// Compacted is a new live context and its record.
type Compacted struct{ Live, Record any }

// Refusal is how an implementation says no: one of the ten codes, "unsupported" or "refused".
func Refusal(code string) error { return &fault{-32000, code, object{"code": code}} }

// Call is one request. That of `compact` is the cancellation too: a call of its Err is a look.
type Call struct {
	context.Context
	Live   any // the context that `inspect`, `native` and `compact` are about
	server *server
	id     json.RawMessage
	params fields
	cancel context.CancelFunc
	looks  uint64
	atLook *uint64
	script action
	broken error // a fault of the protocol, which must not pass for one of the summarizer
}

// Read reads a parameter: a payload such as "messages", or "budget". What the type cannot hold is unsupported.
func (call *Call) Read(name string, into any) {
	must(json.Unmarshal(payload(call.params, name), into) == nil, Refusal("unsupported"))
}

// Err is a look at the cancellation.
func (call *Call) Err() error {
	call.server.Lock()
	defer call.server.Unlock()
	if call.atLook != nil && call.looks == *call.atLook {
		call.cancel()
	}
	call.looks++
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
	answers, id := make(chan action, 1), s.next("s")
	line["id"] = id
	s.questions.Store(id, question{call, answers})
	defer s.questions.Delete(id)
	s.send(line)
	return wait(ctx, answers)
}

// Serve answers on standard input and output until `shutdown` or the end of the input, and ends the program. The
// declaration is the result of `initialize`: name, version, levels, capabilities, maxInFlight.
func Serve(declaration map[string]any, methods Methods) {
	s := &server{declaration: object{"protocolVersion": "1", "language": "Go", "profiles": []string{"boundary"}}, methods: methods, output: *os.Stdout}
	for name, value := range declaration {
		s.declaration[name] = value
	}
	*os.Stdout = *os.Stderr // also for those who have kept it
	runtime.GOMAXPROCS(1)   // so that Gosched lets go on whatever a line has woken
	lines := bufio.NewReaderSize(os.Stdin, 1<<16)
	for err := error(nil); err == nil && !s.ended; runtime.Gosched() {
		var line, part []byte
		for part, err = lines.ReadSlice('\n'); err == bufio.ErrBufferFull; part, err = lines.ReadSlice('\n') {
			if len(line) <= maxLine {
				line = append(line, part...)
			}
		}
		line = append(line, part...)
		s.respond(nil, func() any { return s.take(strings.TrimSuffix(string(line), "\n")) })
	}
	os.Exit(0)
}

const maxLine = 16 << 20

var resultField = map[string]string{"build": "handle", "inspect": "context", "compact": "handle", "cut": "kept",
	"measure": "units", "units": "units", "groups": "groups", "diagnose": "diagnostics", "boundary": "boundary"}

type (
	object   = map[string]any
	fields   map[string]json.RawMessage // no struct, which would take "ID" for "id"
	action   func(ctx context.Context) (json.RawMessage, error)
	question struct {
		*Call
		answers chan action
	}
	fault struct { // an error object of JSON-RPC; the kit panics with it, and respond catches it
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    object `json:"data,omitempty"`
	}
	server struct {
		declaration              object
		methods                  Methods
		initialized, ended       bool
		live, running, questions sync.Map
		sync.Mutex               // for all below, and the looks
		output                   os.File
		issued                   int
	}
)

func (f *fault) Error() string { return f.Message }

func must(holds bool, otherwise error) {
	if !holds {
		panic(otherwise)
	}
}

func get[T any](from fields, name string, otherwise ...T) (value T) {
	raw, there := from[name]
	if !there && len(otherwise) > 0 {
		return otherwise[0]
	}
	must(there && json.Unmarshal(raw, &value) == nil && raw[0] != 'n', &fault{-32602, "`" + name + "` is absent or of a wrong type", nil})
	return value
}

func payload(from fields, name string) json.RawMessage {
	raw, inner, text := from[name], fields{}, ""
	must(raw != nil, &fault{-32602, "`" + name + "` is absent", nil})
	if raw[0] == '{' && json.Unmarshal(raw, &inner) == nil && len(inner) == 1 && json.Unmarshal(inner["json"], &text) == nil {
		must(json.Unmarshal([]byte(text), &raw) == nil, Refusal("not-json"))
	}
	return raw
}

// key is an id, however it is spelled.
func key(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) == nil {
		return text
	}
	return "number " + string(id)
}

func wait(ctx context.Context, answers chan action) (json.RawMessage, error) {
	select {
	case act := <-answers:
		return act(ctx)
	case <-ctx.Done():
		return nil, context.Canceled // ctx.Err would be a look
	}
}

// acting is what the summarizer is to do when it is called.
func (call *Call) acting(answer fields) action {
	kind, cancel, value := get[string](answer, "kind"), get(answer, "cancel", false), answer["text"]
	failure := errors.New(get(answer, "message", ""))
	switch kind {
	case "text":
		get[string](answer, "text")
	case "value":
		value = payload(answer, "value")
	case "throw", "reject", "panic", "pending":
	default:
		panic(&fault{-32602, "Go has no answer of the kind " + kind, nil})
	}
	return func(ctx context.Context) (json.RawMessage, error) {
		if cancel {
			call.cancel()
		}
		switch kind {
		case "throw", "reject":
			return nil, failure
		case "panic":
			panic(failure)
		case "pending":
			return wait(ctx, nil)
		}
		return value, nil
	}
}

func (s *server) next(letter string) string {
	s.Lock()
	defer s.Unlock()
	s.issued++
	return fmt.Sprint(letter, s.issued)
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
func (s *server) take(line string) any {
	message, method, syntax := fields{}, "", &json.SyntaxError{}
	if strings.Trim(line, " \t\r\n") == "" {
		return nil
	}
	must(len(line) <= maxLine, &fault{-32600, "a line over 16 MiB", nil})
	err := json.Unmarshal([]byte(line), &message)
	must(utf8.ValidString(line) && !errors.As(err, &syntax), &fault{-32700, "no JSON in UTF-8", nil})
	id, asks := message["id"], message["method"] != nil
	number := json.Number("")
	sound := err == nil && string(message["jsonrpc"]) == `"2.0"`
	if asks {
		sound = sound && json.Unmarshal(message["method"], &method) == nil && (id == nil || json.Unmarshal(id, &number) == nil || id[0] == '"')
	} else {
		sound = sound && (message["result"] != nil || message["error"] != nil)
	}
	must(sound, &fault{-32600, "no message of JSON-RPC 2.0", nil})
	switch {
	case !asks:
		if open, known := s.questions.LoadAndDelete(key(id)); known {
			open.(question).hear(message)
		}
	case id != nil:
		s.respond(id, func() any {
			return s.result(method, &Call{server: s, id: id, params: get(message, "params", fields{})})
		})
	case method == "cancel":
		_ = json.Unmarshal(message["params"], &message)
		if running, known := s.running.Load(key(message["compaction"])); known {
			running.(*Call).cancel()
		}
	}
	return nil
}

// hear hands on an answer. One that cannot be read ends the compaction.
func (q question) hear(message fields) {
	defer func() {
		if thrown := recover(); thrown != nil {
			q.broken = &fault{-32602, fmt.Sprint("an answer that cannot be read: ", thrown), nil}
			q.answers <- func(context.Context) (json.RawMessage, error) { return nil, q.broken }
		}
	}()
	if failed, there := message["error"]; there {
		message["result"], _ = json.Marshal(object{"kind": "reject", "message": string(failed)})
	}
	q.answers <- q.acting(get[fields](message, "result"))
}

func (s *server) result(method string, call *Call) any {
	must((method == "initialize") != s.initialized, &fault{-32600, "`initialize` comes first, and once", nil})
	handle := ""
	switch method {
	case "initialize":
		versions := fmt.Sprintf("%q", get[[]any](call.params, "protocolVersions"))
		must(strings.Contains(versions, `"1"`), &fault{-32602, "this adapter speaks version 1", nil})
		s.initialized = true
		return s.declaration
	case "shutdown":
		s.ended = true
		return object{}
	case "inspect", "release", "compact":
		handle = get[string](call.params, "handle")
		live, known := s.live.Load(handle)
		must(known, Refusal("unknown-handle"))
		call.Live = live
	}
	if method == "release" {
		s.live.Delete(handle)
		return object{}
	}
	offered, field := s.methods[method], resultField[method]
	must(offered != nil && field != "", &fault{-32601, "this adapter has no method `" + method + "`", nil})
	if method == "compact" {
		call.compact(offered, handle)
		return nil
	}
	value, err := offered(call)
	must(err == nil, err)
	result := object{field: value}
	if native := s.methods["native"]; method == "inspect" && native != nil {
		result["native"], err = native(call)
		must(err == nil, err)
	} else if method == "build" {
		result[field] = s.issue(value)
	}
	return result
}

func (s *server) issue(live any) string {
	handle := s.next("h")
	s.live.Store(handle, live)
	return handle
}

// compact starts a compaction, which answers by itself when it ends.
func (call *Call) compact(method func(*Call) (any, error), handle string) {
	s := call.server
	payload(call.params, "options")
	call.atLook = get[*uint64](call.params, "cancelAtLook", nil)
	call.Context, call.cancel = context.WithCancel(context.Background())
	if get(call.params, "cancelled", false) {
		call.cancel()
	}
	if call.params["summarizer"] != nil {
		call.script = call.acting(get[fields](call.params, "summarizer"))
	}
	_, twice := s.running.LoadOrStore(key(call.id), call)
	must(!twice, &fault{-32600, "a compaction of this id is running", nil})
	go s.respond(call.id, func() any {
		defer s.running.Delete(key(call.id))
		value, err := method(call)
		var known *fault
		if errors.As(err, &known) && known.Data != nil {
			known.Data["looks"] = call.looks
		}
		must(call.broken == nil, call.broken)
		must(err == nil, err)
		if value == nil {
			return object{"status": "unchanged", "handle": handle, "record": nil, "looks": call.looks}
		}
		after := value.(*Compacted)
		return object{"status": "compacted", "handle": s.issue(after.Live), "record": after.Record, "looks": call.looks}
	})
}
