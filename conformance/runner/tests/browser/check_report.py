#!/usr/bin/env python3
"""Looks at HTML reports in a headless Chromium: their structure, not their pixels.

    python3 conformance/runner/tests/browser/check_report.py [--seamcheck target/debug/seamcheck]

It makes reports of adapters that are fine, wrong, broken and hostile, holds each page against the JSON certificate
of the same run, and then breaks a page in several ways, each of which must be found. Only the standard library is
needed, and `chromium`; without one it says so and is skipped.
"""

import argparse
import html
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[4]
ADAPTERS = ROOT / "conformance/runner/tests/adapters"
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
NARROW = 360

# Runs in the page at 360 pixels: what sticks out sideways, and text that is hard to read.
MEASURE = """
const page = frame.contentDocument, found = [];
const root = page.documentElement;
if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} pixels wide at ${root.clientWidth}`);
if (root.clientWidth > WIDTH) found.push(`measured at ${root.clientWidth} pixels`);
const parse = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
const contrast = (one, two) => { const [a, b] = [light(one), light(two)].sort((x, y) => y - x); return (a + .05) / (b + .05); };
const style = element => frame.contentWindow.getComputedStyle(element);
for (const element of page.body.querySelectorAll('*')) {
  const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
  if (!own || ['SCRIPT', 'STYLE', 'TITLE', 'DESC'].includes(element.tagName.toUpperCase())) continue;
  let ink, ground;
  if (element.namespaceURI.endsWith('svg')) {
    const box = element.closest('.message')?.querySelector('.box');
    if (!box || element.matches('.index, .badge-sign')) continue;
    [ink, ground] = [parse(style(element).fill), parse(style(box).fill)];
  } else {
    ink = parse(style(element).color);
    let behind = element;
    while (behind && (parse(style(behind).backgroundColor)[3] === 0)) behind = behind.parentElement;
    ground = behind ? parse(style(behind).backgroundColor) : [255, 255, 255];
  }
  const ratio = contrast(ink, ground);
  if (ratio < 4.5) found.push(`contrast ${ratio.toFixed(1)} of ${element.tagName}.${element.getAttribute('class')}`);
}
document.body.setAttribute('data-found', JSON.stringify([...new Set(found)]));
"""


class Element:
    def __init__(self, name, attributes, parent):
        self.name, self.attributes, self.parent = name, attributes, parent
        self.children, self.words = [], []

    def classes(self):
        return (self.attributes.get("class") or "").split()

    def all(self):
        for child in self.children:
            yield child
            yield from child.all()

    def find(self, name=None, cls=None):
        return [one for one in self.all() if name in (None, one.name) and (cls is None or cls in one.classes())]

    def text(self):
        return " ".join(" ".join(self.words + [child.text() for child in self.children]).split())


class Tree(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.root = self.here = Element("#document", {}, None)
        self.feed(text)

    def handle_starttag(self, name, attributes):
        element = Element(name, dict(attributes), self.here)
        self.here.children.append(element)
        if name not in VOID:
            self.here = element

    def handle_startendtag(self, name, attributes):
        self.here.children.append(Element(name, dict(attributes), self.here))

    def handle_endtag(self, name):
        above = self.here
        while above and above.name != name:
            above = above.parent
        if above and above.parent:
            self.here = above.parent

    def handle_data(self, data):
        self.here.words.append(data)


def dump(chromium, path, *options):
    """The page as the browser has it after loading."""
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", *options, "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if not done.stdout.strip():
        raise RuntimeError(f"chromium gave no page: {done.stderr[-500:]}")
    return done.stdout


def structure(page, certificate):
    """What is wrong with a page, seen as a tree."""
    root = Tree(page).root
    wrong = []

    def require(holds, words):
        if not holds:
            wrong.append(words)

    for name in ("header", "main", "nav", "footer", "h1", "title"):
        require(len([one for one in root.find(name) if one.parent.name != "svg" or name != "title"]) >= 1, f"no {name}")
    require(len(root.find("h1")) == len(root.find("main")) == 1, "not one h1 and one main")
    levels = [int(one.name[1]) for one in root.all() if re.fullmatch("h[1-6]", one.name)]
    require(all(after <= before + 1 for before, after in zip(levels, levels[1:])), f"headings skip a level: {levels}")
    links = root.find("a")
    require(links and links[0].attributes.get("href") == "#main", "the first link does not skip to the verdict")
    ids = [one.attributes["id"] for one in root.all() if "id" in one.attributes]
    require(len(ids) == len(set(ids)), "an id stands twice")
    for one in root.all():
        named = (one.attributes.get("aria-labelledby") or "").split()
        named += [one.attributes["href"][1:]] if (one.attributes.get("href") or "").startswith("#") else []
        require(all(name in ids for name in named), f"<{one.name}> refers to an id that is not there: {named}")
        require(not any(name.startswith("on") for name in one.attributes), f"<{one.name}> has a handler")
        for name in ("src", "srcset", "action", "poster", "data"):
            require(name not in one.attributes, f"<{one.name}> has {name}")
        require((one.attributes.get("href") or "#").startswith("#"), f"a link leads out: {one.attributes.get('href')}")
        if one.name == "th":
            require(one.attributes.get("scope") in ("col", "row", "rowgroup"), "a table header without a scope")
        if one.name == "table":
            require(one.find("caption"), "a table without a caption")
        if one.name == "details":
            require(one.children and one.children[0].name == "summary", "details without a summary")
    require(not root.find("script") and not root.find("img") and not root.find("link"), "a script, image or link")
    css = "".join(one.text() for one in root.find("style"))
    require("url(" not in css and "@import" not in css, "the style loads something")
    for feature in ("prefers-color-scheme: dark", "prefers-reduced-motion", "@media print", ":focus-visible"):
        require(feature in css, f"the style does not know {feature}")
    policy = [one.attributes.get("content") for one in root.find("meta") if "http-equiv" in one.attributes]
    require(any("default-src 'none'" in one for one in policy), "no policy that forbids everything")
    for element in root.find():
        if "scroll" in element.classes():
            named = element.attributes.get("aria-label") and element.attributes.get("role") == "region"
            require(named and element.attributes.get("tabindex") == "0", "a region that scrolls is not for the keyboard")

    examples = [one for one in root.find("article") if (one.attributes.get("aria-labelledby") or "").startswith("example-")]
    require(len(examples) == len(certificate["counterexamples"]), f"{len(examples)} counterexamples")
    for article, entry in zip(examples, certificate["counterexamples"]):
        drawings, scenes = article.find("svg"), entry["scenes"]
        require(len(drawings) == len(scenes), f"{len(drawings)} drawings of {len(scenes)} scenes")
        stories = article.find("details", "story")
        require(stories and entry["story"][0].split(".")[0] in stories[0].text(), "no story beside the drawing")
        for drawing, scene in zip(drawings, scenes):
            draws(drawing, scene, lambda holds, words: require(holds, f"{entry['check']}, {scene['title']}: {words}"))
    rows = [one for one in root.find("tr") if any(cell.attributes.get("scope") == "row" for cell in one.children)]
    applicable = [one for one in certificate["checks"] if one["verdict"] != "not-applicable"]
    if certificate["levels"]:
        listed = [one for one in rows if one.find("td", "outcome")]
        require(len(listed) == len(applicable), f"{len(listed)} rows of {len(applicable)} checks")
    require(certificate["verdict"]["words"].split(": ", 1)[-1] in root.text(), "the verdict is not on the page")
    return wrong


def draws(drawing, scene, require):
    """A drawing against its scene."""
    require(drawing.attributes.get("role") == "img", "the drawing has no role")
    for name in ("title", "desc"):
        texts = [one for one in drawing.children if one.name == name]
        require(texts and texts[0].text(), f"no {name}")
        require(texts and texts[0].attributes.get("id") in (drawing.attributes.get("aria-labelledby") or ""),
                f"the {name} does not name the drawing")
    acts = scene["acts"]
    marked = {index for act in acts for index in act["marked"]}
    cuts = sum(len(act["cuts"]) for act in acts)
    messages = drawing.find("g", "message")
    for found, expected, what in [
        (len(messages), len(scene["messages"]), "messages"),
        (len(drawing.find("g", "arc")), len(scene["pairs"]), "arcs"),
        (len(drawing.find("g", "cut")), cuts, "cuts"),
        (len(drawing.find("g", "act")), len(acts), "acts"),
        (len([one for one in messages if "marked" in one.classes()]), len(marked), "highlighted messages"),
        (len(drawing.find("g", "cell")), sum(len(act["fates"]) for act in acts), "fates"),
    ]:
        require(found == expected, f"{found} {what} are drawn, {expected} are there")
    if any(act["parted"] for act in acts):
        require(drawing.find("g", "parted") and drawing.find("g", "crossing"), "a parted pair is not highlighted")
        require(any("stayed together" in one.text() for one in drawing.find("text")), "no words at what is parted")


def measure(chromium, folder, page, dark):
    """What is wrong with a page at phone width, in one of the two colour schemes."""
    unlocked = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    frame = f'<iframe width="{NARROW}" height="800" style="border:0" srcdoc="{html.escape(unlocked)}"></iframe>'
    script = "const frame = document.querySelector('iframe'); frame.onload = () => {" + MEASURE + "};"
    harness = folder / "measure.html"
    harness.write_text(f"<!doctype html><meta charset=utf-8><body>{frame}<script>{script.replace('WIDTH', str(NARROW))}</script>",
                       encoding="utf-8")
    scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
    body = Tree(dump(chromium, harness, scheme, "--virtual-time-budget=5000")).root.find("body")[0]
    found = body.attributes.get("data-found")
    return [f"{'dark' if dark else 'light'}: {one}" for one in json.loads(found)] if found else ["nothing was measured"]


def check(chromium, folder, page, certificate):
    """Everything that is wrong with a page."""
    place = folder / "page.html"
    place.write_text(page, encoding="utf-8")
    wrong = structure(dump(chromium, place), certificate)
    return wrong + measure(chromium, folder, page, False) + measure(chromium, folder, page, True)


def policy_holds(chromium, folder, page):
    """A script that gets into the page all the same does not run."""
    place = folder / "page.html"
    place.write_text(page.replace("</body>", "<script>document.title = 'it ran'</script></body>"), encoding="utf-8")
    return "it ran</title>" not in dump(chromium, place)


def reports(seamcheck, folder):
    """Reports of adapters of every kind: name, page, certificate."""
    python = [sys.executable, "-S"]
    toy = [*python, str(ADAPTERS / "toy.py")]
    mutant = [seamcheck, "serve", "--mutant"]
    clauses = [f"--clause={glob}" for glob in ("B-SELECT-5*", "B-TRIM-*", "B-COMPACT-7*", "B-COMPACT-11*", "B-CANCEL-*")]
    for name, options, adapter in [
        ("keeps-last-n", [], [*toy, "keeps-last-n"]),
        ("keeps-all", [], [*toy, "keeps-all"]),
        ("exits", [], [*toy, "exits"]),
        ("never-starts", [], [*toy, "exits-at-once"]),
        ("loud", [], [*python, str(ADAPTERS / "loud.py")]),
        ("trim-hole", clauses, [*mutant, "trim-hole"]),
        ("select-ignores-rounds", clauses, [*mutant, "select-ignores-rounds"]),
        ("cancel-settled-ignored", clauses, [*mutant, "cancel-settled-ignored"]),
        ("compact-renames-kept", clauses, [*mutant, "compact-renames-kept"]),
    ]:
        page, certificate = folder / f"{name}.html", folder / f"{name}.json"
        command = [seamcheck, "run", "--quiet", "--cases=40", "--shrink-seconds=2", *options]
        command += ["--html", str(page), "--json", str(certificate), "--", *adapter]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if not page.exists():
            raise RuntimeError(f"{name}: {done.stderr}")
        yield name, page.read_text(encoding="utf-8"), json.loads(certificate.read_text(encoding="utf-8"))


# Each makes a page wrong in one way, which must be found by these words.
BREAKS = [
    ("an arc is missing", "arcs", lambda page: page.replace('<g class="arc parted">', "<g>", 1)),
    ("a cut is missing", "cuts", lambda page: page.replace('<g class="cut main">', "<g>", 1)),
    ("a message is not highlighted", "highlighted", lambda page: page.replace(" marked\">\n<title>message", "\">\n<title>message", 1)),
    ("no words for the drawing", "no desc", lambda page: re.sub(r"<desc .*?</desc>", "", page, count=1)),
    ("no story", "story", lambda page: page.replace('<details class="story"', "<details", 1)),
    ("an image from elsewhere", "has src", lambda page: page.replace("</main>", "<img src=//example.com/x></main>")),
    ("a header without a scope", "scope", lambda page: page.replace('<th scope="col">', "<th>", 1)),
    ("headings skip", "skip a level", lambda page: page.replace("<h2 id=\"rests\">", "<h4 id=\"rests\">").replace("on</h2>", "on</h4>")),
    ("too wide", "pixels wide", lambda page: page.replace("</main>", "<p style='width:700px'>x</p></main>")),
    ("too pale", "contrast", lambda page: page.replace("--soft: #54606e", "--soft: #b4c0ce")),
    ("a check is missing", "rows", lambda page: re.sub(r'<tr class="is-pass">.*?</tr>', "", page, count=1, flags=re.S)),
]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--seamcheck", default=str(ROOT / "target/debug/seamcheck"))
    arguments = arguments.parse_args()
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not chromium:
        print("SKIPPED: no chromium is found; on Debian: apt-get install chromium")
        return 0
    if not pathlib.Path(arguments.seamcheck).exists():
        print(f"no program at {arguments.seamcheck}: cargo build -p seamcheck, or name one with --seamcheck", file=sys.stderr)
        return 2
    failed, kept = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, page, certificate in reports(arguments.seamcheck, folder):
            wrong = check(chromium, folder, page, certificate)
            drawings = page.count("<svg")
            print(f"{'FAILED' if wrong else 'ok':<7} {name}: {drawings} drawings")
            for words in wrong[:20]:
                print(f"        {words}")
            failed += bool(wrong)
            kept[name] = page, certificate
        page, certificate = kept["keeps-last-n"]
        if not policy_holds(chromium, folder, page):
            print("FAILED  a script runs in spite of the policy")
            failed += 1
        found = not policy_holds(chromium, folder, re.sub('<meta http-equiv="Content-Sec[^>]*>', "", page))
        print(f"{'ok' if found else 'FAILED':<7} a broken page is found: no policy, and a script runs")
        failed += not found
        for name, words, change in BREAKS:
            broken = change(page)
            assert broken != page, f"the page has nothing to break: {name}"
            place = folder / "page.html"
            place.write_text(broken, encoding="utf-8")
            found = any(words in one for one in structure(dump(chromium, place), certificate))
            found = found or any(words in one for one in measure(chromium, folder, broken, False))
            print(f"{'ok' if found else 'FAILED':<7} a broken page is found: {name}")
            failed += not found
    print("all reports are as they should be" if not failed else f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
