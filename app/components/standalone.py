"""One HTML file that holds a player and its trace: it needs no server and no network and opens from a folder.

It knows the payload only as bytes of JSON.
"""

import html

from app.chinese_font import font_face
from app.components.step_player import PLAIN_VIEW, PlayerView, player_data, player_script, player_style

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style data-chinese-font>{font}</style>
<style>
{style}
html {{ color-scheme: light dark; }}
body {{ margin: 0; padding: 16px; background: #FFFFFF; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #12161B; }} }}
</style>
</head>
<body>
{body}
<script type="application/json">{data}</script>
<script type="module">
{script}
openStandalone(document.querySelector("main"), document.querySelector('script[type="application/json"]').textContent);
</script>
</body>
</html>
"""


def standalone_html(
    payload: bytes, *, title: str, step: int = 0, part: int | None = None, view: PlayerView = PLAIN_VIEW
) -> str:
    """The page as text. The title and the trace come from people and cannot break out of their places.

    Nothing can be changed there: that takes the model.
    """
    data = player_data(payload, step, part, view=view, writes_address=True)
    return standalone_page(title=title, style=player_style(), data=data, script=player_script())


def standalone_page(*, title: str, style: str, data: bytes, script: str, body: str = "<main></main>") -> str:
    """A page whose script has a function `openStandalone(parent, text)`, called with the data as its text.

    body: safe HTML with the element `main`, which becomes the parent.
    """
    font = font_face(title + body + data.decode("utf-8"))
    return PAGE.format(
        title=html.escape(title), font=font, style=style, body=body, data=_inside_script(data), script=script
    )


def _inside_script(json: bytes) -> str:
    """JSON that an HTML parser reads to its end: `<` stands only inside strings, where an escape says the same."""
    return json.decode("utf-8").replace("<", "\\u003c")
