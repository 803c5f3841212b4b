#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Holds JSON against a schema, with the keywords that docs/schema uses and no others.

  validate.py SCHEMA FILE...    says what is wrong, and fails if anything is

A keyword that this program does not know is an error: what nobody checks must not look checked.
"""
import json
import math
import os
import re
import sys

ANNOTATIONS = {"$schema", "$comment", "title", "description", "$defs"}
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")


class SchemaError(Exception):
    """A schema that cannot be read as one."""


def is_type(value, name):
    if name not in TYPES:
        raise SchemaError(f"there is no type {name!r}")
    if isinstance(value, bool) or value is None:
        return name == ("null" if value is None else "boolean")
    if isinstance(value, (int, float)):
        return name == "number" or name == "integer" and math.isfinite(value) and value == int(value)
    return name == {str: "string", list: "array", dict: "object"}[type(value)]


def same(a, b):
    """Equality as JSON has it: true is not 1, and 1.0 is, at any depth."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return a == b


def escaped(key):
    return key.replace("~", "~0").replace("/", "~1")


class Schemas:
    """The schemas of a folder, read when they are first asked for."""

    def __init__(self, folder, documents=None):
        self.folder = folder
        self.documents = dict(documents or {})

    def document(self, name):
        if name not in self.documents:
            try:
                with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                    self.documents[name] = json.load(file)
            except OSError as error:
                raise SchemaError(f"there is no schema {name}") from error
        return self.documents[name]

    def at(self, name, pointer):
        """What a JSON pointer leads to, as "/$defs/figures" or empty for all."""
        found = self.document(name)
        for step in pointer.split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            if isinstance(found, list) and step.isdigit() and int(step) < len(found):
                found = found[int(step)]
            elif isinstance(found, dict) and step in found:
                found = found[step]
            else:
                raise SchemaError(f"{name}#{pointer} leads nowhere")
        return found

    def target(self, name, reference):
        """The file and the pointer that a $ref in the file `name` leads to."""
        file, _, pointer = reference.partition("#")
        self.at(file or name, pointer)
        return file or name, pointer


class Run:
    """One value held against one schema: what is wrong, and which properties were seen."""

    def __init__(self, schemas):
        self.schemas = schemas
        self.errors = []
        self.seen = set()  # (file, pointer) of the schema of a property

    def wrong(self, at, text):
        self.errors.append(f"{at or '/'}: {text}")

    def check(self, value, name, pointer="", at=""):
        schema = self.schemas.at(name, pointer)
        if isinstance(schema, bool):
            if not schema:
                self.wrong(at, "nothing may be here")
            return
        if not isinstance(schema, dict):
            raise SchemaError(f"{name}#{pointer} is no schema")
        for keyword, argument in schema.items():
            if keyword in ANNOTATIONS:
                continue
            rule = RULES.get(keyword)
            if rule is None:
                raise SchemaError(f"{name}#{pointer}: the keyword {keyword!r} is not known")
            rule(self, value, argument, (name, pointer, at))

    def trial(self, value, name, pointer, at):
        run = Run(self.schemas)
        run.check(value, name, pointer, at)
        return run

    def branches(self, value, count, keyword, place):
        """One run for each of the schemas of anyOf or oneOf."""
        name, pointer, at = place
        return [self.trial(value, name, f"{pointer}/{keyword}/{k}", at) for k in range(count)]


def check_ref(run, value, argument, place):
    run.check(value, *run.schemas.target(place[0], argument), place[2])


def check_type(run, value, argument, place):
    names = argument if isinstance(argument, list) else [argument]
    if not any([is_type(value, name) for name in names]):
        run.wrong(place[2], f"is no {' or '.join(names)}: {shown(value)}")


def check_enum(run, value, argument, place):
    if not any(same(value, each) for each in argument):
        run.wrong(place[2], f"is none of {', '.join(map(shown, argument))}: {shown(value)}")


def check_const(run, value, argument, place):
    if not same(value, argument):
        run.wrong(place[2], f"is not {shown(argument)}: {shown(value)}")


def check_minimum(run, value, argument, place):
    if is_type(value, "number") and not value >= argument:
        run.wrong(place[2], f"is below {argument}: {shown(value)}")


def check_exclusive_minimum(run, value, argument, place):
    if is_type(value, "number") and not value > argument:
        run.wrong(place[2], f"is not above {argument}: {shown(value)}")


def check_pattern(run, value, argument, place):
    if isinstance(value, str) and not re.search(argument, value):
        run.wrong(place[2], f"does not match {argument}: {shown(value)}")


def check_required(run, value, argument, place):
    for key in argument if isinstance(value, dict) else ():
        if key not in value:
            run.wrong(place[2], f"lacks {key}")


def check_properties(run, value, argument, place):
    name, pointer, at = place
    for key in argument if isinstance(value, dict) else ():
        if key in value:
            below = f"{pointer}/properties/{escaped(key)}"
            run.seen.add((name, below))
            run.check(value[key], name, below, f"{at}/{key}")


def check_additional_properties(run, value, argument, place):
    name, pointer, at = place
    known = run.schemas.at(name, pointer).get("properties", {})
    for key in value if isinstance(value, dict) else ():
        if key not in known and argument is False:
            run.wrong(f"{at}/{key}", "nobody described this")
        elif key not in known:
            run.check(value[key], name, f"{pointer}/additionalProperties", f"{at}/{key}")


def check_items(run, value, argument, place):
    del argument
    name, pointer, at = place
    first = len(run.schemas.at(name, pointer).get("prefixItems", []))
    for k in range(first, len(value) if isinstance(value, list) else 0):
        run.check(value[k], name, f"{pointer}/items", f"{at}/{k}")


def check_prefix_items(run, value, argument, place):
    name, pointer, at = place
    for k in range(min(len(argument), len(value)) if isinstance(value, list) else 0):
        run.check(value[k], name, f"{pointer}/prefixItems/{k}", f"{at}/{k}")


def check_min_items(run, value, argument, place):
    if isinstance(value, list) and len(value) < argument:
        run.wrong(place[2], f"has {len(value)} items, fewer than {argument}")


def check_any_of(run, value, argument, place):
    trials = run.branches(value, len(argument), "anyOf", place)
    good = [trial for trial in trials if not trial.errors]
    for trial in good:
        run.seen |= trial.seen
    if not good:  # the branch that came nearest tells most
        run.errors += min(trials, key=lambda trial: len(trial.errors)).errors


def check_one_of(run, value, argument, place):
    good = [trial for trial in run.branches(value, len(argument), "oneOf", place) if not trial.errors]
    if len(good) == 1:
        run.seen |= good[0].seen
    else:
        run.wrong(place[2], f"fits {len(good)} of the schemas that it has to fit one of")


RULES = {
    "$ref": check_ref,
    "type": check_type,
    "enum": check_enum,
    "const": check_const,
    "minimum": check_minimum,
    "exclusiveMinimum": check_exclusive_minimum,
    "pattern": check_pattern,
    "required": check_required,
    "properties": check_properties,
    "additionalProperties": check_additional_properties,
    "items": check_items,
    "prefixItems": check_prefix_items,
    "minItems": check_min_items,
    "anyOf": check_any_of,
    "oneOf": check_one_of,
}


def shown(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def validate(value, schemas, name):
    """The run of one value against the whole of one schema."""
    run = Run(schemas)
    run.check(value, name)
    return run


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    schemas = Schemas(os.path.dirname(os.path.abspath(arguments[0])))
    wrong = 0
    for path in arguments[1:]:
        with open(path, encoding="utf-8") as file:
            for error in validate(json.load(file), schemas, os.path.basename(arguments[0])).errors:
                print(f"{path}: {error}")
                wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
