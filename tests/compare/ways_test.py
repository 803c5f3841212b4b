# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""ways.py with a program and a judge that are a few lines each: python3 -B ways_test.py"""
import csv
import os
import stat
import subprocess
import sys
import tempfile
import textwrap
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ways.py")
# Writes the way into the file that it "binds"; refuses one character.
SINEW = """
    import json, sys
    words = sys.argv[1:]
    if words[0] == "bind" and "broken" in words[1]:
        sys.exit("broken.glb: is not a character")
    out = words[words.index("-o") + 1]
    open(out, "w").write("copy" if words[0] == "copy" else "volume" if "volume" in words else "surface")
    print(json.dumps({"characters": [{"seconds": {"solve": 1.0, "finish": 0.5}}, {"seconds": {"solve": 0.5}}]}))
"""
JUDGE = """
    import json, sys
    assert open(sys.argv[sys.argv.index("--original") + 1]).read() == "copy"
    by_volume = open(sys.argv[1]).read() == "volume"
    print(json.dumps({"drift": 0.5 if by_volume else 1.0, "arap": 0.0202 if by_volume else 0.02, "lost": 3 if by_volume else 2,
                      "follow": 0.9 if by_volume else 0.8, "stolen": 7.0, "clips": float("nan")}))
"""


class Ways(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.sinew = self.program("sinew", f"#!{sys.executable}\n" + textwrap.dedent(SINEW))
        self.judge = self.program("judge.py", textwrap.dedent(JUDGE))
        self.program("one.glb", "")
        self.program("broken.glb", "")

    def program(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def ways(self, *files):
        out = os.path.join(self.folder, "out")
        done = subprocess.run([sys.executable, SCRIPT, "-o", out, "--sinew", self.sinew, "--judge", self.judge,
                               "--way", "surface=", "--way", "volume=--domain volume",
                               *(os.path.join(self.folder, file) for file in files)],
                              capture_output=True, text=True, check=False)
        self.assertNotIn("Traceback", done.stderr)
        return done, out

    def test_each_figure_is_told_with_how_often_it_is_better_or_worse(self):
        done, out = self.ways("one.glb")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = done.stdout.splitlines()
        self.assertIn("| drift | volume | 1 | 0 | 0 | 1 → 0.5 | 0.50 |", rows)
        self.assertIn("| follow | volume | 1 | 0 | 0 | 0.8 → 0.9 | 1.12 |", rows)
        self.assertIn("| lost | volume | 0 | 0 | 1 | 2 in all → 3 in all | – |", rows)
        self.assertIn("| arap | volume | 0 | 1 | 0 | 0.02 → 0.0202 | 1.01 |", rows)  # no eye sees a hundredth
        self.assertIn("| stolen | volume | 0 | 1 | 0 | 7 → 7 | 1.00 |", rows)
        self.assertIn("| seconds | volume | 0 | 1 | 0 | 2 → 2 | 1.00 |", rows)  # of all characters of a file
        self.assertFalse([row for row in rows if row.startswith("| clips")])  # which the file has none of
        with open(os.path.join(out, "ways.csv"), encoding="utf-8", newline="") as file:
            found = {row["weights"]: row for row in csv.DictReader(file)}
        self.assertEqual((found["surface"]["drift"], found["volume"]["drift"], found["volume"]["clips"]), ("1.0", "0.5", ""))

    def test_what_fails_is_told_and_stops_nothing(self):
        done, out = self.ways("broken.glb", "one.glb")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ways: broken surface: broken.glb: is not a character", done.stderr)
        with open(os.path.join(out, "ways.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("| one | 1 / 0.5 |", text)
        self.assertNotIn("broken", text)


if __name__ == "__main__":
    unittest.main()
