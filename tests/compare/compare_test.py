# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""script/compare on a small generated character: python3 -B compare_test.py [Comparison|WithBlender], with SINEW_BINARY
set."""
import csv
import html.parser
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "..", "..", "script", "compare")
SINEW = os.environ["SINEW_BINARY"]
SKIPPED = 77  # which ctest shows: what did not run must be seen
BROKEN = "sinew: heat went out"

# Refuses one method and passes all else on.
BREAKS_HEAT = f"""#!/bin/sh
case "$*" in bind*"--method heat"*) echo '{BROKEN}' >&2; exit 3 ;; esac
exec '{SINEW}' "$@"
"""
# Answers as Blender does when it weights nothing: with success, and a file without weights.
WEIGHTS_NOTHING = """#!/bin/sh
if [ "$1" = --version ]; then echo Blender 0.0; exit; fi
while [ "$1" != -- ]; do shift; done
cp "$2" "$3" && cp "$2" "$4"
echo 'BLENDER_BIND {"seconds": 0.5, "cpu_seconds": 0.5, "said": ["FINISHED"], "vertices": 9, "unweighted": 9,
"influences": 0}' | tr -d '\\n'
"""
STOPS = "#!/bin/sh\n[ \"$1\" = --version ] || exec sleep 60\n"


class Outline(html.parser.HTMLParser):
    """Whether every element is closed in its turn, what the page loads, and its words."""
    EMPTY = {"meta"}

    def __init__(self, text):
        super().__init__()
        self.open, self.loads, self.links, self.words = [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag not in self.EMPTY:
            self.open.append(tag)
        values = dict(attributes)
        self.loads += [values[name] for name in ("src", "srcset") if name in values]
        if tag == "link":
            self.loads.append(values.get("href"))
        if tag == "a":
            self.links.append(urllib.parse.unquote(values["href"]))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        self.words += data


def program(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


class OnATentacle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.work)
        cls.character = os.path.join(cls.work, "tentacle.glb")
        subprocess.run([SINEW, "example", "tentacle", "--vertices", "2000", "-o", cls.character, "--quiet"], check=True)

    def compare(self, *arguments, sinew=SINEW):
        output = os.path.join(self.work, self.id().rsplit(".", 1)[-1])
        done = subprocess.run([SCRIPT, *arguments, "-o", output, "--poses", "4"], capture_output=True, text=True,
                              check=False, env={**os.environ, "SINEW_BINARY": sinew})
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(output, "comparison.csv"), encoding="utf-8", newline="") as file:
            rows = {(row["character"], row["weights"]): row for row in csv.DictReader(file)}
        texts = {}
        for name in ("index.html", "comparison.md"):
            with open(os.path.join(output, name), encoding="utf-8") as file:
                texts[name] = file.read()
        return output, rows, texts


class Comparison(OnATentacle):
    def test_a_method_that_fails_is_shown_as_a_failure_and_stops_nothing(self):
        sinew = program(self.work, "sinew-without-heat", BREAKS_HEAT)
        absent = os.path.join(self.work, "no-blender-here")
        output, rows, texts = self.compare(self.character, "--blender", absent, sinew=sinew)
        self.assertEqual(rows["tentacle", "heat"]["failed"], BROKEN)
        self.assertEqual(rows["tentacle", "heat"]["arap"], "")
        self.assertIn("cannot be started", rows["tentacle", "Blender"]["failed"])
        self.assertIn(f"heat: failed: {BROKEN}", texts["comparison.md"])
        self.assertIn(f"failed: {BROKEN}", Outline(texts["index.html"]).words)
        for kind in ("artist", "araplbs", "distance"):
            self.assertEqual(rows["tentacle", kind]["failed"], "", kind)
            self.assertGreater(float(rows["tentacle", kind]["arap"]), 0, kind)
        with open(os.path.join(output, "tentacle.html"), encoding="utf-8") as file:
            self.assertIn(BROKEN, file.read())

    def test_success_without_weights_is_a_failure(self):
        blender = program(self.work, "blender-that-weights-nothing", WEIGHTS_NOTHING)
        _, rows, _ = self.compare(self.character, "--blender", blender)
        self.assertEqual(rows["tentacle", "Blender"]["failed"], "no vertex has any weight, though Blender says FINISHED")

    def test_a_program_that_does_not_end_is_stopped(self):
        blender = program(self.work, "blender-that-stops", STOPS)
        _, rows, _ = self.compare(self.character, "--blender", blender, "--limit", "5")
        self.assertIn("stopped after", rows["tentacle", "Blender"]["failed"])
        self.assertEqual(rows["tentacle", "distance"]["failed"], "")

    def test_tables_are_well_formed_and_the_page_loads_nothing(self):
        odd = os.path.join(self.work, "a & <b> | c #1.glb")
        shutil.copy(self.character, odd)
        mesh = os.path.join(self.work, "no-skin.obj")
        with open(mesh, "w", encoding="utf-8") as file:
            file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        output, rows, texts = self.compare(odd, mesh, "--blender", "absent")
        outline = Outline(texts["index.html"])
        self.assertEqual(outline.open, [])
        self.assertEqual(outline.loads, [])
        self.assertNotRegex(texts["index.html"], r"https?://|url\(|@import")
        for link in outline.links:
            self.assertTrue(os.path.exists(os.path.join(output, link)), link)
        self.assertEqual(len(outline.links), 1)
        self.assertIn("no-skin.obj was left out: no skinned character", outline.words)
        self.assertEqual({character for character, _ in rows}, {"a & <b> | c #1"})
        width = None
        for line in texts["comparison.md"].splitlines():
            cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else None
            if width is not None and cells is not None:
                self.assertEqual(cells, width, line)
            width = cells

    def test_every_method_that_help_names_is_compared(self):
        _, rows, _ = self.compare(self.character, "--blender", "absent")
        named = subprocess.run([SINEW, "bind", self.character, "--method", "?", "-o", os.path.join(self.work, "x.glb")],
                               capture_output=True, text=True, check=False).stderr
        methods = re.search(r"none of (.*)", named).group(1).strip().split(", ")
        self.assertGreater(len(methods), 1)
        self.assertEqual({kind for _, kind in rows}, {"artist", "Blender", "Blender, 4", "paper", *methods})


class WithBlender(OnATentacle):
    def test_blender_weights_are_judged(self):
        _, rows, texts = self.compare(self.character)
        row = rows["tentacle", "Blender"]
        self.assertEqual(row["failed"], "", texts["comparison.md"])
        self.assertEqual(row["unweighted"], "0")
        self.assertGreater(float(row["seconds"]), 0)
        self.assertGreater(float(row["arap"]), 0)
        self.assertLessEqual(int(rows["tentacle", "Blender, 4"]["max_influences"]), 4)


if __name__ == "__main__":
    if "WithBlender" in sys.argv and not shutil.which("blender"):
        print("skipped: Blender is not installed; script/bootstrap all installs it")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
