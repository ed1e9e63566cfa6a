"""Tokens as figures write them. It knows neither traces nor colours."""

from attention_model.trace import END_TOKEN


def shown(text: str) -> str:
    """A text as Plotly shall show it: Plotly reads a small HTML of its own, and tokens come from people."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def token_name(token: str) -> str:
    """A target token as Plotly shall show it, the end token in words."""
    return "the end" if token == END_TOKEN else shown(token)
