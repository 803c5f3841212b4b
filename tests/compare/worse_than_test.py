# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""worse_than.py on comparisons of a few lines: python3 -B worse_than_test.py"""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worse_than.py")
HEAD = "character,weights,arap,clips,follow,islands\n"


class WorseThan(unittest.TestCase):
    def worse(self, before, after, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, rows in (("before.csv", before), ("after.csv", after)):
                paths.append(os.path.join(folder, name))
                with open(paths[-1], "w", encoding="utf-8") as file:
                    file.write(HEAD + rows)
            done = subprocess.run([sys.executable, SCRIPT, *paths, *arguments], capture_output=True, text=True,
                                  check=False)
        self.assertNotIn("Traceback", done.stderr)
        return done.returncode, done.stdout.splitlines()[2:], done.stderr

    def test_what_is_the_same_or_better_is_no_row(self):
        self.assertEqual(self.worse("fox,heat,0.1,,0.5,3\n", "fox,heat,0.05,,0.6,0\n"), (0, [], ""))

    def test_more_arap_and_less_follow_are_worse(self):
        code, rows, _ = self.worse("fox,heat,0.1,,0.5,3\n", "fox,heat,0.102,,0.49,3\n")
        self.assertEqual(code, 1)
        self.assertEqual(rows, ["| fox | heat | arap | 0.1 | 0.102 | 2.0% |", "| fox | heat | follow | 0.5 | 0.49 | 2.0% |"])

    def test_figures_of_a_judge_that_looks_beside_the_artist_count(self):
        before, after = "fox,heat,0.1,,0.5,3\n", "fox,heat,0.1,,0.5,3\n"
        global HEAD
        usual, HEAD = HEAD, "character,weights,stolen,worse,apart,islands\n"
        try:
            before, after = "fox,heat,3,1,0.5,3\n", "fox,heat,4,2,0.4,3\n"
            code, rows, _ = self.worse(before, after)
        finally:
            HEAD = usual
        self.assertEqual(code, 1)
        self.assertEqual(rows, ["| fox | heat | stolen | 3 | 4 | 33.3% |", "| fox | heat | worse | 1 | 2 | 100.0% |"])

    def test_little_does_not_count(self):
        before, after = "fox,heat,0.1,,0.5,3\n", "fox,heat,0.102,,0.5,3\n"
        self.assertEqual(self.worse(before, after, "--by", "3"), (0, [], ""))

    def test_nothing_to_compare_is_no_success(self):
        before, after = "fox,heat,0.1,,0.5,3\n", "fox,heat,0.1,,0.5,3\n"
        for arguments in ((before, after, "--weights", "typo"), ("", "")):
            code, _, said = self.worse(*arguments)
            self.assertEqual(code, 1)
            self.assertIn("nothing in common", said)

    def test_what_is_no_number_is_refused(self):
        code, _, said = self.worse("fox,heat,0.1,,0.5,3\n", "fox,heat,nan,,0.5,3\n")
        self.assertEqual((code, said), (1, "worse_than: fox heat: arap is 0.1 and nan\n"))

    def test_a_count_that_was_zero_is_worse_by_any_amount(self):
        code, rows, _ = self.worse("fox,heat,0.1,,0.5,0\n", "fox,heat,0.1,,0.5,1\n", "--by", "1000")
        self.assertEqual((code, len(rows)), (1, 1))

    def test_what_only_one_of_them_has_is_named(self):
        code, rows, said = self.worse("fox,heat,0.1,0.2,0.5,0\nowl,heat,0.1,,,0\n", "fox,heat,0.1,,0.5,0\n")
        self.assertEqual((code, rows), (1, []))
        self.assertIn("fox heat: clips only before", said)
        self.assertIn("owl heat: only before", said)

    def test_a_file_that_is_no_comparison_is_refused_in_a_line(self):
        done = subprocess.run([sys.executable, SCRIPT, SCRIPT, SCRIPT], capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^worse_than: [^\n]*\n$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
