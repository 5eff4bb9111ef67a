"""Units, groups and the boundary: the families UNIT, ROUND and SELECT (the options are read in `compact`)."""

from .model import AssistantMessage, JsonObject, ToolCall, ToolResult
from .text import number_text


def json_units(value):
    """The cost of a value inside `arguments` (B-UNIT-7 to B-UNIT-9)."""
    if value is None:
        return 1
    if value is True:
        return 5
    if value is False:
        return 6
    if isinstance(value, str):
        return 1 + len(value)
    if isinstance(value, tuple):
        return 2 + sum(1 + json_units(member) for member in value)
    if isinstance(value, JsonObject):
        return 2 + sum(1 + len(key) + json_units(member) for key, member in value.members)
    return 1 + len(number_text(value))


def block_units(block):
    """The cost of a text block or tool-call block."""
    if isinstance(block, ToolCall):
        return 6 + len(block.id) + len(block.name) + json_units(block.arguments)
    return 2 + len(block.text)


def message_units(message):
    """The cost of a message (B-UNIT-3 to B-UNIT-6)."""
    if isinstance(message, AssistantMessage):
        return 4 + len(message.id) + sum(map(block_units, message.content))
    if isinstance(message, ToolResult):
        lengths = len(message.id) + len(message.tool_call_id) + len(message.tool_name) + len(message.content)
        return 6 + lengths + 1
    return 4 + len(message.id) + len(message.content)


def requirements_units(requirements):
    """The cost of all requirements (B-UNIT-1)."""
    return sum(3 + len(item.id) + len(item.content) for item in requirements)


def summary_units(summary_id, content):
    """The cost of a summary (B-UNIT-2)."""
    return 5 + len(summary_id) + len(content)


def context_units(context):
    """The cost of the whole context (B-UNIT-10)."""
    summary = context.summary
    return (
        requirements_units(context.requirements)
        + (0 if summary is None else summary_units(summary.id, summary.content))
        + sum(map(message_units, context.messages))
    )


def groups(messages):
    """The groups `(kind, start, end)` of a valid transcript, end exclusive (ROUND)."""
    result_ends = {}
    for index, message in enumerate(messages):
        if isinstance(message, ToolResult):
            result_ends[message.tool_call_id] = index + 1
    found, start = [], 0
    while start < len(messages):
        # A group grows while a message inside it opens a round that reaches beyond its end.
        kind, end, at = "message", start + 1, start
        while at < end:
            message = messages[at]
            if isinstance(message, AssistantMessage):
                for block in message.content:
                    if isinstance(block, ToolCall):
                        kind = "toolRound"
                        end = max(end, result_ends[block.id])
            at += 1
        found.append((kind, start, end))
        start = end
    return found


def boundary(context, target_units, summary_max_units, retain_recent_messages):
    """The earliest safe boundary that fits, or None (B-SELECT-3 to B-SELECT-5)."""
    latest = len(context.messages) - retain_recent_messages
    if latest <= 0:
        return None
    kept = sum(map(message_units, context.messages))
    reserved = requirements_units(context.requirements) + summary_max_units
    for _, start, end in groups(context.messages):
        if end > latest:
            return None
        kept -= sum(map(message_units, context.messages[start:end]))
        if reserved + kept <= target_units:
            return end
    return None
