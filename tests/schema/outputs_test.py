# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""What sinew writes on generated characters, held against docs/schema: outputs_test.py [TestCase...]

SINEW_BINARY names the program, and SINEW_WITHOUT_REPORT is set where it makes no pages.
"""
import atexit
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import made_files
from validate import Schemas, validate

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMAS = os.path.join(HERE, "..", "..", "docs", "schema")
SINEW = os.environ.get("SINEW_BINARY", os.path.join(HERE, "..", "..", "build", "release", "bin", "sinew"))
PAGES = not os.environ.get("SINEW_WITHOUT_REPORT")
FEW = "--poses 3 --exemplars 4 --iterations 2"

# Every line is a name, the exit code and the words after "sinew"; they run in their order, in one folder.
# Nothing can be written below /proc, whoever runs this.
COMMANDS = {
    "example": f"""
        tentacle 0 example tentacle -o tentacle.gltf --vertices 2000
        fine     0 example tentacle -o fine.gltf --vertices 4000
        hand     0 example hand -o hand.gltf --vertices 2000
        robot    0 example robot -o robot.glb --vertices 2000
        biped    0 example biped -o biped.glb --vertices 2000
        list     0 example --list
        unknown  2 example unicorn -o unicorn.glb""",
    "bind": f"""
        gates     0 bind tentacle.gltf -o bound.glb {FEW} --require max_influences<=4 --require unweighted=0 --explain
        unmet     4 bind tentacle.gltf -o unmet.glb {FEW} --require arap<0
        unjudged  4 bind tentacle.gltf -o unmet.glb --method heat --poses 0 --require arap<1
        crowd     0 bind crowd.gltf -o crowd_bound.glb {FEW}
        levels    0 bind levels.gltf -o levels_bound.gltf {FEW}
        rows      0 bind tentacle.gltf -o rows.glb {FEW} --spine Tentacle3 --stretch-twist Tentacle7 --spine-bones 4
        twist     0 bind biped.glb -o twist.glb --method heat --poses 0 --twist-bones Forearm.L
        limbs     0 bind biped.glb -o limbs.glb --method heat --poses 0 --twist-bones auto
        edits     0 bind tentacle.gltf -o edited.glb {FEW} --edits edits.json --log energy.csv
        integers  0 bind tentacle.gltf -o u8.glb {FEW} --quantise u8 --max-influences 2,4
        target    0 bind tentacle.gltf -o mobile.glb {FEW} --target mobile
        polished  0 bind tentacle.gltf -o polished.glb {FEW} --init existing
        again     0 bind bound.glb -o again.glb --poses 3 --exemplars 4 --init existing --max-influences 2
        as_it_was 0 bind robot.glb -o robot_again.glb {FEW} --init existing
        joints    0 bind tentacle.gltf -o moved.glb {FEW} --fit-joints
        robot     0 bind robot.glb -o robot_bound.glb {FEW}
        coarse    0 bind fine.gltf -o coarse.glb {FEW} --coarse 1000
        paper     0 bind hand.gltf -o paper.glb {FEW} --constraints paper
        distance  0 bind hand.gltf -o distance.glb --method distance --poses 3
        bbw       0 bind hand.gltf -o bbw.glb --method bbw --cells 1500 --poses 3
        solid     0 bind solid.mesh --skeleton solid.tgf -o solid.glb --method bbw --poses 0
        paper_bbw 0 bind tentacle.gltf -o bbw.glb --method bbw --cells 1500 --bone-radius voxels --poses 0
        from_bbw  0 bind hand.gltf -o from_bbw.glb {FEW} --init bbw --cells 1500
        owners    0 bind hand.gltf -o owners.glb {FEW} --init owners
        from_heat 0 bind hand.gltf -o from_heat.glb {FEW} --init heat --constraints paper
        inside    0 bind hand.gltf -o inside.glb {FEW} --domain volume --cells 1500 --quantise u8 --max-influences 2,4 --explain
        dressed   0 bind dressed.gltf -o dressed_bound.glb {FEW}
        flat      0 bind flat.gltf -o flat_bound.glb {FEW}
        broken    0 bind broken.gltf -o broken_bound.glb {FEW}
        bare      0 bind bare.gltf -o bare_bound.glb {FEW} --skeleton tentacle.gltf
        missing   3 bind nothing.glb -o bound2.glb
        no_place  2 bind tentacle.gltf -o nowhere/bound.glb
        no_flag   2 bind tentacle.gltf --quantize u8""",
    "inspect": f"""
        plain     0 inspect hand.gltf --poses 3
        limbs     0 inspect biped.glb --poses 3
        bones     0 inspect tentacle.gltf --poses 3 --bones Tentacle* --require vertices>0
        unmet     4 inspect tentacle.gltf --poses 3 --require max_influences<=1
        against   0 inspect bound.glb --poses 3 --original tentacle.gltf --bones *
        unjudged  0 inspect tentacle.gltf --poses 0 --bones Tentacle3
        rows      0 inspect rows.glb --poses 3
        ruled     0 inspect tentacle.gltf --poses 3 --rig rig.json
        dressed   0 inspect dressed.gltf --poses 3
        flat      0 inspect flat.gltf --poses 3
        crowd     0 inspect crowd.gltf --poses 3
        joints    0 inspect tentacle.gltf --poses 3 --exemplars 4 --joints
        inside    0 inspect hand.gltf --poses 0 --interior --cells 4000
        loose     0 inspect dressed.gltf --poses 0 --interior --cells 2000 --bone-radius voxels
        broken    0 inspect broken.gltf --poses 3
        bare      0 inspect bare.gltf
        missing   3 inspect nothing.glb""",
    "fit-joints": f"""
        plain     0 fit-joints tentacle.gltf -o fitted.glb --poses 3 --exemplars 4
        held      0 fit-joints dressed.gltf -o held.glb --poses 0 --exemplars 4 --lock-joints Tentacle5
        unwritten 1 fit-joints tentacle.gltf -o /proc/fitted.glb --poses 0 --exemplars 4
        missing   3 fit-joints nothing.glb -o fitted2.glb""",
    "volume": f"""
        weighted  0 volume hand.gltf -o hand.vtu --cells 1500
        crowd     0 volume crowd.gltf -o crowd.mesh --cells 500 --bone-radius voxels
        refused   2 volume hand.gltf -o hand.mesh --elements cubes
        unwritten 1 volume hand.gltf -o /proc/hand.vtu --cells 500 --weights none
        missing   3 volume nothing.glb -o nothing.vtu""",
    "copy": f"""
        copy      0 copy dressed.gltf -o copied.glb
        ruled     0 copy tentacle.gltf -o spiny.glb --rig rig.json
        refused   2 copy tentacle.gltf -o tentacle.gltf""",
    "pose": f"""
        clip      0 pose tentacle.gltf -o posed.glb --time 0.4
        rest      0 pose tentacle.gltf -o rest.glb --deformer dqs
        unwritten 1 pose tentacle.gltf -o /proc/posed.glb
        no_clip   2 pose tentacle.gltf -o posed2.glb --animation Swim""",
    "": """
        no_verb   2 bnid tentacle.gltf""",
    "report": f"""
        one       0 report dressed.gltf -o one.html --poses 3 --max-texture-mb 0.01 --max-influences 1
        two       0 report biped.glb limbs.glb -o two.html --poses 3 --label artist --label heat --seconds heat=0.5
        rows      0 report tentacle.gltf rows.glb edited.glb -o rows.html --poses 3 --log energy.csv --failed rows=slow
        spines    0 report spiny.glb -o spines.html --poses 3
        interior  0 report hand.gltf limbs.glb -o interior.html --poses 0 --interior --cells 800
        no_cells  2 report hand.gltf -o refused.html --cells 800
        unjudged  0 report robot.glb -o unjudged.html --poses 0
        unwritten 1 report tentacle.gltf -o /proc/page.html --poses 0
        broken    0 report broken.gltf bare.gltf -o broken.html --poses 3
        missing   3 report nothing.glb""",
    "snapshot": f"""
        drawn      0 snapshot tentacle.gltf -o picture.png --poses 3 --browser ./browser
        unwritten  1 snapshot tentacle.gltf -o /proc/picture.png --poses 0 --browser ./browser
        no_browser 2 snapshot tentacle.gltf -o picture2.png --browser /nothing/here
        missing    3 snapshot nothing.glb -o picture.png""",
}
DRIVERS = ("twist.drivers.json", "limbs.drivers.json")
NEEDS = {"bind": ("example",), "inspect": ("example", "bind"), "fit-joints": ("example",), "copy": ("example",),
         "volume": ("example",),
         "pose": ("example",), "report": ("example", "bind", "copy"), "snapshot": ("example",), "example": (), "": ()}


@functools.cache
def folder():
    made = tempfile.mkdtemp(prefix="sinew-schema-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


@functools.cache
def run_verb(verb):
    """The JSON of every command of a verb, by name; other verbs run first where it reads what they wrote."""
    for needed in NEEDS[verb]:
        run_verb(needed)
    reports = {}
    for line in COMMANDS[verb].strip().splitlines():
        name, code, *words = line.split()
        done = subprocess.run([SINEW, *words, "--json"], cwd=folder(), capture_output=True, text=True, check=False)
        if done.returncode != int(code):
            raise AssertionError(f"sinew {' '.join(words)}: exits with {done.returncode}, not {code}\n{done.stderr}")
        reports[name] = json.loads(done.stdout)
    if verb == "example":
        for make in (made_files.crowd, made_files.levels, made_files.flat, made_files.dressed, made_files.broken,
                     made_files.bare, made_files.solid, made_files.write_edits, made_files.write_rig,
                     made_files.write_browser):
            make(folder())
    return reports


def payload_of(page):
    with open(os.path.join(folder(), page), encoding="utf-8") as file:
        return json.loads(re.search(r'<script type="application/json" id="sinew-report">(.*?)</script>', file.read(), re.S)[1])


@functools.cache
def outputs(group):
    """What is held against a schema: (what it is, the JSON, the schema)."""
    if group == "payload":
        run_verb("report")
        return [(page, payload_of(page), "report-payload.schema.json")
                for page in ("one.html", "two.html", "rows.html", "spines.html", "unjudged.html", "broken.html",
                             "interior.html")]
    if group == "drivers":
        run_verb("bind")
        files = []
        for name in DRIVERS:
            if os.path.exists(os.path.join(folder(), name)):
                with open(os.path.join(folder(), name), encoding="utf-8") as file:
                    files.append((name, json.load(file), "drivers.schema.json"))
        return files
    schema = f"{group or 'bind'}.schema.json"  # a verb that is none fails as every verb does
    return [(f"{group} {name}", report, schema) for name, report in run_verb(group).items()]


def groups():
    pages = ("report", "payload", "snapshot") if PAGES else ()
    return [verb for verb in COMMANDS if verb not in ("report", "snapshot")] + ["drivers", *pages]


SHARED = Schemas(SCHEMAS)


class Fits(unittest.TestCase):
    def fit(self, *which):
        for group in which:
            self.assertTrue(outputs(group))
            for what, output, schema in outputs(group):
                with self.subTest(what):
                    self.assertEqual(validate(output, SHARED, schema).errors, [])


class Bind(Fits):
    def test_reports_of_bind_and_its_drivers(self):
        self.fit("bind", "drivers", "")


class Others(Fits):
    def test_reports_of_inspect(self):
        self.fit("inspect")

    def test_reports_of_fit_joints(self):
        self.fit("fit-joints")

    def test_reports_of_verbs_that_only_write(self):
        self.fit("volume", "copy", "pose", "example")


@unittest.skipUnless(PAGES, "this sinew makes no pages")
class Pages(Fits):
    def test_reports_about_pages_and_the_pages_themselves(self):
        self.fit("report", "snapshot", "payload")


# Properties that none of these commands writes, each with the reason.
UNSEEN = {
    "report-payload.schema.json#/$defs/FileEntry/properties/histogram": "sinew leaves it to the page",
    "report-payload.schema.json#/$defs/HistogramEntry/properties/edges": "sinew leaves it to the page",
    "report-payload.schema.json#/$defs/HistogramEntry/properties/areas": "sinew leaves it to the page",
    "report-payload.schema.json#/$defs/PerFilePose/properties/positions": "sinew poses with joints only",
    "report-payload.schema.json#/$defs/PoseEntry/properties/thumbnail": "sinew leaves it to the page",
}


def properties_of(name, schema, pointer=""):
    """Where every property of a schema is described: "file#pointer"."""
    for key, value in schema.items() if isinstance(schema, dict) else ():
        if key in ("properties", "$defs"):
            for each, below in value.items():
                at = f"{pointer}/{key}/{each}"
                if key == "properties":
                    yield f"{name}#{at}", below
                yield from properties_of(name, below, at)
        elif isinstance(value, (dict, list)):
            parts = {str(k): part for k, part in enumerate(value)} if isinstance(value, list) else {"": value}
            for k, part in parts.items():
                yield from properties_of(name, part, f"{pointer}/{key}" + (f"/{k}" if k else ""))


def all_properties():
    for name in sorted(os.listdir(SCHEMAS)):
        yield from properties_of(name, SHARED.document(name))


class Seen(unittest.TestCase):
    maxDiff = None

    def test_every_property_is_in_an_output(self):
        seen = set()
        for group in groups():
            for _, output, schema in outputs(group):
                seen |= {f"{name}#{pointer}" for name, pointer in validate(output, SHARED, schema).seen}
        described = {at for at, _ in all_properties()}
        if not PAGES:
            described = {at for at in described if not at.startswith(("report", "snapshot"))}
        self.assertEqual(sorted(described - seen - UNSEEN.keys()), [], "described, and in no output")
        self.assertEqual(sorted(seen & UNSEEN.keys()), [], "in an output after all")
        self.assertEqual(sorted(UNSEEN.keys() - {at for at, _ in all_properties()}), [], "described nowhere")

    def test_a_report_with_a_field_more_or_less_is_refused(self):
        run = run_verb("example")["tentacle"]
        for damaged in ({**run, "vertexes": 1}, {**run, "joints": "12"}, {key: run[key] for key in run if key != "version"}):
            self.assertNotEqual(validate(damaged, SHARED, "example.schema.json").errors, [], damaged)


class Described(unittest.TestCase):
    """Of the schemas alone."""

    def description(self, at, schema):
        if "description" in schema or "$ref" not in schema:
            return schema.get("description", "")
        name, pointer = SHARED.target(at.partition("#")[0], schema["$ref"])
        return self.description(f"{name}#{pointer}", SHARED.at(name, pointer))

    def test_every_property_is_described_by_a_sentence(self):
        for at, schema in all_properties():
            self.assertRegex(self.description(at, schema), r"^[A-Z].*[A-Za-z0-9]\.$", at)

    def test_a_property_that_may_be_absent_says_when(self):
        for at, schema in all_properties():
            name, _, pointer = at.partition("#")
            parent = SHARED.at(name, pointer.rsplit("/properties/", 1)[0])
            if at.rsplit("/", 1)[1] not in parent.get("required", ()):
                said = self.description(at, schema) + parent.get("description", "")
                self.assertRegex(said, r"absent|it is there only", at)

    def test_every_object_refuses_what_nobody_described(self):
        def objects(at, schema):
            if isinstance(schema, list):
                for each in schema:
                    yield from objects(at, each)
            elif isinstance(schema, dict):
                if schema.get("type") == "object":
                    yield at, schema
                for key, each in schema.items():
                    yield from objects(f"{at}/{key}", each)
        for name in sorted(os.listdir(SCHEMAS)):
            for at, schema in objects(name, SHARED.document(name)):
                if "properties" in schema:
                    self.assertIs(schema.get("additionalProperties"), False, at)
                    self.assertLessEqual(set(schema.get("required", ())), set(schema["properties"]), at)
                else:
                    self.assertIsInstance(schema.get("additionalProperties"), dict, at)


if __name__ == "__main__":
    sys.exit(unittest.main())
