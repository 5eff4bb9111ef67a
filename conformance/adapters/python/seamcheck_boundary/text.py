"""Strings and the text of numbers: B-TEXT-1 to B-TEXT-4 and B-UNIT-8.

A Python string is a sequence of code points and may hold lone surrogates. Once every pair of surrogates has
been joined, `len` is the count of B-TEXT-2 and `==` is the equality of B-TEXT-3.
"""

import re

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")

_BLANK = (
    "\t\n\x0b\x0c\r \xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def _join(pair):
    high, low = pair.group()
    return chr(0x10000 + ((ord(high) - 0xD800) << 10) + (ord(low) - 0xDC00))


def join_surrogates(text):
    """The same code units, with each pair of surrogates as one code point."""
    return _PAIR.sub(_join, text)


def is_blank(text):
    """Whether nothing is left of the text after ECMAScript's `trim`."""
    return not text.strip(_BLANK)


def number_text(number):
    """The ECMAScript text of a finite number."""
    if number == 0:
        return "0"
    if number < 0:
        return "-" + number_text(-number)
    # repr gives the shortest digits that read back, the nearest of them to the exact value.
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or "0")
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    scientific = point - 1
    tail = "." + digits[1:] if count > 1 else ""
    return "%s%se%s%d" % (digits[0], tail, "+" if scientific > 0 else "-", abs(scientific))
