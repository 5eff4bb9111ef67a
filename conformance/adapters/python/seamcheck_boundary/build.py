"""Reading a context, the first fault first: the families BUILD and LIMIT.

The order of the statements here is the order of B-BUILD-2 to B-BUILD-8; moving one changes which of two
faults is answered.
"""

import math

from .diagnose import as_float, diagnose, is_number
from .jsontext import own_keys
from .measure import context_units
from .model import (
    INVALID_INPUT,
    INVALID_TRANSCRIPT,
    LIMIT_EXCEEDED,
    SUMMARY_INVALID,
    AssistantMessage,
    Context,
    Fault,
    JsonObject,
    Record,
    Requirement,
    Summary,
    TextBlock,
    ToolCall,
    ToolResult,
    UserMessage,
)
from .text import is_blank, join_surrogates

ABSENT = object()
"""Stands for a value that is not there: an absent field of a request, say."""

MAX_REQUIREMENTS = 128
MAX_MESSAGES = 4096
MAX_RECORDS = 256
MAX_RECORD_MESSAGE_IDS = 4096
MAX_DEPTH = 32
MAX_ITEMS = 16384
MAX_STRING_POINTS = 65536
MAX_TOTAL_POINTS = 1000000
MAX_CONTEXT_UNITS = 1000000
MAX_SAFE_INTEGER = 2**53 - 1


def safe_integer(value):
    """The value as an `int` if it is a safe integer (B-BUILD-9), else None."""
    if not is_number(value):
        return None
    number = as_float(value)
    if not math.isfinite(number) or not number.is_integer() or abs(number) > MAX_SAFE_INTEGER:
        return None
    return int(number)


class _Reader:
    """One reading, with its running totals of items and of code points."""

    def __init__(self):
        self.items = 0
        self.points = 0

    def add_items(self, count):
        self.items += count
        if self.items > MAX_ITEMS:
            raise Fault(LIMIT_EXCEEDED)

    def array(self, value, own_limit, code):
        """Steps 1 to 3 of B-BUILD-3."""
        if not isinstance(value, list):
            raise Fault(code)
        if len(value) > own_limit:
            raise Fault(LIMIT_EXCEEDED)
        self.add_items(len(value))
        return value

    def sized(self, value):
        """Steps 2 and 3 of B-BUILD-4."""
        text = join_surrogates(value)
        if len(text) > MAX_STRING_POINTS:
            raise Fault(LIMIT_EXCEEDED)
        self.points += len(text)
        if self.points > MAX_TOTAL_POINTS:
            raise Fault(LIMIT_EXCEEDED)
        return text

    def string(self, value, code, blank_code=None):
        """All steps of B-BUILD-4; without `blank_code` the string may be blank."""
        if not isinstance(value, str):
            raise Fault(code)
        text = self.sized(value)
        if blank_code is not None and is_blank(text):
            raise Fault(blank_code)
        return text

    def field(self, holder, key, code, blank=False):
        return self.string(holder.get(key, ABSENT), code, None if blank else code)

    def requirements(self, value):
        read, seen = [], set()
        for item in self.array(value, MAX_REQUIREMENTS, INVALID_INPUT):
            if not isinstance(item, dict):
                raise Fault(INVALID_INPUT)
            requirement = Requirement(
                self.field(item, "id", INVALID_INPUT),
                self.field(item, "content", INVALID_INPUT),
            )
            if requirement.id in seen:
                raise Fault(INVALID_INPUT)
            seen.add(requirement.id)
            read.append(requirement)
        return tuple(read)

    def summary(self, value):
        if value is None:
            return None
        if not isinstance(value, dict):
            raise Fault(INVALID_INPUT)
        return Summary(
            self.field(value, "id", INVALID_INPUT),
            self.string(value.get("content", ABSENT), INVALID_INPUT, SUMMARY_INVALID),
        )

    def messages(self, value):
        read = [self.message(item) for item in self.array(value, MAX_MESSAGES, INVALID_TRANSCRIPT)]
        if diagnose(value):
            raise Fault(INVALID_TRANSCRIPT)
        return tuple(read)

    def message(self, value):
        if not isinstance(value, dict) or "role" not in value:
            raise Fault(INVALID_TRANSCRIPT)
        message_id, role = self.field(value, "id", INVALID_TRANSCRIPT), value["role"]
        if role == "user":
            return UserMessage(message_id, self.field(value, "content", INVALID_TRANSCRIPT, blank=True))
        if role == "assistant":
            blocks = self.array(value.get("content", ABSENT), MAX_ITEMS, INVALID_TRANSCRIPT)
            return AssistantMessage(message_id, tuple([self.block(block) for block in blocks]))
        if role == "toolResult":
            call_id = self.field(value, "toolCallId", INVALID_TRANSCRIPT)
            name = self.field(value, "toolName", INVALID_TRANSCRIPT)
            content = self.field(value, "content", INVALID_TRANSCRIPT, blank=True)
            if not isinstance(value.get("isError"), bool):
                raise Fault(INVALID_TRANSCRIPT)
            return ToolResult(message_id, call_id, name, content, value["isError"])
        raise Fault(INVALID_TRANSCRIPT)

    def block(self, value):
        if not isinstance(value, dict):
            raise Fault(INVALID_TRANSCRIPT)
        kind = value.get("type", ABSENT)
        if kind == "text":
            return TextBlock(self.field(value, "text", INVALID_TRANSCRIPT, blank=True))
        if kind == "toolCall":
            call_id = self.field(value, "id", INVALID_TRANSCRIPT)
            name = self.field(value, "name", INVALID_TRANSCRIPT)
            arguments = value.get("arguments", ABSENT)
            if not isinstance(arguments, dict):
                raise Fault(INVALID_TRANSCRIPT)
            return ToolCall(call_id, name, self.argument(arguments, 0))
        raise Fault(INVALID_TRANSCRIPT)

    def argument(self, value, depth):
        """A value inside `arguments`. It calls itself, no deeper than the limit of B-LIMIT-4."""
        if depth > MAX_DEPTH:
            raise Fault(LIMIT_EXCEEDED)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.sized(value)
        if is_number(value):
            number = as_float(value)
            if not math.isfinite(number):
                raise Fault(INVALID_TRANSCRIPT)
            return number
        if isinstance(value, list):
            members = self.array(value, MAX_ITEMS, INVALID_TRANSCRIPT)
            return tuple([self.argument(member, depth + 1) for member in members])
        self.add_items(len(value))
        read = {}
        for key in own_keys(value):
            name = self.sized(key)
            read[name] = self.argument(value[key], depth + 1)
        return JsonObject(tuple(read.items()))

    def records(self, value):
        read, seen = [], set()
        for item in self.array(value, MAX_RECORDS, INVALID_INPUT):
            record = self.record(item)
            if record.id in seen:
                raise Fault(INVALID_INPUT)
            seen.add(record.id)
            read.append(record)
        return tuple(read)

    def record(self, value):
        if not isinstance(value, dict):
            raise Fault(INVALID_INPUT)
        record_id = self.field(value, "id", INVALID_INPUT)
        summary_id = self.field(value, "summaryId", INVALID_INPUT)
        boundary = self.integer(value, "boundary", 1)
        units_before = self.integer(value, "unitsBefore", 0)
        units_after = self.integer(value, "unitsAfter", 0)
        ids = self.array(value.get("compactedMessageIds", ABSENT), MAX_RECORD_MESSAGE_IDS, INVALID_INPUT)
        if len(ids) != boundary:
            raise Fault(INVALID_INPUT)
        ids = tuple([self.string(item, INVALID_INPUT, INVALID_INPUT) for item in ids])
        return Record(record_id, summary_id, boundary, ids, units_before, units_after)

    def integer(self, holder, key, minimum):
        number = safe_integer(holder.get(key, ABSENT))
        if number is None or number < minimum:
            raise Fault(INVALID_INPUT)
        return number


def build_context(value):
    """The context of a decoded JSON value, or the Fault that comes first."""
    if not isinstance(value, dict):
        raise Fault(INVALID_INPUT)
    reader = _Reader()
    context = Context(
        requirements=reader.requirements(value.get("requirements", [])),
        summary=reader.summary(value.get("summary")),
        messages=reader.messages(value.get("messages", [])),
        compactions=reader.records(value.get("compactions", [])),
    )
    if context_units(context) > MAX_CONTEXT_UNITS:
        raise Fault(LIMIT_EXCEEDED)
    return context


def read_messages(value):
    """Messages alone, as for `groups` (B-ROUND-4): all limits but the ceiling of the estimate."""
    return _Reader().messages(value)
