"""Serves the package `seamcheck_boundary` over the fixture protocol: levels `compact` and `exact`.

    python3 conformance/adapters/python/boundary_adapter.py
"""

import hashlib
import json

import seamcheck_boundary as boundary
import seamcheck_kit
from seamcheck_boundary.compact import select_boundary


def _answering(operation):
    """The operation, with every fault as a refusal of the protocol."""

    def answer(self, *arguments):
        try:
            return operation(self, *arguments)
        except boundary.Fault as fault:
            raise seamcheck_kit.Refusal(fault.code) from None

    return answer


def _dump(value):
    """All that an object holds, attributes that somebody added included."""
    if isinstance(value, tuple):
        return [_dump(item) for item in value]
    if isinstance(value, float):
        return ["number", (value + 0.0).hex()]  # -0.0 equals 0.0
    if hasattr(value, "__dict__"):
        return [type(value).__name__, {name: _dump(item) for name, item in vars(value).items()}]
    return value


class BoundaryAdapter:
    declaration = {
        "name": "seamcheck-boundary-python",
        "version": "1.0.0",
        "levels": ["compact", "exact"],
        "capabilities": {
            "native": True,
            "summarize": "callback",
            "answers": ["text", "value", "throw", "reject", "panic", "chain", "unobservable", "pending"],
            "cancel": ["at-look", "in-callback"],
        },
    }

    @_answering
    def build(self, context):
        return boundary.build_context(context)

    def inspect(self, live):
        return boundary.plain(live)

    def native(self, live):
        return hashlib.sha256(json.dumps(_dump(live), sort_keys=True).encode("ascii")).hexdigest()

    @_answering
    def units(self, context):
        return boundary.context_units(boundary.build_context(context))

    @_answering
    def groups(self, messages):
        return boundary.groups(boundary.read_messages(messages))

    def diagnose(self, messages):
        return boundary.diagnose(messages)

    @_answering
    def boundary(self, context, options):
        return select_boundary(boundary.build_context(context), options)

    async def compact(self, live, options, summarize, cancellation):
        try:
            done = await boundary.compact(live, options, lambda request, _: summarize(request), cancellation)
        except boundary.Fault as fault:
            raise seamcheck_kit.Refusal(fault.code) from None
        return done.status, done.context, boundary.plain(done.record)


if __name__ == "__main__":
    seamcheck_kit.serve(BoundaryAdapter(), read_json=boundary.read_json)
