"""Reading JSON: B-JSON-1, B-JSON-2 and B-JSON-4.

Differences from the standard library's reader: every number is a float, one too large is infinite; nothing
but RFC 8259 is accepted; nesting is limited by memory alone. Objects are dicts, whose order is that of the
first appearance of each key; arrays are lists. The order of visiting (B-JSON-3) is `own_keys`.
"""

import re

from .text import join_surrogates

_TOKEN = re.compile(
    r"[ \t\n\r]*(?:"
    r"(?P<mark>[{}\[\],:])"
    r'|"(?P<string>[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*)"'
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<word>true|false|null)"
    r"|(?P<end>\Z))"
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS = {"true": True, "false": False, "null": None}
_INDEX = re.compile(r"(?:0|[1-9][0-9]{0,9})\Z")


class NotJson(ValueError):
    """The text is no JSON."""


def _unescape(escape):
    hexadecimal, short = escape.groups()
    return chr(int(hexadecimal, 16)) if hexadecimal else _SHORT.get(short, short)


def _string(body):
    return join_surrogates(_ESCAPE.sub(_unescape, body)) if "\\" in body else body


def read_json(text):
    """The value of one JSON text, given as a string or as UTF-8 bytes; NotJson otherwise."""
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotJson("bytes are not UTF-8") from error
    parents = []  # the containers around the present one, each with the key that waits for a value
    holder, key = None, None
    result = None
    # What may come next. "value": a value; "first": a value or the end of the array; "member": a key or the
    # end of the object; "key": a key; "colon"; "more": a comma, the end of the container or of the text.
    state = "value"
    at = 0
    while True:
        token = _TOKEN.match(text, at)
        if token is None:
            raise NotJson("no JSON at character %d" % at)
        kind, body, at = token.lastgroup, token.group(token.lastgroup), token.end()
        closed = False
        if state in ("value", "first"):
            if kind == "string":
                value = _string(body)
            elif kind == "number":
                value = float(body)
            elif kind == "word":
                value = _WORDS[body]
            elif body == "{" or body == "[":
                parents.append((holder, key))
                holder, key = ({}, None) if body == "{" else ([], None)
                state = "member" if body == "{" else "first"
                continue
            elif body == "]" and state == "first":
                closed = True
            else:
                raise NotJson("no value before character %d" % at)
        elif state in ("member", "key"):
            if kind == "string":
                key, state = _string(body), "colon"
                continue
            if body != "}" or state != "member":
                raise NotJson("no key before character %d" % at)
            closed = True
        elif state == "colon":
            if body != ":":
                raise NotJson("no colon before character %d" % at)
            state = "value"
            continue
        elif holder is None:
            if kind != "end":
                raise NotJson("more than one value, before character %d" % at)
            return result
        elif body == ",":
            state = "key" if isinstance(holder, dict) else "value"
            continue
        elif body == ("}" if isinstance(holder, dict) else "]"):
            closed = True
        else:
            raise NotJson("neither a comma nor an end before character %d" % at)
        if closed:
            value = holder
            holder, key = parents.pop()
        if holder is None:
            result = value
        elif isinstance(holder, dict):
            holder[key] = value
        else:
            holder.append(value)
        state = "more"


def own_keys(members):
    """The keys of an object in ECMAScript own-key order: array indexes ascending, then the rest as they came."""
    indexes, names = [], []
    for key in members:
        if _INDEX.match(key) and int(key) <= 4294967294:
            indexes.append(key)
        else:
            names.append(key)
    return sorted(indexes, key=int) + names
