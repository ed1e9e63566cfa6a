"""A page that mounts the player as Streamlit does, in a shadow root, and keeps what it reports in `reported`.

`mount(text)` gives the player other data, as a rerun would.
"""

from app.components.step_player import player_script, player_style

BACKGROUNDS = {"light": "#FFFFFF", "dark": "#12161B"}

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ margin: 0; padding: 16px; background: {background}; --st-background-color: {background}; }}
</style>
</head>
<body>
<main></main>
<script type="application/json">{data}</script>
<script type="text/plain" id="style">{style}</script>
<script type="module">
{script}
const parentElement = document.querySelector("main").attachShadow({{ mode: "open" }});
const style = document.createElement("style");
style.textContent = document.querySelector("#style").textContent;
parentElement.append(style);
window.reported = [];
const setStateValue = (name, value) => window.reported.push([name, value]);
window.mount = (text) => mountPlayer({{ data: new TextEncoder().encode(text), parentElement, setStateValue }});
window.mount(document.querySelector('script[type="application/json"]').textContent);
</script>
</body>
</html>
"""


def component_html(data, scheme="light"):
    """The page as text. data: from `player_data`."""
    return PAGE.format(
        data=data.decode().replace("<", "\\u003c"),
        background=BACKGROUNDS[scheme],
        style=player_style(),
        script=player_script(),
    )
