"""Roles to colours, fonts and sizes, for light and dark: the only place where a colour is named.

It knows no page, figure or trace. Every colour has a role; the roles that must be told apart (source, target, current
step) stay apart for the three kinds of colour blindness, and nothing is told by colour alone anywhere.
"""

from dataclasses import dataclass

import plotly.graph_objects as go

SCHEMES = ("light", "dark")

CHINESE_FONT = "Glanceback Chinese"
"""What style sheets call the Chinese font that is shipped with the app, for machines that have none."""

SANS_FONTS = (
    "Inter",
    "Segoe UI",
    "Roboto",
    "Helvetica Neue",
    "Arial",
    "Noto Sans CJK TC",
    "Noto Sans TC",
    "PingFang TC",
    "Microsoft JhengHei",
    CHINESE_FONT,
    "sans-serif",
)
"""Fonts that machines already have, Latin first, then Traditional Chinese, then ours; nothing comes from elsewhere."""

MONO_FONTS = (
    "ui-monospace",
    "SF Mono",
    "Cascadia Mono",
    "Consolas",
    "DejaVu Sans Mono",
    "Noto Sans Mono CJK TC",
    CHINESE_FONT,
    "monospace",
)


@dataclass(frozen=True)
class Palette:
    """The colours of one scheme, all as `#RRGGBB`.

    background, surface: the page, and what lies on it (cards, frames).
    text, muted, border, grid: words, quieter words, frames, the lines between cells.
    source, source_soft: the source side, and its tint behind text. target, target_soft: the target side.
    accent, accent_soft: the current step, and nothing else.
    weights: the sequential scale, evenly spaced from weight 0 to weight 1.
    signed: the diverging scale, evenly spaced from the most negative through 0, its middle, to the most positive.
    cell_dark, cell_light: the two colours of numbers printed on a cell of either scale.
    """

    background: str
    surface: str
    text: str
    muted: str
    border: str
    grid: str
    source: str
    source_soft: str
    target: str
    target_soft: str
    accent: str
    accent_soft: str
    weights: tuple[str, ...]
    signed: tuple[str, ...]
    cell_dark: str
    cell_light: str


PALETTES = {
    "light": Palette(
        background="#FFFFFF",
        surface="#F6F7F9",
        text="#1B2129",
        muted="#59636F",
        border="#D5DAE1",
        grid="#E6E9EE",
        source="#1459B8",
        source_soft="#E3EDFA",
        target="#B5460F",
        target_soft="#FBEADF",
        accent="#852C7C",
        accent_soft="#F6E6F4",
        weights=("#F4F7F6", "#CBE4DF", "#8CC6BD", "#479C94", "#176D69", "#083F42"),
        signed=("#54349B", "#9F8BCB", "#F3F4F6", "#79BCB1", "#0B6A61"),
        cell_dark="#000000",
        cell_light="#FFFFFF",
    ),
    "dark": Palette(
        background="#12161B",
        surface="#1A1F26",
        text="#E9EDF2",
        muted="#A3AEBB",
        border="#38414C",
        grid="#2A313A",
        source="#7DB7F5",
        source_soft="#1B3049",
        target="#F2A065",
        target_soft="#43291A",
        accent="#F067A6",
        accent_soft="#45203A",
        weights=("#1B2127", "#1D3A3F", "#215E5D", "#2E8E85", "#6BC5B4", "#CBF4E6"),
        signed=("#BDA9FF", "#64559C", "#22272E", "#2E766D", "#67DECA"),
        cell_dark="#000000",
        cell_light="#FFFFFF",
    ),
}


@dataclass(frozen=True)
class Sizes:
    """Sizes in CSS pixels."""

    body: int = 16
    small: int = 13
    token: int = 18
    translation: int = 34
    cell: int = 44
    radius: int = 8


SIZES = Sizes()


def font_stack(fonts: tuple[str, ...] = SANS_FONTS) -> str:
    """The fonts as the value of CSS `font-family`."""
    return ", ".join(f'"{name}"' if " " in name else name for name in fonts)


def css_variables(scheme: str) -> str:
    """The CSS declarations that name every role for the player, such as `--gb-source: #1459B8;`, one a line.

    A scale becomes numbered variables, `--gb-weights-0` to `--gb-weights-5` and `--gb-signed-0` to `--gb-signed-4`.
    """
    palette = PALETTES[scheme]
    lines = [f"color-scheme: {scheme};", f"--gb-font: {font_stack()};", f"--gb-mono: {font_stack(MONO_FONTS)};"]
    for role, value in vars(palette).items():
        name = f"--gb-{role.replace('_', '-')}"
        if isinstance(value, tuple):
            lines += [f"{name}-{index}: {colour};" for index, colour in enumerate(value)]
        else:
            lines.append(f"{name}: {value};")
    lines += [f"--gb-size-{name}: {size}px;" for name, size in vars(SIZES).items()]
    return "\n".join(lines)


def weight_colour(weight: float, scheme: str) -> str:
    """The colour of a weight, on the scale that is fixed at 0..1 whatever else is drawn."""
    return _interpolate(PALETTES[scheme].weights, weight)


def signed_colour(value: float, limit: float, scheme: str) -> str:
    """The colour of a signed number on the scale centred at 0 that ends at -limit and +limit."""
    return _interpolate(PALETTES[scheme].signed, 0.5 if limit == 0 else 0.5 + value / (2 * limit))


def text_on(colour: str, scheme: str) -> str:
    """The one of the scheme's two cell text colours that is easier to read on this colour."""
    palette = PALETTES[scheme]
    return max((palette.cell_dark, palette.cell_light), key=lambda text: contrast(text, colour))


def colour_scale(colours: tuple[str, ...]) -> list[list[float | str]]:
    """The colours as an evenly spaced Plotly colour scale."""
    return [[index / (len(colours) - 1), colour] for index, colour in enumerate(colours)]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def plotly_template(scheme: str) -> go.layout.Template:
    """The look of every Plotly figure: fonts, colours, quiet axes."""
    palette = PALETTES[scheme]
    axis = {
        "gridcolor": palette.grid,
        "linecolor": palette.border,
        "zerolinecolor": palette.border,
        "tickcolor": palette.border,
        "tickfont": {"color": palette.text, "size": SIZES.body},
        "title": {"font": {"color": palette.muted, "size": SIZES.small}},
    }
    return go.layout.Template(
        layout={
            "font": {"family": font_stack(), "color": palette.text, "size": SIZES.small},
            "paper_bgcolor": palette.background,
            "plot_bgcolor": palette.background,
            "colorway": [palette.source, palette.target, palette.accent, palette.weights[3], palette.muted],
            "colorscale": {
                "sequential": colour_scale(palette.weights),
                "diverging": colour_scale(palette.signed),
            },
            "hoverlabel": {
                "bgcolor": palette.surface,
                "bordercolor": palette.border,
                "font": {"color": palette.text, "family": font_stack(), "size": SIZES.small},
            },
            "margin": {"l": 16, "r": 16, "t": 16, "b": 16},
            "xaxis": axis,
            "yaxis": axis,
        }
    )


def _channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0..255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    """Relative luminance, 0..1 (WCAG 2.2)."""
    linear = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _interpolate(colours: tuple[str, ...], share: float) -> str:
    """The colour at a share 0..1 of an evenly spaced scale, channel by channel as Plotly and SVG do it."""
    position = min(max(share, 0.0), 1.0) * (len(colours) - 1)
    index = min(int(position), len(colours) - 2)
    rest = position - index
    mixed = (
        round(low + (high - low) * rest)
        for low, high in zip(_channels(colours[index]), _channels(colours[index + 1]), strict=True)
    )
    return "#" + "".join(f"{channel:02X}" for channel in mixed)
