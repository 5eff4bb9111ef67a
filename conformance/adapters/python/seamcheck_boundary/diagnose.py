"""Reports on messages that may be broken in any way: the family LINK.

Nothing here has a limit (B-LINK-8): the search for infinite numbers is a loop, so depth costs no stack.
"""

import math

from .text import is_blank

_ROLES = ("user", "assistant", "toolResult")


def is_number(value):
    """Whether a decoded JSON value is a number; Python's booleans are integers, JSON's are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def as_float(number):
    """The binary64 number nearest to it, infinite where it is too large."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _named(holder, key):
    value = holder.get(key)
    return isinstance(value, str) and not is_blank(value)


def _all_finite(value):
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
        elif is_number(item) and not math.isfinite(as_float(item)):
            return False
    return True


class _Inspection:
    """What is known after reading the messages once."""

    def __init__(self):
        self.reports = []
        self.calls = {}  # id -> [(message index, name)] of the sound calls, in order
        self.results = {}  # call id -> [(message index, name)] of the valid results, in order
        self.call_order = []  # (id, message index) of every sound call
        self.broken_calls = set()  # usable ids of malformed calls
        self.broken_results = set()  # usable call ids of malformed results

    def report(self, code, index):
        self.reports.append([code, index])

    def message(self, index, message):
        readable = isinstance(message, dict) and _named(message, "id") and message.get("role") in _ROLES
        if not readable:
            self.report("INVALID_MESSAGE", index)
        elif message["role"] == "user":
            if not isinstance(message.get("content"), str):
                self.report("INVALID_MESSAGE", index)
        elif message["role"] == "toolResult":
            self.result(index, message)
        elif not isinstance(message.get("content"), list):
            self.report("INVALID_MESSAGE", index)
        else:
            for block in message["content"]:
                self.block(index, block)

    def block(self, index, block):
        if isinstance(block, dict) and block.get("type") == "toolCall":
            self.call(index, block)
        elif not (isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)):
            self.report("INVALID_MESSAGE", index)

    def call(self, index, block):
        usable, sound = _named(block, "id"), True
        if not usable:
            sound = False
            self.report("INVALID_MESSAGE", index)
        if not _named(block, "name"):
            sound = False
            self.report("EMPTY_TOOL_NAME", index)
        arguments = block.get("arguments")
        if not isinstance(arguments, dict) or not _all_finite(arguments):
            sound = False
            self.report("INVALID_TOOL_ARGUMENTS", index)
        if sound:
            if block["id"] in self.calls:
                self.report("DUPLICATE_TOOL_CALL_ID", index)
            self.calls.setdefault(block["id"], []).append((index, block["name"]))
            self.call_order.append((block["id"], index))
        elif usable:
            self.broken_calls.add(block["id"])

    def result(self, index, message):
        usable, valid = _named(message, "toolCallId"), True
        if not usable:
            valid = False
            self.report("INVALID_MESSAGE", index)
        if not _named(message, "toolName"):
            valid = False
            self.report("EMPTY_TOOL_NAME", index)
        if not isinstance(message.get("content"), str):
            valid = False
            self.report("INVALID_MESSAGE", index)
        if not isinstance(message.get("isError"), bool):
            valid = False
            self.report("INVALID_MESSAGE", index)
        if valid:
            if message["toolCallId"] in self.results:
                self.report("DUPLICATE_TOOL_RESULT", index)
            self.results.setdefault(message["toolCallId"], []).append((index, message["toolName"]))
        elif usable:
            self.broken_results.add(message["toolCallId"])

    def link(self):
        for call_id, results in self.results.items():
            calls = self.calls.get(call_id, ())
            if call_id in self.broken_calls or len(calls) > 1:
                continue
            for index, name in results:
                if not calls:
                    self.report("ORPHAN_TOOL_RESULT", index)
                elif index <= calls[0][0]:
                    self.report("TOOL_RESULT_BEFORE_CALL", index)
                elif name != calls[0][1]:
                    self.report("TOOL_NAME_MISMATCH", index)
        for call_id, call_index in self.call_order:
            if call_id in self.broken_calls or call_id in self.broken_results or len(self.calls[call_id]) > 1:
                continue
            if not any(index > call_index for index, _ in self.results.get(call_id, ())):
                self.report("MISSING_TOOL_RESULT", call_index)


def diagnose(messages):
    """The reports `[code, index]` on any value, in the order of B-LINK-8."""
    if not isinstance(messages, list):
        return [["INVALID_TRANSCRIPT", -1]]
    inspection = _Inspection()
    for index, message in enumerate(messages):
        inspection.message(index, message)
    inspection.link()
    return inspection.reports
