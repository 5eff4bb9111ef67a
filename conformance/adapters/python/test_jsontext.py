"""The JSON reader and the text of numbers. Run: python3 -m unittest discover -s conformance/adapters/python"""

import json
import math
import random
import shutil
import struct
import subprocess
import unittest

from seamcheck_boundary.jsontext import NotJson, own_keys, read_json
from seamcheck_boundary.text import is_blank, join_surrogates, number_text

REFUSED = [
    "", " ", "nul", "NaN", "Infinity", "-Infinity", "-", "+1", "01", "-01", ".5", "1.", "1e", "1e+", "0x1", "1_0",
    "\u0661", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{,}",
    "{a:1}", "{\"a\" 1}", "{\"a\"::1}", "{1:1}", "[1}", "{\"a\":1]", "]", "}", ":", ",", "1 2", "{}{}", "'a'", "\"a",
    "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
    "\"\n\"", "\"\x00\"", "\"\x1f\"", "\ufeff1", "1\ufeff", "\u00a01", "\x0b1", "// c\n1", "/* c */1", "\"\\\"",
]  # fmt: skip


class Reading(unittest.TestCase):
    def test_refuses_what_is_no_json(self):
        for text in REFUSED:
            with self.subTest(text=text), self.assertRaises(NotJson):
                read_json(text)

    def test_refuses_bytes_that_are_no_utf8(self):
        for raw in (b'"\xff"', b'"\xed\xa0\x80"', b'"\xc0\x80"', "[]".encode("utf-16")):
            with self.subTest(raw=raw), self.assertRaises(NotJson):
                read_json(raw)

    def test_agrees_with_the_standard_library_on_ordinary_texts(self):
        for text in (
            ' { "a" : [ 1 , -2.5e-3 , true , false , null , "x\\n\\u00e9\\/" , { } , [ ] ] } ',
            '"\\ud83d\\ude00 \U0001f600 \\b\\f\\t\\r\\\\"',
            "[[[]],{}]",
            "0",
            '{"":{"":0}}',
            '"\x7f\u2028"',
        ):
            with self.subTest(text=text):
                self.assertEqual(read_json(text), json.loads(text))

    def test_surrogates(self):
        self.assertEqual(read_json('"\\ud83d\\ude00"'), "\U0001f600")
        self.assertEqual(read_json('"\\ude00\\ud83d"'), "\ude00\ud83d")
        self.assertEqual(read_json('"\\ud83d\\ud83d\\ude00"'), "\ud83d\U0001f600")
        self.assertEqual(read_json('"\\uD83d\\u0020\\udE00"'), "\ud83d \ude00")
        self.assertEqual(len(join_surrogates("\ud83d" + "\ude00")), 1)

    def test_the_last_value_of_a_key_has_its_first_place(self):
        value = read_json('{"a":1,"b":2,"\\u0061":3}')
        self.assertEqual(list(value.items()), [("a", 3.0), ("b", 2.0)])

    def test_numbers_are_doubles(self):
        self.assertEqual(read_json("9007199254740993"), 9007199254740992.0)
        self.assertEqual(read_json("1e999"), math.inf)
        self.assertEqual(read_json("-" + "9" * 5000), -math.inf)
        self.assertEqual(read_json("1e-999"), 0.0)
        self.assertEqual(math.copysign(1, read_json("-0")), -1.0)
        self.assertEqual(read_json("0." + "0" * 5000 + "1"), 0.0)

    def test_depth_costs_no_stack(self):
        depth = 100000
        value = read_json("[" * depth + "]" * depth)
        self.assertIsInstance(value, list)
        value = read_json('{"a":' * depth + "1" + "}" * depth)
        self.assertIsInstance(value, dict)
        with self.assertRaises(NotJson):
            read_json("[" * depth + "]" * (depth - 1))

    def test_own_key_order(self):
        keys = ["b", "10", "9", "01", "4294967294", "4294967295", "-0", "", "1.0", "0", "a", "\u0661"]
        expected = ["0", "9", "10", "4294967294", "b", "01", "4294967295", "-0", "", "1.0", "a", "\u0661"]
        self.assertEqual(own_keys(dict.fromkeys(keys)), expected)

    def test_blank(self):
        for text in ("", " ", "\ufeff\u3000\t\n\x0b\x0c\r\u2028\u2029\xa0\u1680\u2000\u200a\u202f\u205f"):
            self.assertTrue(is_blank(text))
        for text in ("\x00", "\x1c", "\x1f", "\x85", "\u180e", "\u200b", "\u2060", "a", " \u200b "):
            self.assertFalse(is_blank(text))


class NumberText(unittest.TestCase):
    def test_known_texts(self):
        for number, text in (
            (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-1.5, "-1.5"), (1e20, "1" + "0" * 20), (1e21, "1e+21"),
            (1e-6, "0.000001"), (1e-7, "1e-7"), (5e-324, "5e-324"), (1.5e300, "1.5e+300"), (123.456, "123.456"),
            (123456789012345680000.0, "123456789012345680000"), (9007199254740993.0, "9007199254740992"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
        ):  # fmt: skip
            self.assertEqual(number_text(number), text)

    @unittest.skipUnless(shutil.which("node"), "needs node, the other opinion")
    def test_agrees_with_an_ecmascript_engine(self):
        generator = random.Random(20240229)
        numbers = [math.ldexp(1.0, power) for power in range(-1074, 1024)]
        numbers += [float("1e%d" % power) for power in range(-323, 309)]
        numbers += [float("%de%d" % (generator.randrange(10**9), generator.randrange(-30, 30))) for _ in range(5000)]
        while len(numbers) < 40000:
            number = struct.unpack("<d", struct.pack("<Q", generator.getrandbits(64)))[0]
            if math.isfinite(number):
                numbers.append(number)
        script = (
            "let all='';process.stdin.on('data',d=>all+=d).on('end',()=>{const v=new DataView(new ArrayBuffer(8));"
            "console.log(all.trim().split('\\n').map(h=>{v.setBigUint64(0,BigInt('0x'+h));"
            "return String(v.getFloat64(0))}).join('\\n'))})"
        )
        given = "\n".join(struct.pack(">d", number).hex() for number in numbers)
        answered = subprocess.run(["node", "-e", script], input=given, capture_output=True, text=True, check=True)
        for number, text in zip(numbers, answered.stdout.split("\n")):
            self.assertEqual(number_text(number), text)


if __name__ == "__main__":
    unittest.main()
