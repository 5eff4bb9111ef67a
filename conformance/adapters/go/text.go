package seamcheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

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
