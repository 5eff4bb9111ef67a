"""A correct trimmer in a few lines, served at the level `cut`: keeps the newest messages, never half of a pair."""

import json

import seamcheck_kit


def spans(messages):
    """(call, result) for every pair, by index. The span of a call that waits for its result reaches past the end."""
    waiting, found = {}, []
    for index, message in enumerate(messages):
        if "id" not in message or message["role"] not in ("user", "assistant", "toolResult"):
            raise KeyError("a message of another form")
        if message["role"] == "toolResult" and waiting.get(message["toolCallId"]):
            found.append((waiting[message["toolCallId"]].pop(), index))
        elif message["role"] == "assistant":
            for block in message["content"]:
                if block["type"] == "toolCall":
                    waiting.setdefault(block["id"], []).append(index)
    return found + [(call, len(messages)) for calls in waiting.values() for call in calls]


class Trimmer:
    capabilities = {"measure": True, "keeps": "suffix"}
    declaration = {"name": "example-trimmer", "version": "1.0.0", "levels": ["cut"], "capabilities": capabilities}

    def measure(self, messages):
        return sum(len(json.dumps(message)) for message in messages)

    def cut(self, messages, budget):
        try:
            pairs, units, start = spans(messages), self.measure(messages), 0
        except (KeyError, TypeError):  # messages of another form than that of the spec
            raise seamcheck_kit.Refusal("unsupported") from None
        while start < len(messages) and (units > budget or any(call < start <= result for call, result in pairs)):
            units -= self.measure([messages[start]])
            start += 1
        return [{"index": at, "id": messages[at]["id"], "message": messages[at]} for at in range(start, len(messages))]


if __name__ == "__main__":
    seamcheck_kit.serve(Trimmer())
