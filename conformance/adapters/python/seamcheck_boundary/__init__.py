"""A second implementation of the profile `boundary`, written from the text of reference/SPEC/boundary.md alone.

It needs nothing but the standard library and shares no code with any other implementation, so that an
agreement between the two says something about the specification.

    text       code points, blanks, the text of numbers      TEXT, B-UNIT-8
    jsontext   reading JSON without losing anything          JSON
    model      contexts that cannot change, error codes      section 2, section 3.3, STATE
    build      reading a context, first fault first          BUILD, LIMIT
    diagnose   reports on any messages                       LINK
    measure    units, groups and the boundary                UNIT, ROUND, SELECT
    compact    compaction with a summarizer                  COMPACT, SUMMARY, CANCEL
"""

from .build import ABSENT, build_context, read_messages
from .compact import Compaction, compact
from .diagnose import diagnose
from .jsontext import NotJson, read_json
from .measure import boundary, context_units, groups
from .model import Context, Fault, plain

__all__ = [
    "ABSENT",
    "Compaction",
    "Context",
    "Fault",
    "NotJson",
    "boundary",
    "build_context",
    "compact",
    "context_units",
    "diagnose",
    "groups",
    "plain",
    "read_json",
    "read_messages",
]
