package seamcheck

// Parameters, answers of the summarizer, errors and texts of the kit in seamcheck.go.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

type object = map[string]any

// fault is an error object of JSON-RPC. The kit panics with it, and respond catches it.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    object `json:"data,omitempty"`
}

// Refusal is how an implementation says no: one of the ten codes, "unsupported" or "refused".
func Refusal(code string) error { return &fault{-32000, code, object{"code": code}} }

// fields is an object that is read field by field: a struct would take "ID" for "id".
type fields map[string]json.RawMessage

func (f *fault) Error() string { return f.Message }

// must panics otherwise.
func must(holds bool, otherwise error) {
	if !holds {
		panic(otherwise)
	}
}

// get reads a field of an envelope, which must be there unless there is another value for it.
func get[T any](from fields, name string, otherwise ...T) (value T) {
	raw, there := from[name]
	if !there && len(otherwise) > 0 {
		return otherwise[0]
	}
	sound := there && json.Unmarshal(raw, &value) == nil && raw[0] != 'n'
	must(sound, &fault{-32602, "`" + name + "` is absent or of a wrong type", nil})
	return value
}

// payload is a payload in either of its forms.
func payload(from fields, name string) json.RawMessage {
	raw, inner, text := from[name], fields{}, ""
	must(raw != nil, &fault{-32602, "`" + name + "` is absent", nil})
	if json.Unmarshal(raw, &inner) == nil && len(inner) == 1 && json.Unmarshal(inner["json"], &text) == nil {
		must(json.Unmarshal([]byte(text), &raw) == nil, Refusal("not-json"))
	}
	return raw
}

type action func(ctx context.Context) (json.RawMessage, error)

// wait acts out what comes before ctx is done.
func wait(ctx context.Context, answers chan action) (json.RawMessage, error) {
	select {
	case act := <-answers:
		return act(ctx)
	case <-ctx.Done():
		return nil, context.Canceled // ctx.Err would be a look
	}
}

// acting is what the summarizer is to do when it is called.
func (call *Call) acting(message fields) (act action) {
	defer func() {
		if thrown := recover(); thrown != nil {
			call.broken = &fault{-32602, fmt.Sprint("the answer to `summarize` cannot be read: ", thrown), nil}
			act = func(context.Context) (json.RawMessage, error) { return nil, call.broken }
		}
	}()
	answer := get(message, "result", fields{})
	if message["error"] != nil {
		answer = fields{"kind": []byte(`"reject"`), "message": get[fields](message, "error")["message"]}
	}
	kind, cancel, value := get[string](answer, "kind"), get(answer, "cancel", false), answer["text"]
	failure := errors.New(get(answer, "message", ""))
	switch kind {
	case "text":
		get[string](answer, "text")
	case "value":
		value = payload(answer, "value")
	case "throw", "reject", "panic", "pending":
	default:
		panic("Go has no answer of the kind " + kind)
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

// Text is a string in WTF-8. A lone surrogate, which encoding/json would replace by U+FFFD, is three bytes in it, and
// comes out as the escape that it was. For fields that an implementation keeps as Go strings; a json.RawMessage needs
// no help.
type Text string

var escape = regexp.MustCompile(`\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.`) // a pair, a unit, any other

// UnmarshalJSON reads a JSON string.
func (text *Text) UnmarshalJSON(raw []byte) error {
	if !json.Valid(raw) || raw[0] != '"' {
		return errors.New("not a JSON string")
	}
	*text = Text(escape.ReplaceAllFunc(raw[1:len(raw)-1], func(found []byte) []byte {
		if unit, err := strconv.ParseUint(string(found[2:]), 16, 16); err == nil && unit>>11 == 0xD800>>11 {
			return []byte{0xED, 0x80 | byte(unit>>6&0x3F), 0x80 | byte(unit&0x3F)}
		}
		var plain string
		_ = json.Unmarshal([]byte(`"`+string(found)+`"`), &plain) // a part of what is valid
		return []byte(plain)
	}))
	return nil
}

// MarshalJSON writes a JSON string.
func (text Text) MarshalJSON() ([]byte, error) {
	out := []byte{'"'}
	for n, part := range strings.Split(string(text), "\xED") { // every surrogate starts with this byte
		if n > 0 && len(part) > 1 && part[0] >= 0xA0 {
			out = fmt.Appendf(out, `\u%04x`, 0xD000|int(part[0]&0x3F)<<6|int(part[1]&0x3F))
			part = part[2:]
		} else if n > 0 {
			part = "\xED" + part
		}
		quoted, _ := json.Marshal(part) // no string fails
		out = append(out, quoted[1:len(quoted)-1]...)
	}
	return append(out, '"'), nil
}

// CodePoints counts as the spec does: a lone surrogate is one.
func (text Text) CodePoints() (points int) {
	for at := range []byte(text) {
		if text[at]&0xC0 != 0x80 { // no continuation
			points++
		}
	}
	return points
}
