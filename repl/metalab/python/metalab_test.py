"""Tests of metalab.py that need nothing beside Python."""

import os
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import metalab  # noqa: E402


class Magic(unittest.TestCase):
    def test_cell(self):
        for line, lines, want in (
            ("open acs E1k.0 as a; step a 1", None, "%lab open acs E1k.0 as a; step a 1"),
            ("", "step a 1\n\n  # of no use\n  plot a tour\n",
             "\n%lab step a 1\n\n\n%lab plot a tour"),
            (" go ", "x := 1\nx", "\nx := 1\nx"),
        ):
            self.assertEqual(metalab.cell(line, lines), want)
        with self.assertRaisesRegex(metalab.Error, "^%%metalab takes lines .* not 'python'$"):
            metalab.cell("python", "1")

    def test_error_is_one_line(self):
        self.assertEqual(metalab.Error("no run a")._render_traceback_(1, 2), ["no run a"])

    def test_program(self):
        with tempfile.TemporaryDirectory() as d, mock.patch.dict(os.environ, PATH=d):
            with self.assertRaisesRegex(metalab.Error, "install its wheel with pip"):
                metalab.program()
            path = os.path.join(d, "metalab")
            with open(path, "w") as f:
                f.write("#!/bin/sh\n")
            os.chmod(path, 0o755)
            self.assertEqual(metalab.program(), path)

    def test_end_without_a_session(self):
        metalab.stop()
        metalab.unload_ipython_extension(None)


if __name__ == "__main__":
    unittest.main()
