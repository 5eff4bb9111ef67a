"""The message IR (section 2), the error codes (section 3.3), and what keeps contexts from changing (STATE).

Every object is frozen and holds tuples only; `plain` makes fresh dicts and lists of it, so nobody is ever
handed a part of a context that could be changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Tuple, Union

INVALID_INPUT = "CONTEXT_INVALID_INPUT"
INVALID_TRANSCRIPT = "CONTEXT_INVALID_TRANSCRIPT"
LIMIT_EXCEEDED = "CONTEXT_LIMIT_EXCEEDED"
INVALID_BUDGET = "CONTEXT_INVALID_BUDGET"
SUMMARY_INVALID = "CONTEXT_SUMMARY_INVALID"
SUMMARY_INSUFFICIENT = "CONTEXT_SUMMARY_INSUFFICIENT"
BOUNDARY_UNAVAILABLE = "CONTEXT_BOUNDARY_UNAVAILABLE"
SUMMARIZER_FAILED = "CONTEXT_SUMMARIZER_FAILED"
ASYNC_VALUE_UNOBSERVABLE = "CONTEXT_ASYNC_VALUE_UNOBSERVABLE"
CANCELLED = "CONTEXT_CANCELLED"


class Fault(Exception):
    """A refusal with one of the ten codes."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class JsonObject:
    """An object inside `arguments`. Arrays are tuples there, numbers floats."""

    members: Tuple[Tuple[str, Any], ...]


@dataclass(frozen=True)
class Requirement:
    id: str
    content: str


@dataclass(frozen=True)
class Summary:
    id: str
    content: str


@dataclass(frozen=True)
class TextBlock:
    text: str


@dataclass(frozen=True)
class ToolCall:
    id: str
    name: str
    arguments: JsonObject


@dataclass(frozen=True)
class UserMessage:
    id: str
    content: str


@dataclass(frozen=True)
class AssistantMessage:
    id: str
    content: Tuple[Union[TextBlock, ToolCall], ...]


@dataclass(frozen=True)
class ToolResult:
    id: str
    tool_call_id: str
    tool_name: str
    content: str
    is_error: bool


Message = Union[UserMessage, AssistantMessage, ToolResult]


@dataclass(frozen=True)
class Record:
    id: str
    summary_id: str
    boundary: int
    compacted_message_ids: Tuple[str, ...]
    units_before: int
    units_after: int


@dataclass(frozen=True)
class Context:
    requirements: Tuple[Requirement, ...] = ()
    summary: Optional[Summary] = None
    messages: Tuple[Message, ...] = ()
    compactions: Tuple[Record, ...] = ()


def plain(value):
    """A fresh copy in dicts and lists, in the form of section 2. Recursion is bounded: arguments nest 32 deep."""
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, JsonObject):
        return {key: plain(item) for key, item in value.members}
    if isinstance(value, (Requirement, Summary)):
        return {"id": value.id, "content": value.content}
    if isinstance(value, UserMessage):
        return {"id": value.id, "role": "user", "content": value.content}
    if isinstance(value, AssistantMessage):
        return {"id": value.id, "role": "assistant", "content": plain(value.content)}
    if isinstance(value, ToolResult):
        return {
            "id": value.id,
            "role": "toolResult",
            "toolCallId": value.tool_call_id,
            "toolName": value.tool_name,
            "content": value.content,
            "isError": value.is_error,
        }
    if isinstance(value, TextBlock):
        return {"type": "text", "text": value.text}
    if isinstance(value, ToolCall):
        return {"type": "toolCall", "id": value.id, "name": value.name, "arguments": plain(value.arguments)}
    if isinstance(value, Record):
        return {
            "id": value.id,
            "summaryId": value.summary_id,
            "boundary": value.boundary,
            "compactedMessageIds": list(value.compacted_message_ids),
            "unitsBefore": value.units_before,
            "unitsAfter": value.units_after,
        }
    if isinstance(value, Context):
        return {
            "requirements": plain(value.requirements),
            "summary": plain(value.summary),
            "messages": plain(value.messages),
            "compactions": plain(value.compactions),
        }
    return value
