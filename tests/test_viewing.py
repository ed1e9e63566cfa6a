"""How a trace is shown: from the page's link to the grid and the view that the player is given."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.viewing import (
    SCALES,
    Viewing,
    grid_of,
    joined_in_link,
    joined_text,
    player_view,
    view_before,
    viewing_in_link,
    viewing_mistakes,
)
from attention_model.errors import MergeError
from tests.toy import running_example, sized_trace


def page(trace, seen):
    from app.viewing import viewing_options

    seen.append(viewing_options(trace))


def opened(**link):
    """The page of the options on the running example, and what they asked for at each run."""
    seen = []
    at = AppTest.from_function(page, kwargs={"trace": running_example(), "seen": seen}, default_timeout=60)
    for name, value in link.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at, seen


def test_the_plain_view_needs_no_grid():
    trace = running_example()
    assert grid_of(trace, Viewing()) is None
    assert player_view(trace, Viewing(scale="log"), None).grid is None
    assert player_view(trace, Viewing(scale="log"), None).scale == "log"


def test_five_rows_by_character_and_four_by_word():
    trace = running_example()
    assert trace.translation == "我很喜歡貓"
    by_character = grid_of(trace, Viewing(end_row=False))
    by_word = grid_of(trace, Viewing(end_row=False, rows="words"))
    assert by_character.weights.shape[0] == 5
    assert player_view(trace, Viewing(), by_word).row_labels == ("我", "很", "喜歡", "貓")
    np.testing.assert_allclose(by_word.weights[2], (trace.weights[2] + trace.weights[3]) / 2, rtol=1e-6)


def test_the_row_of_the_end_is_left_out_on_request():
    trace = sized_trace(3, 5)
    assert trace.finished
    whole = grid_of(trace, Viewing(columns="words"))
    assert player_view(trace, Viewing(), whole).row_labels[-1] == "the end"
    assert len(grid_of(trace, Viewing(end_row=False)).weights) == len(whole.weights) - 1 == 4


def test_rows_joined_by_hand_are_one_row():
    trace = running_example()
    grid = grid_of(trace, Viewing(rows="by hand", joined=((0, 1), (2, 3))))
    assert player_view(trace, Viewing(), grid).row_labels == ("我很", "喜歡", "貓")


def test_the_trace_before_is_put_together_likewise_but_not_by_hand():
    trace = running_example()
    assert view_before(trace, Viewing(rows="words", scale="log")).row_labels == ("我", "很", "喜歡", "貓")
    by_hand = view_before(trace, Viewing(columns="words", rows="by hand", joined=((0, 99),)))
    assert by_hand.row_labels == trace.target_tokens


@pytest.mark.parametrize("joined", [((0, 2), (1, 3)), ((0, 99),)])
def test_ranges_that_overlap_or_do_not_exist_are_refused(joined):
    with pytest.raises(MergeError):
        grid_of(running_example(), Viewing(rows="by hand", joined=joined))


def test_ranges_are_written_and_read():
    ranges = ((0, 1), (3, 5))
    assert joined_text(ranges) == "1-2,4-6"
    assert joined_in_link(joined_text(ranges)) == ranges
    assert joined_in_link("") == ()


@pytest.mark.parametrize("text", ["x", "3", "1-", "-2", "1-2-3", "1.5-2", "²-3", "99999999-3"])
def test_a_range_that_is_none_is_quoted(text):
    with pytest.raises(MergeError, match=f"“{text}”, and ranges such as 3-4"):
        joined_in_link(text)


def test_a_link_with_a_thousand_ranges_is_refused():
    with pytest.raises(MergeError, match="joins 1000 ranges of rows, and at most 60"):
        joined_in_link(",".join(["1-2"] * 1000))


def test_every_option_is_restored_from_the_link():
    _, seen = opened(
        columns="words",
        rows="words",
        end_row="false",
        scale="logarithm",
        pinyin="true",
        simplified="true",
        gloss="true",
    )
    assert seen == [Viewing("words", "words", (), False, "log", True, True, True)]


def test_without_a_link_nothing_is_changed():
    _, seen = opened()
    assert seen == [Viewing()]


@pytest.mark.parametrize("name", SCALES)
def test_every_colour_scale_can_be_chosen(name):
    at, seen = opened()
    at.segmented_control(key="scale").set_value(name).run()
    assert seen[-1].scale == SCALES[name]


def test_neighbours_are_joined_and_separated():
    at, seen = opened(rows="by hand")
    at.pills(key="neighbours").set_value([2, 3]).run()
    at.button(key="join").click().run()
    assert seen[-1].joined == ((2, 3),)
    assert at.query_params["joined"] == "3-4"
    at.pills(key="neighbours").set_value([1, 3]).run()
    at.button(key="join").click().run()
    assert seen[-1].joined == ((1, 3),)
    at.button(key="separate").click().run()
    assert seen[-1].joined == ()
    assert "joined" not in at.query_params


def test_a_link_with_nonsense_ranges_joins_nothing_and_says_so():
    at, seen = opened(rows="by hand", joined="<b>", pinyin="true")
    assert seen == [Viewing(rows="by hand", pinyin=True)]
    assert at.button(key="separate").disabled is False
    (mistake,) = viewing_mistakes({"joined": "<b>"})
    assert "ranges such as 3" in mistake
    assert "<b>" not in mistake


def test_what_a_link_gets_wrong_is_said():
    (mistake,) = viewing_mistakes({"rows": "sentences", "scale": "each row"})
    assert "rows “sentences”" in mistake
    assert "characters, words, by hand" in mistake


def test_a_link_says_how_a_trace_is_seen_without_any_widget():
    link = {"columns": "words", "rows": "by hand", "joined": "3-4", "end_row": "false", "scale": "each row"}
    assert viewing_in_link(link | {"pinyin": "true"}) == Viewing(
        "words", "by hand", ((2, 3),), end_row=False, scale="row", pinyin=True
    )
    assert viewing_in_link({"joined": "3-4"}) == Viewing()
    assert viewing_in_link({"rows": "by hand", "joined": "3", "scale": "nonsense"}) == Viewing(rows="by hand")
