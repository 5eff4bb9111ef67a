// A small compactor, served at the level `compact`: covers all that it may, in units that are bytes of JSON.
package main

import (
	"encoding/json"
	"strings"

	"seamcheck"
)

type text = seamcheck.Text
type session struct {
	Requirements []json.RawMessage `json:"requirements"`
	Summary      json.RawMessage   `json:"summary"`
	Messages     []json.RawMessage `json:"messages"`
	Compactions  []json.RawMessage `json:"compactions"`
}

const blanks = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

func build(call *seamcheck.Call) (any, error) {
	made := session{[]json.RawMessage{}, nil, []json.RawMessage{}, []json.RawMessage{}}
	call.Read("context", &made)
	return made, nil
}

// ask never panics.
func ask(call *seamcheck.Call, request any) (answer json.RawMessage, failed any) {
	defer func() { failed = recover() }()
	answer, err := call.Summarize(call, request)
	if err != nil {
		panic(err)
	}
	return answer, nil
}

func compact(call *seamcheck.Call) (any, error) {
	var options struct {
		MaxUnits, TargetUnits, SummaryMaxUnits, RetainRecentMessages int
		SummaryID, RecordID                                          text
	}
	call.Read("options", &options)
	old := call.Live.(session)
	boundary, ids := boundary(old.Messages, len(old.Messages)-options.RetainRecentMessages)
	switch retained := old.Messages[boundary:]; {
	case len(encode(old)) <= options.MaxUnits:
		return nil, nil
	case call.Err() != nil:
		return nil, seamcheck.Refusal("CONTEXT_CANCELLED")
	case isRecorded(old.Compactions, options.RecordID):
		return nil, seamcheck.Refusal("CONTEXT_INVALID_INPUT")
	case boundary == 0 || len(encode(retained)) > options.TargetUnits-options.SummaryMaxUnits:
		return nil, seamcheck.Refusal("CONTEXT_BOUNDARY_UNAVAILABLE") // an earlier place would retain even more
	}
	answer, failed := ask(call, map[string]any{"requirements": old.Requirements, "previousSummary": old.Summary,
		"messages": old.Messages[:boundary], "boundary": boundary, "maxSummaryUnits": options.SummaryMaxUnits})
	var content text
	switch {
	case call.Err() != nil:
		return nil, seamcheck.Refusal("CONTEXT_CANCELLED")
	case failed != nil:
		return nil, seamcheck.Refusal("CONTEXT_SUMMARIZER_FAILED")
	case json.Unmarshal(answer, &content) != nil:
		return nil, seamcheck.Refusal("CONTEXT_SUMMARY_INVALID")
	case content.CodePoints() > 65536:
		return nil, seamcheck.Refusal("CONTEXT_LIMIT_EXCEEDED")
	case strings.Trim(string(content), blanks) == "":
		return nil, seamcheck.Refusal("CONTEXT_SUMMARY_INSUFFICIENT")
	case call.Err() != nil:
		return nil, seamcheck.Refusal("CONTEXT_CANCELLED")
	}
	record := encode(map[string]any{"id": options.RecordID, "summaryId": options.SummaryID, "boundary": boundary, "compactedMessageIds": ids})
	summary := encode(map[string]any{"id": options.SummaryID, "content": content})
	records := append(append([]json.RawMessage{}, old.Compactions...), record)
	return &seamcheck.Compacted{Live: session{old.Requirements, summary, old.Messages[boundary:], records}, Record: record}, nil
}

func encode(value any) json.RawMessage {
	raw, _ := json.Marshal(value) // nothing here fails: maps, slices, strings and JSON that has been read
	return raw
}

func isRecorded(records []json.RawMessage, id text) bool {
	for _, raw := range records {
		var record struct{ ID text }
		if json.Unmarshal(raw, &record) == nil && record.ID == id {
			return true
		}
	}
	return false
}

// boundary is the last place up to latest with no call before it whose result comes after, and the ids before it.
func boundary(messages []json.RawMessage, latest int) (place int, ids []text) {
	open, all := 0, []text{}
	for at := 0; at < latest; at++ {
		var message struct {
			ID, Role text
			Content  json.RawMessage
		}
		var blocks []struct{ Type text }
		_ = json.Unmarshal(messages[at], &message)
		all = append(all, message.ID)
		if message.Role == "toolResult" {
			open--
		} else if json.Unmarshal(message.Content, &blocks) == nil {
			for _, block := range blocks {
				if block.Type == "toolCall" {
					open++
				}
			}
		}
		if open == 0 {
			place, ids = at+1, all
		}
	}
	return place, ids
}

func main() {
	seamcheck.Serve(map[string]any{
		"name": "example-compactor", "version": "1.0.0", "levels": []string{"compact"}, "maxInFlight": 8,
		"capabilities": map[string]any{
			"answers": []string{"text", "value", "reject", "panic", "pending"}, "cancel": []string{"at-look", "async"}},
	}, seamcheck.Methods{"build": build, "compact": compact,
		"inspect": func(call *seamcheck.Call) (any, error) { return call.Live, nil }})
}
