# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""validate.py on schemas of a line: python3 -B validate_test.py"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from validate import SchemaError, Schemas, validate

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "validate.py")
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": False}


def errors(value, schema, **others):
    documents = {"root.json": schema, **{name + ".json": other for name, other in others.items()}}
    return validate(value, Schemas(None, documents), "root.json").errors


class Validator(unittest.TestCase):
    def accepts(self, schema, *values, **others):
        for value in values:
            self.assertEqual(errors(value, schema, **others), [], value)

    def refuses(self, schema, *values, **others):
        for value in values:
            self.assertNotEqual(errors(value, schema, **others), [], value)

    def test_types_are_those_of_json(self):
        values = {"null": None, "boolean": True, "number": 0.5, "string": "", "array": [], "object": {}}
        for name in values:
            for other, value in values.items():
                (self.accepts if name == other else self.refuses)({"type": name}, value)
        self.accepts({"type": "integer"}, 3, 3.0, -1)
        self.refuses({"type": "integer"}, 3.5, True, "3", float("nan"))
        self.refuses({"type": "number"}, False)
        self.accepts({"type": ["number", "null"]}, 1, None)
        self.refuses({"type": ["number", "null"]}, "1")

    def test_a_field_that_nobody_described_is_found(self):
        self.accepts(NAME, {}, {"name": "a"})
        self.assertEqual(errors({"name": "a", "nome": 1}, NAME), ["/nome: nobody described this"])

    def test_values_of_a_map_are_held_against_its_schema(self):
        schema = {"type": "object", "additionalProperties": {"type": "number"}}
        self.accepts(schema, {}, {"solve": 1.5})
        self.assertEqual(errors({"solve": "long"}, schema), ['/solve: is no number: "long"'])

    def test_a_field_that_is_missing_is_named(self):
        self.assertEqual(errors({}, {"required": ["name"]}), ["/: lacks name"])
        self.accepts({"required": ["name"]}, {"name": None}, [])

    def test_the_place_of_what_is_wrong_is_told(self):
        schema = {"properties": {"list": {"items": NAME}}}
        self.assertEqual(errors({"list": [{}, {"name": 1}]}, schema), ["/list/1/name: is no string: 1"])

    def test_items_follow_those_that_have_a_place(self):
        pair = {"prefixItems": [{"type": "string"}, {"type": "number"}], "items": False, "minItems": 2}
        self.accepts(pair, ["a", 1])
        self.refuses(pair, ["a"], [1, "a"], ["a", 1, 2])
        self.accepts({"prefixItems": [{"type": "string"}], "items": {"type": "number"}}, ["a", 1, 2], [])
        self.refuses({"prefixItems": [{"type": "string"}], "items": {"type": "number"}}, ["a", 1, "b"])

    def test_enum_and_const_know_true_from_one(self):
        self.accepts({"enum": ["a", None, 1]}, "a", None, 1, 1.0)
        self.refuses({"enum": ["a", None, 1]}, "b", True, [])
        self.accepts({"const": [1, {"a": False}]}, [1, {"a": False}])
        self.refuses({"const": [1, {"a": False}]}, [1, {"a": 0}], [True, {"a": False}])

    def test_minimum_and_pattern_mind_only_what_they_are_about(self):
        self.accepts({"minimum": 0}, 0, 5, "text", None)
        self.refuses({"minimum": 0}, -1, -0.001)
        self.accepts({"exclusiveMinimum": 0}, 0.001, 5, "text", None)
        self.refuses({"exclusiveMinimum": 0}, 0, -0.001)
        self.accepts({"pattern": "^[0-9]+$"}, "12", 12)
        self.refuses({"pattern": "^[0-9]+$"}, "1a", "")

    def test_any_of_needs_one_and_one_of_exactly_one(self):
        either = [{"type": "number"}, {"minimum": 0}]
        self.accepts({"anyOf": either}, 1, -1, "text")
        self.accepts({"oneOf": either}, -1, "text")
        self.refuses({"oneOf": either}, 1)
        self.refuses({"anyOf": [{"type": "number"}, {"type": "null"}]}, "text")
        self.refuses({"oneOf": [{"type": "number"}, {"type": "null"}]}, "text")

    def test_references_lead_within_a_file_and_to_others(self):
        schema = {"$defs": {"a/b": {"type": "number"}}, "properties": {"own": {"$ref": "#/$defs/a~1b"},
                  "other": {"$ref": "other.json#/$defs/x"}, "all": {"$ref": "other.json"}}}
        other = {"$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"type": "null"}}, "type": "string"}
        self.accepts(schema, {"own": 1, "other": None, "all": "text"}, other=other)
        for wrong in ({"own": None}, {"other": 1}, {"all": 1}):
            self.refuses(schema, wrong, other=other)

    def test_a_schema_that_cannot_be_meant_is_an_error(self):
        for schema in ({"maxProperties": 3}, {"type": "text"}, {"$ref": "#/$defs/none"}, {"anyOf": [{"$ref": "#/none"}]}, 7):
            with self.assertRaises(SchemaError, msg=schema):
                errors({}, schema)

    def test_only_branches_that_fit_count_as_seen(self):
        schema = {"anyOf": [{"properties": {"a": {"type": "number"}}}, {"properties": {"a": {}, "b": {}}}]}
        run = validate({"a": "text", "b": 1}, Schemas(None, {"root.json": schema}), "root.json")
        self.assertEqual(run.seen, {("root.json", "/anyOf/1/properties/a"), ("root.json", "/anyOf/1/properties/b")})

    def test_the_program_tells_what_is_wrong_and_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, value in (("name.schema.json", NAME), ("good.json", {}), ("bad.json", {"name": 1})):
                paths.append(os.path.join(folder, name))
                with open(paths[-1], "w", encoding="utf-8") as file:
                    json.dump(value, file)
            schema, good, bad = paths
            run = lambda *files: subprocess.run([sys.executable, "-B", SCRIPT, *files], capture_output=True, text=True,
                                                check=False)
            self.assertEqual((run(schema, good).returncode, run(schema, good).stdout), (0, ""))
            self.assertEqual((run(schema, good, bad).returncode, run(schema, bad).stdout),
                             (1, f"{bad}: /name: is no string: 1\n"))
            self.assertEqual(run(schema).returncode, 2)


if __name__ == "__main__":
    unittest.main()
