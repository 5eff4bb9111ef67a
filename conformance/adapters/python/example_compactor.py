"""A small compactor in asyncio, served at the level `compact`: covers all that it may, in units of its own."""

import asyncio
import json

from example_trimmer import spans
from seamcheck_kit import Refusal, serve


class Compactor:
    answers = ["text", "value", "throw", "reject", "panic", "pending"]
    capabilities = {"answers": answers, "cancel": ["at-look", "async"]}
    declaration = {"name": "example-compactor", "version": "1.0.0", "levels": ["compact"]}
    declaration.update(capabilities=capabilities, maxInFlight=8)

    async def build(self, context):
        try:
            spans(context["messages"])
        except (KeyError, TypeError):  # messages of another form than that of the spec
            raise Refusal("unsupported") from None
        return dict({"requirements": [], "summary": None, "messages": [], "compactions": []}, **context)

    async def inspect(self, live):
        return live

    async def compact(self, live, options, summarize, cancellation):
        messages, pairs = live["messages"], spans(live["messages"])
        cuts = range(1, len(messages) - options["retainRecentMessages"] + 1)
        safe = [cut for cut in cuts if not any(call < cut <= result for call, result in pairs)]
        room = options["targetUnits"] - options["summaryMaxUnits"]
        safe = [cut for cut in safe if len(json.dumps(messages[cut:])) <= room]
        if len(json.dumps(live)) <= options["maxUnits"]:
            return "unchanged", live, None
        self.require(not cancellation.cancelled(), "CONTEXT_CANCELLED")
        recorded = [record["id"] for record in live["compactions"]]
        self.require(options["recordId"] not in recorded, "CONTEXT_INVALID_INPUT")
        self.require(safe, "CONTEXT_BOUNDARY_UNAVAILABLE")
        request = {"requirements": live["requirements"], "previousSummary": live["summary"], "boundary": safe[-1]}
        request.update(messages=messages[: safe[-1]], maxSummaryUnits=options["summaryMaxUnits"])
        text = await self.ask(summarize, request, cancellation)
        self.require(isinstance(text, str), "CONTEXT_SUMMARY_INVALID")
        self.require(len(text) <= 65536, "CONTEXT_LIMIT_EXCEEDED")
        self.require(text.strip("\ufeff \t\n\r\u3000"), "CONTEXT_SUMMARY_INSUFFICIENT")
        self.require(not cancellation.cancelled(), "CONTEXT_CANCELLED")
        record = {"id": options["recordId"], "summaryId": options["summaryId"], "boundary": safe[-1]}
        record["compactedMessageIds"] = [message["id"] for message in messages[: safe[-1]]]
        after = {"summary": {"id": options["summaryId"], "content": text}, "messages": messages[safe[-1] :]}
        return "compacted", dict(live, **after, compactions=[*live["compactions"], record]), record

    async def ask(self, summarize, request, cancellation):
        try:
            answer = asyncio.ensure_future(summarize(request))
        except BaseException:
            raise Refusal("CONTEXT_SUMMARIZER_FAILED") from None
        cancelled = asyncio.ensure_future(cancellation.wait())
        await asyncio.wait({answer, cancelled}, return_when=asyncio.FIRST_COMPLETED)
        cancelled.cancel()
        if cancellation.cancelled():
            answer.cancel()
            raise Refusal("CONTEXT_CANCELLED")
        self.require(not answer.cancelled() and not answer.exception(), "CONTEXT_SUMMARIZER_FAILED")
        return answer.result()

    def require(self, holds, code):
        if not holds:
            raise Refusal(code)


if __name__ == "__main__":
    serve(Compactor())
