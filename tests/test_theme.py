"""Colours can be read, and told apart by people who are colour-blind; Streamlit's settings name the same ones."""

import itertools
import tomllib

import numpy as np
import pytest

from app import theme
from tests.sources import ROOT

# Machado, Oliveira & Fernandes 2009, "A physiologically-based model for simulation of color vision deficiency",
# severity 1.0, for linear RGB.
VISIONS = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}

READABLE = 4.5
"""WCAG 2.2, 1.4.3, for text of any size."""

APART = 0.08
"""A distance in Oklab that is seen at a glance; 0.02 is just noticeable."""


def linear(colour):
    share = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def oklab(rgb):
    """Ottosson 2020, "A perceptual color space for image processing"."""
    cones = [[0.4122215, 0.5363325, 0.051446], [0.2119035, 0.6806995, 0.107397], [0.0883025, 0.2817188, 0.6299787]]
    axes = [[0.2104543, 0.7936178, -0.0040721], [1.9779985, -2.4285922, 0.4505937], [0.025904, 0.7827718, -0.8086758]]
    return axes @ np.cbrt(cones @ np.clip(rgb, 0, 1))


def distance(one, other, vision):
    matrix = np.array(VISIONS[vision])
    return np.linalg.norm(oklab(matrix @ linear(one)) - oklab(matrix @ linear(other)))


def luminance(colour):
    return linear(colour) @ [0.2126, 0.7152, 0.0722]


@pytest.fixture(params=theme.SCHEMES)
def scheme(request):
    return request.param


def test_contrast_is_that_of_wcag():
    assert theme.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert theme.contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("role", ["text", "muted", "source", "target", "accent"])
@pytest.mark.parametrize("ground", ["background", "surface"])
def test_every_role_can_be_read_as_text(scheme, role, ground):
    palette = theme.PALETTES[scheme]
    assert theme.contrast(getattr(palette, role), getattr(palette, ground)) >= READABLE


@pytest.mark.parametrize("role", ["source", "target", "accent"])
def test_a_role_can_be_read_on_its_own_tint(scheme, role):
    palette = theme.PALETTES[scheme]
    assert theme.contrast(getattr(palette, role), getattr(palette, f"{role}_soft")) >= READABLE


def test_numbers_can_be_read_on_every_cell(scheme):
    for share in np.linspace(0, 1, 401):
        for colour in (theme.weight_colour(share, scheme), theme.signed_colour(2 * share - 1, 1, scheme)):
            assert theme.contrast(theme.text_on(colour, scheme), colour) >= READABLE


@pytest.mark.parametrize("vision", VISIONS)
def test_source_target_and_current_step_are_told_apart(scheme, vision):
    palette = theme.PALETTES[scheme]
    for one, other in itertools.combinations((palette.source, palette.target, palette.accent), 2):
        assert distance(one, other, vision) >= APART


@pytest.mark.parametrize("vision", VISIONS)
def test_negative_and_positive_are_told_apart(scheme, vision):
    signed = theme.PALETTES[scheme].signed
    assert distance(signed[0], signed[-1], vision) >= APART


def test_a_larger_weight_lies_further_from_the_background(scheme):
    steps = [luminance(theme.weight_colour(weight, scheme)) for weight in np.linspace(0, 1, 50)]
    ascending = scheme == "dark"
    assert all((later > earlier) == ascending for earlier, later in itertools.pairwise(steps))


def test_the_weight_scale_is_fixed_and_the_signed_one_centred_at_0(scheme):
    palette = theme.PALETTES[scheme]
    assert theme.weight_colour(0, scheme) == palette.weights[0]
    assert theme.weight_colour(1, scheme) == palette.weights[-1]
    assert theme.weight_colour(0.2, scheme) == palette.weights[1]
    middle = len(palette.signed) // 2
    assert {theme.signed_colour(0, limit, scheme) for limit in (0, 0.1, 30)} == {palette.signed[middle]}
    assert theme.signed_colour(-3, 3, scheme) == palette.signed[0]
    assert theme.signed_colour(3, 3, scheme) == palette.signed[-1]


def test_both_schemes_name_the_same_css_variables():
    names = [{line.split(":")[0] for line in theme.css_variables(scheme).splitlines()} for scheme in theme.SCHEMES]
    assert names[0] == names[1]
    assert {"--gb-source", "--gb-target", "--gb-accent", "--gb-weights-0", "--gb-signed-4", "--gb-font"} <= names[0]


def test_every_font_stack_knows_traditional_chinese_and_fetches_nothing():
    for stack in (theme.font_stack(), theme.font_stack(theme.MONO_FONTS)):
        assert "CJK TC" in stack
        assert "http" not in stack


def test_streamlit_is_given_the_same_colours_and_fonts(scheme):
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
    palette = theme.PALETTES[scheme]
    own = settings[scheme]
    assert settings["font"] == theme.font_stack()
    assert settings["codeFont"] == theme.font_stack(theme.MONO_FONTS)
    assert own["backgroundColor"] == palette.background
    assert own["secondaryBackgroundColor"] == palette.surface
    assert own["textColor"] == palette.text
    assert own["primaryColor"] == own["linkColor"] == palette.source
    assert own["grayColor"] == palette.muted
    assert own["borderColor"] == palette.border
    assert own["chartSequentialColors"] == [theme.weight_colour(index / 9, scheme) for index in range(10)]
    assert own["chartDivergingColors"] == [theme.signed_colour(index / 4.5 - 1, 1, scheme) for index in range(10)]


def test_streamlit_listens_on_this_machine_only_and_tells_nobody():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert settings["server"]["address"] == "localhost"
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["showErrorLinks"] is False
    assert settings["client"]["showErrorDetails"] == "none"


def test_the_runs_of_a_session_never_overlap_and_a_browser_keeps_what_streamlit_counts_on():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert settings["runner"]["fastReruns"] is False
    assert settings["global"]["maxCachedMessageAge"] >= 20


def test_the_plotly_template_uses_the_palette(scheme):
    layout = theme.plotly_template(scheme).layout
    palette = theme.PALETTES[scheme]
    assert layout.paper_bgcolor == layout.plot_bgcolor == palette.background
    assert layout.font.color == palette.text
    assert [colour for _, colour in layout.colorscale.sequential] == list(palette.weights)
    assert layout.colorscale.diverging[len(palette.signed) // 2] == (0.5, palette.signed[len(palette.signed) // 2])
