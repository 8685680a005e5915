# What every page of a report keeps: python3 pages.py PAGE... It parses, ids are single, links within it lead somewhere, nothing is asked of a network, one script at most and only where a policy names it by hash,
# no style or event attributes, no control or bidirectional character, and fewer than 1.5 MiB.
import re, sys
from html.parser import HTMLParser

VOID = {"meta", "br", "link", "input", "hr", "img", "wbr", "col"}
OPEN = {"html", "li", "body", "head", "p", "title"}  # closed by what follows


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links, self.open, self.faults = [], [], [], []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "xlink:href", "action", "data"):
                self.links.append(value)
            if name == "style" or name.startswith("on"):
                self.faults.append(f"<{tag} {name}>")
        if tag in ("img", "iframe", "object", "embed", "link", "base", "form", "audio", "video"):
            self.faults.append(f"<{tag}>")
        if tag not in VOID | OPEN:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID | OPEN:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in VOID | OPEN:
            return
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}, open are {self.open[-3:]}")
            return
        self.open.pop()


for name in sys.argv[1:]:
    data = open(name, "rb").read()
    text = data.decode()
    page = Page()
    page.feed(text)
    page.close()
    faults = page.faults + [f"open: {x}" for x in page.open]
    faults += sorted({f"id twice: {x}" for x in page.ids if page.ids.count(x) > 1}) if len(set(page.ids)) < len(page.ids) else []
    faults += sorted({f"no such id: {x}" for x in page.links if x.startswith("#") and x[1:] not in set(page.ids)})
    faults += [f"leads away: {x}" for x in page.links if re.match("[a-z]+:|//", x)]
    faults += ["bad character"] if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]", text) else []
    faults += ["no policy"] if "Content-Security-Policy" not in text.split("<title>")[0] else []
    faults += ["too large"] if len(data) >= 1536 << 10 else []
    for fault in faults[:10]:
        print(f"{name}: {fault}")
