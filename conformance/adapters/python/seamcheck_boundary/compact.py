"""Compaction with a summarizer: the families COMPACT, SUMMARY and CANCEL, and the options of SELECT.

The summarizer is called as `summarizer(request, cancellation)`, the request in fresh dicts and lists. It
returns a text, or something that delivers one later: an awaitable of any kind, or a future of
`concurrent.futures`. Python does not flatten awaitables, so one may deliver another.

A cancellation is anything with a method `cancelled()`; each call of it is one look. While a value is awaited,
looks are made at an interval, so that nothing has to be registered with the cancellation.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import inspect
from dataclasses import dataclass
from typing import Optional

from . import model
from .build import ABSENT, MAX_STRING_POINTS, build_context, safe_integer
from .diagnose import diagnose
from .measure import boundary, context_units, summary_units
from .model import Context, Fault, Record, Summary, plain
from .text import is_blank, join_surrogates

MAX_NESTED = 64
MAX_BUDGET_UNITS = 1000000
MAX_RETAINED_MESSAGES = 4096
LOOK_INTERVAL_SECONDS = 0.005


@dataclass(frozen=True)
class SelectOptions:
    """The options of choosing a boundary."""

    target_units: int
    summary_max_units: int
    retain_recent_messages: int


@dataclass(frozen=True)
class CompactOptions:
    """The options of compacting."""

    select: SelectOptions
    max_units: int
    summary_id: str
    record_id: str


@dataclass(frozen=True)
class Compaction:
    """How a compaction ended. When `unchanged`, the context is the very one that went in."""

    status: str
    context: Context
    boundary: Optional[int] = None
    record: Optional[Record] = None


def _number(options, key, minimum):
    value = options.get(key, ABSENT)
    if value is ABSENT:
        raise Fault(model.INVALID_INPUT)
    number = safe_integer(value)
    if number is None or number < minimum:
        raise Fault(model.INVALID_BUDGET)
    return number


def _identifier(options, key):
    value = options.get(key, ABSENT)
    if not isinstance(value, str):
        raise Fault(model.INVALID_INPUT)
    text = join_surrogates(value)
    if len(text) > MAX_STRING_POINTS:
        raise Fault(model.LIMIT_EXCEEDED)
    if is_blank(text):
        raise Fault(model.INVALID_INPUT)
    return text


def read_select_options(options):
    """B-SELECT-1 and B-SELECT-2."""
    if not isinstance(options, dict):
        raise Fault(model.INVALID_INPUT)
    read = SelectOptions(
        _number(options, "targetUnits", 1),
        _number(options, "summaryMaxUnits", 1),
        _number(options, "retainRecentMessages", 0),
    )
    if read.target_units > MAX_BUDGET_UNITS or read.summary_max_units > read.target_units:
        raise Fault(model.INVALID_BUDGET)
    if read.retain_recent_messages > MAX_RETAINED_MESSAGES:
        raise Fault(model.INVALID_BUDGET)
    return read


def read_compact_options(options):
    """B-COMPACT-2."""
    select = read_select_options(options)
    max_units = _number(options, "maxUnits", 1)
    if max_units > MAX_BUDGET_UNITS or select.target_units > max_units:
        raise Fault(model.INVALID_BUDGET)
    return CompactOptions(select, max_units, _identifier(options, "summaryId"), _identifier(options, "recordId"))


def select_boundary(context, options):
    """The boundary under decoded JSON options, or None."""
    read = read_select_options(options)
    return boundary(context, read.target_units, read.summary_max_units, read.retain_recent_messages)


class _Never:
    """A cancellation that is never asked for."""

    def cancelled(self):
        return False


async def compact(context, options, summarizer, cancellation=None):
    """Compacts a built context, in the order of B-COMPACT-1; a Fault on every refusal."""
    cancellation = _Never() if cancellation is None else cancellation
    read = read_compact_options(options)
    units_before = context_units(context)
    if units_before <= read.max_units:
        return Compaction("unchanged", context)
    _look(cancellation)
    if any(record.id == read.record_id for record in context.compactions):
        raise Fault(model.INVALID_INPUT)
    select = read.select
    cut = boundary(context, select.target_units, select.summary_max_units, select.retain_recent_messages)
    if cut is None:
        raise Fault(model.BOUNDARY_UNAVAILABLE)
    request = {
        "requirements": plain(context.requirements),
        "previousSummary": plain(context.summary),
        "messages": plain(context.messages[:cut]),
        "boundary": cut,
        "maxSummaryUnits": select.summary_max_units,
    }
    try:
        value = summarizer(request, cancellation)
    except KeyboardInterrupt:
        raise  # the user's, not the summarizer's
    except BaseException:
        raise Fault(model.SUMMARIZER_FAILED) from None
    text = _judge(await _resolve(value, cancellation), read)
    compaction = _apply(context, read, cut, text, units_before)
    _look(cancellation)
    return compaction


def _look(cancellation):
    if cancellation.cancelled():
        raise Fault(model.CANCELLED)


def _judge(value, read):
    """B-SUMMARY-1 to B-SUMMARY-4."""
    if not isinstance(value, str):
        raise Fault(model.SUMMARY_INVALID)
    text = join_surrogates(str.__str__(value))
    if len(text) > MAX_STRING_POINTS:
        raise Fault(model.LIMIT_EXCEEDED)
    if is_blank(text) or summary_units(read.summary_id, text) > read.select.summary_max_units:
        raise Fault(model.SUMMARY_INSUFFICIENT)
    return text


def _apply(context, read, cut, text, units_before):
    """The new context, checked in the order of B-COMPACT-9."""
    suffix = context.messages[cut:]
    if diagnose(plain(suffix)):
        raise Fault(model.INVALID_TRANSCRIPT)
    summary = Summary(read.summary_id, text)
    view = build_context(plain(Context(context.requirements, summary, suffix, context.compactions)))
    units_after = context_units(view)
    if units_after > read.select.target_units:
        raise Fault(model.SUMMARY_INSUFFICIENT)
    covered = tuple(message.id for message in context.messages[:cut])
    record = Record(read.record_id, read.summary_id, cut, covered, units_before, units_after)
    recorded = Context(view.requirements, view.summary, view.messages, view.compactions + (record,))
    return Compaction("compacted", build_context(plain(recorded)), cut, record)


# Tasks are held here until they settle, since the event loop holds them weakly and a cancelled compaction not at all.
_unsettled = set()


async def _resolve(value, cancellation):
    """Awaits what the summarizer returned, and what that delivers in turn (B-SUMMARY-5 to B-SUMMARY-7)."""
    nested = 0
    while True:
        try:
            _look(cancellation)
            if not _is_deferred(value):
                return value
            if not _is_observable(value):
                raise Fault(model.ASYNC_VALUE_UNOBSERVABLE)
            nested += 1
            if nested > MAX_NESTED:
                raise Fault(model.SUMMARIZER_FAILED)
        except Fault:
            if inspect.iscoroutine(value) and inspect.getcoroutinestate(value) == inspect.CORO_CREATED:
                value.close()  # it never began; closing it says so, and keeps the host from a warning
            raise
        value = await _settled(value, cancellation)


async def _settled(value, cancellation):
    outcome = asyncio.ensure_future(_outcome(value))
    _unsettled.add(outcome)
    outcome.add_done_callback(_unsettled.discard)
    while True:
        done, _ = await asyncio.wait({outcome}, timeout=LOOK_INTERVAL_SECONDS)
        if done:
            break
        _look(cancellation)
    succeeded, value = outcome.result()
    if not succeeded:
        _look(cancellation)
        raise Fault(model.SUMMARIZER_FAILED)
    return value


async def _outcome(value):
    """Whether the value was delivered, and which; a failure, of whatever kind, ends here (B-CANCEL-5)."""
    try:
        if isinstance(value, concurrent.futures.Future):
            value = asyncio.wrap_future(value)
        return True, await value
    except KeyboardInterrupt:
        raise  # the user's, not the summarizer's
    except BaseException:
        return False, None


def _is_deferred(value):
    return isinstance(value, concurrent.futures.Future) or inspect.isawaitable(value)


def _is_observable(value):
    """Python's values that cannot be observed: a future of another event loop, whose callbacks would run
    there, and a coroutine that somebody else has begun to await."""
    if asyncio.isfuture(value):
        return value.get_loop() is asyncio.get_running_loop()
    if inspect.iscoroutine(value):
        return inspect.getcoroutinestate(value) == inspect.CORO_CREATED
    return True
