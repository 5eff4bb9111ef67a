// A correct trimmer in a few lines, served at the level `cut`: keeps the newest messages, never half of a round.
package main

import (
	"encoding/json"

	"seamcheck"
)

type message struct {
	ID, Role, ToolCallID seamcheck.Text
	Content              json.RawMessage
}

// read gives the messages, each as it came too, and whether a call before each one waits for its result there.
func read(call *seamcheck.Call) (raw []json.RawMessage, messages []message, inside []bool) {
	call.Read("messages", &raw)
	call.Read("messages", &messages)
	open, waiting := 0, map[seamcheck.Text]int{}
	for _, message := range messages {
		inside = append(inside, open > 0)
		var blocks []struct{ Type, ID seamcheck.Text }
		known := message.Role == "user" || message.Role == "toolResult"
		if !known && (message.Role != "assistant" || json.Unmarshal(message.Content, &blocks) != nil) {
			panic(seamcheck.Refusal("unsupported")) // messages of another form than that of the spec
		}
		for _, block := range blocks {
			if block.Type == "toolCall" {
				waiting[block.ID], open = waiting[block.ID]+1, open+1
			}
		}
		if message.Role == "toolResult" && waiting[message.ToolCallID] > 0 {
			waiting[message.ToolCallID], open = waiting[message.ToolCallID]-1, open-1
		}
	}
	return raw, messages, inside
}

func units(raw []json.RawMessage) (bytes int) {
	for _, text := range raw {
		bytes += len(text)
	}
	return bytes
}

func cut(call *seamcheck.Call) (any, error) {
	raw, messages, inside := read(call)
	budget, start, kept := 0, 0, []any{}
	call.Read("budget", &budget)
	for start < len(raw) && (units(raw[start:]) > budget || inside[start]) {
		start++
	}
	for at := start; at < len(raw); at++ {
		kept = append(kept, map[string]any{"index": at, "id": messages[at].ID, "message": raw[at]})
	}
	return kept, nil
}

func measure(call *seamcheck.Call) (any, error) {
	raw, _, _ := read(call)
	return units(raw), nil
}

func main() {
	seamcheck.Serve(map[string]any{
		"name": "example-trimmer", "version": "1.0.0", "levels": []string{"cut"},
		"capabilities": map[string]any{"measure": true, "keeps": "suffix"},
	}, seamcheck.Methods{"cut": cut, "measure": measure})
}
