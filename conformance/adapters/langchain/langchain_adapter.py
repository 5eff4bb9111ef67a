"""Serves `trim_messages(strategy="last")` of langchain-core at the level `cut`.

    .venv/bin/python langchain_adapter.py [--start-on human]

Text blocks of an assistant message become its content, tool calls its `tool_calls`. A message in which a text stands
after a call has no such form; it is answered `unsupported`, and so is whatever does not come back as it went in.
"""

import argparse
import importlib.metadata
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

import seamcheck_kit  # noqa: E402
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage, trim_messages  # noqa: E402

MARKER = "seamcheck_index"
UNITS_PER_MESSAGE = 4
FIELDS = {
    "user": ("id", "role", "content"),
    "assistant": ("id", "role", "content"),
    "toolResult": ("id", "role", "toolCallId", "toolName", "content", "isError"),
    "text": ("type", "text"),
    "toolCall": ("type", "id", "name", "arguments"),
}


def without_unknown_fields(message):
    known = {field: message[field] for field in FIELDS[message["role"]]}
    if message["role"] == "assistant":
        known["content"] = [{field: block[field] for field in FIELDS[block["type"]]} for block in message["content"]]
    return known


def to_langchain(index, message):
    common = {"id": message["id"], "additional_kwargs": {MARKER: index}}
    if message["role"] == "user":
        return HumanMessage(content=message["content"], **common)
    if message["role"] == "toolResult":
        return ToolMessage(
            content=message["content"],
            tool_call_id=message["toolCallId"],
            name=message["toolName"],
            status="error" if message["isError"] else "success",
            **common,
        )
    kinds = [block["type"] for block in message["content"]]
    if kinds != sorted(kinds):  # "text" sorts before "toolCall"
        raise ValueError("a text after a call")
    return AIMessage(
        content=[{"type": "text", "text": block["text"]} for block in message["content"] if block["type"] == "text"],
        tool_calls=[
            {"type": "tool_call", "id": block["id"], "name": block["name"], "args": block["arguments"]}
            for block in message["content"]
            if block["type"] == "toolCall"
        ],
        **common,
    )


def from_langchain(message):
    if isinstance(message, HumanMessage):
        return {"id": message.id, "role": "user", "content": message.content}
    if isinstance(message, ToolMessage):
        return {
            "id": message.id,
            "role": "toolResult",
            "toolCallId": message.tool_call_id,
            "toolName": message.name,
            "content": message.content,
            "isError": message.status == "error",
        }
    texts = [{"type": "text", "text": block["text"]} for block in message.content]
    calls = [
        {"type": "toolCall", "id": call["id"], "name": call["name"], "arguments": call["args"]}
        for call in message.tool_calls
    ]
    return {"id": message.id, "role": "assistant", "content": texts + calls}


def count(messages):
    """The measure of this adapter: the characters of the contents and of the arguments, and a constant per message."""
    units = 0
    for message in messages:
        units += UNITS_PER_MESSAGE
        if isinstance(message.content, str):
            units += len(message.content)
        else:
            units += sum(len(block["text"]) for block in message.content)
        for call in getattr(message, "tool_calls", ()):
            units += len(call["name"]) + len(json.dumps(call["args"]))
    return units


class LangChainTrimmer:
    def __init__(self, start_on):
        self.start_on = start_on
        self.declaration = {
            "name": "langchain-core trim_messages" + (" start_on=" + start_on if start_on else ""),
            "version": importlib.metadata.version("langchain-core"),
            "levels": ["cut"],
            "capabilities": {"measure": True, "keeps": "suffix"},
        }

    def convert(self, messages):
        try:
            known = [without_unknown_fields(message) for message in messages]
            converted = [to_langchain(index, message) for index, message in enumerate(known)]
            expressible = [from_langchain(message) for message in converted] == known
        except (KeyError, TypeError, ValueError):  # pydantic's ValidationError is a ValueError
            expressible = False
        if not expressible:
            raise seamcheck_kit.Refusal("unsupported")
        return converted

    def measure(self, messages):
        return count(self.convert(messages))

    def cut(self, messages, budget):
        given = self.convert(messages)
        places = {id(message): index for index, message in enumerate(given)}
        kept = trim_messages(given, strategy="last", max_tokens=budget, token_counter=count, start_on=self.start_on)
        return [
            {
                "index": places.get(id(message), message.additional_kwargs.get(MARKER, len(given))),
                "id": message.id,
                "message": from_langchain(message),
            }
            for message in kept
        ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--start-on", choices=["human", "ai", "tool"], help="the option start_on of trim_messages")
    seamcheck_kit.serve(LangChainTrimmer(parser.parse_args().start_on))
