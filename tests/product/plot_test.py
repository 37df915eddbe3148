# SPDX-License-Identifier: MIT
"""The published figure, drawn without any display."""

import pathlib
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBERS = ("4.86", "21.71", "7.60", "16.87", "1.56× faster", "1.29× slower")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def plot(bench, tmp_path, monkeypatch):
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(variable, raising=False)

    def run(name, *options):
        chart = tmp_path / name
        finished = bench("plot", ROOT / "resources/published", "--export-chart", chart, *options)
        assert finished.returncode == 0, finished.stderr
        return chart

    return run


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_svg_tells_its_numbers_as_text(plot, theme):
    root = ElementTree.parse(plot("f.svg", "--theme", theme)).getroot()
    description = root.find(f"{SVG}desc").text
    for number in NUMBERS:
        assert number in description
    assert "Published" in description
    assert root.find(f".//{SVG}text") is None, "text is drawn as outlines"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pdf_can_be_searched(plot, theme):
    chart = plot("f.pdf", "--theme", theme)
    if shutil.which("pdftotext") is None:
        pytest.skip("no pdftotext (apt install poppler-utils)")
    text = subprocess.run(["pdftotext", chart, "-"], capture_output=True, text=True, check=True).stdout
    for number in NUMBERS:
        assert number in text


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_png_is_one(plot, theme):
    chart = plot("f.png", "--theme", theme, "--scale", "3")
    header = chart.read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(header[16:20], "big") == 3 * 720


def test_a_damaged_file_is_named_and_the_others_are_drawn(bench, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    good = ROOT / "resources/published/breakdown_rtx-3050.json"
    finished = bench("plot", bad, good, "--export-chart", tmp_path / "f.svg")
    assert finished.returncode == 4
    assert str(bad) in finished.stderr
    assert (tmp_path / "f.svg").stat().st_size > 1000


def test_without_a_display_the_window_says_so(bench, monkeypatch):
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(variable, raising=False)
    finished = bench("window")
    assert finished.returncode == 2
    assert "no display" in finished.stderr
