# SPDX-License-Identifier: MIT
"""Makes InterTab-*.ttf from the variable Inter: python make_fonts.py Inter.ttf (needs fonttools)."""

import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

WEIGHTS = {400: "Regular", 500: "Medium", 600: "SemiBold", 700: "Bold"}
LATIN = range(0x20, 0x180)
SIGNS = "\u2009\u200a\u202f\u2010\u2011\u2012\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026←↑→↓⇥−≈≤≥μ▲▼●✓✗⚠"
FAMILY = "Inter Tab"


def use_tabular_digits(font):
    """Maps the characters 0 to 9 to the glyphs that the feature tnum would put in their place."""
    table = font["GSUB"].table
    lookups = next(r.Feature.LookupListIndex for r in table.FeatureList.FeatureRecord if r.FeatureTag == "tnum")
    swaps = {}
    for index in lookups:
        for subtable in table.LookupList.Lookup[index].SubTable:
            swaps.update(getattr(subtable, "ExtSubTable", subtable).mapping)
    for characters in (t.cmap for t in font["cmap"].tables if t.isUnicode()):
        for digit in map(ord, "0123456789"):
            characters[digit] = swaps.get(characters[digit], characters[digit])


def rename(font, style):
    plain = style in ("Regular", "Bold")
    names = font["name"]
    for record in list(names.names):
        if record.nameID in (16, 17, 21, 22, 25):
            names.removeNames(nameID=record.nameID)
    texts = {
        1: FAMILY if plain else f"{FAMILY} {style}",
        2: style if plain else "Regular",
        4: f"{FAMILY} {style}",
        6: f"InterTab-{style}",
        16: FAMILY,
        17: style,
    }
    for platform in ((3, 1, 0x409), (1, 0, 0)):
        for name_id, text in texts.items():
            names.setName(text, name_id, *platform)
    bold = style == "Bold"
    font["OS/2"].fsSelection = (font["OS/2"].fsSelection & ~0x61) | (0x20 if bold else 0x40)


def main():
    source = sys.argv[1]
    for weight, style in WEIGHTS.items():
        font = instancer.instantiateVariableFont(TTFont(source), {"wght": weight, "opsz": 14}, updateFontNames=False)
        use_tabular_digits(font)
        options = subset.Options(layout_features=["kern", "mark", "mkmk", "ccmp"], name_IDs=["*"], hinting=False)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=[*LATIN, *map(ord, SIGNS)])
        subsetter.subset(font)
        rename(font, style)
        font["OS/2"].usWeightClass = weight
        if "STAT" in font:
            del font["STAT"]
        font.save(pathlib.Path(__file__).parent / f"InterTab-{style}.ttf")


if __name__ == "__main__":
    main()
