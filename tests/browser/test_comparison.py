"""The comparison alone in one HTML file, in a real Chromium, over file:// and without a network."""

from xml.etree import ElementTree

import numpy as np
import pytest

from app import theme
from app.components.comparison_player import (
    comparison_data,
    comparison_html,
    comparison_payload,
    comparison_script,
)
from attention_model import analysis
from tests import toy
from tests.browser.expected import expect_no_sideways_scroll
from tests.browser.test_map import differences
from tests.browser.test_pictures import SVG, saved, texts
from tests.browser.test_player import numbers, press
from tests.test_comparison_player import compared, difference_of, scored_two_ways, with_scores

DESK = (1440, 900)
PHONE = (390, 844)
LINKS = ((0, 0, True), (3, 1, False), (4, 1, True), (1, 2, True), (2, 4, True))
"""Of the running example, as (source position, target step, sure)."""


@pytest.fixture
def open_comparison(new_page, tmp_path):
    """A function that opens traces side by side: `open_comparison([trace, other], aligned=False, viewport=PHONE)`.

    The traces are given as they are or as `compared`, and are called Trace 1, Trace 2, … where they have no title.
    """

    def opened(traces, difference=None, *, aligned=True, place="", **options):
        named = [
            trace if isinstance(trace, tuple) else compared(trace, f"Trace {number}")
            for number, trace in enumerate(traces, start=1)
        ]
        page = new_page(**{"viewport": DESK, **options})
        file = tmp_path / "comparison.html"
        payload = comparison_payload(named, difference, aligned=aligned)
        file.write_text(comparison_html(payload, title="A comparison"), "utf-8")
        page.goto(file.as_uri() + place)
        page.wait_for_selector(".comparison[data-step]")
        return page

    return opened


def three_of_eight():
    """Three aligned traces, eight tokens to eight."""
    first, second = scored_two_ways(toy.sized_trace(8, 8, seed=3))
    return first, second, with_scores(first, first.scores / 3)


def of_lengths(*lengths):
    """Traces of one sentence that ended after so many steps."""
    return [toy.sized_trace(7, length, seed=length) for length in lengths]


def step_of(page):
    return page.locator(".comparison").get_attribute("data-step")


def classes(page, selector):
    return page.locator(selector).evaluate_all("all => all.map(one => one.getAttribute('class'))")


def linked(page):
    """(map, step, source) of every marked cell."""
    return page.locator(".map-cell.linked").evaluate_all(
        """all => all.map(cell => [cell.closest("[data-map]").dataset.map, cell.dataset.step, cell.dataset.source]
            .map(Number))"""
    )


def test_all_maps_step_together(open_comparison):
    traces = three_of_eight()
    page = open_comparison(traces)
    assert step_of(page) == "0"
    press(page, "ArrowRight", "ArrowRight")
    assert step_of(page) == "2"
    assert page.locator(".counter").inner_text() == "step 3 of 8"
    for number, trace in enumerate(traces):
        panel = page.locator(".compared").nth(number)
        assert panel.locator(".map-row:not(.future)").count() == 3
        assert panel.locator(".map-row.current").get_attribute("data-step") == "2"
        assert panel.locator(".so-far .current").inner_text() == trace.target_tokens[2]
        assert panel.locator(".so-far .token:not(.future)").all_inner_texts() == list(trace.target_tokens[:3])
        assert panel.locator(".step-sentence .spoken").inner_text() == analysis.describe_step(trace, 2, "") + "."
        entropy = analysis.weight_entropy(trace.weights)[2]
        assert panel.locator(".entropy").inner_text() == f"entropy {entropy:.2f} bits, at most 3.00"
    press(page, "End", "Home", "ArrowRight")
    assert step_of(page) == "1"


def test_maps_print_their_own_weights_in_colours_of_one_scale(open_comparison):
    traces = three_of_eight()
    page = open_comparison(traces, place="#step=8")
    for number, trace in enumerate(traces):
        panel = f".compared:nth-child({number + 1})"
        assert numbers(page, f"{panel} .map-cell text") == [pytest.approx(w, abs=0.005) for w in trace.weights.ravel()]
        found = page.locator(f"{panel} .map-cell > rect:first-child").evaluate_all(
            "all => all.map(one => one.getAttribute('fill'))"
        )
        assert differences(found, [theme.weight_colour(weight, "light") for weight in trace.weights.ravel()]) <= 1
    assert page.locator(".legend svg").first.locator("text").all_text_contents() == ["weight α̂", "0", "0.5", "1"]


def test_a_title_and_a_note_stand_over_each_map(open_comparison):
    nasty = "<b>很</b> & dot"
    page = open_comparison([compared(toy.running_example(), nasty), compared(toy.running_example(), "Additive")])
    assert page.locator(".compared h3").all_inner_texts() == [nasty, "Additive"]
    assert page.locator(".compared .note").all_inner_texts() == [f"a note on {nasty}", "a note on Additive"]


def test_chinese_says_that_it_is(open_comparison):
    page = open_comparison([toy.running_example()], place="#step=5")
    assert classes(page, ".so-far .token:not([lang='zh-Hant'])") == []
    assert page.locator(".so-far .token").count() == 5
    assert page.locator(".spoken [lang='zh-Hant']").inner_text() == "貓"


def test_pointing_at_a_cell_marks_the_same_cell_in_every_aligned_map(open_comparison):
    first, second, _ = three_of_eight()
    page = open_comparison([first, second], difference_of(first, second), place="#step=8")
    page.locator('.compared .map-cell[data-step="5"][data-source="2"]').first.hover()
    assert linked(page) == [[0, 5, 2], [1, 5, 2], [2, 5, 2]]
    assert page.locator(".column-mark.shown").count() == 3
    assert page.locator(".hint").inner_text().endswith(f": {first.weights[5, 2]!s}")
    page.locator('.difference .map-cell[data-step="3"][data-source="6"]').hover()
    assert linked(page) == [[0, 3, 6], [1, 3, 6], [2, 3, 6]]
    page.locator(".counter").hover()
    assert linked(page) == []
    assert page.locator(".column-mark.shown").count() == 0


def test_pointing_at_a_cell_marks_only_its_column_where_rows_do_not_line_up(open_comparison):
    page = open_comparison(of_lengths(5, 11), aligned=False, place="#step=11")
    page.locator('.compared:nth-child(2) .map-cell[data-step="3"][data-source="2"]').hover()
    assert linked(page) == [[1, 3, 2]]
    assert page.locator(".column-mark.shown").count() == 2
    lefts = [
        page.locator(".column-mark").nth(which).bounding_box()["x"]
        - page.locator(".compared .map").nth(which).bounding_box()["x"]
        for which in (0, 1)
    ]
    assert lefts[0] == pytest.approx(lefts[1], abs=0.5)


def test_a_focused_cell_is_walked_and_marked_in_the_others_too(open_comparison):
    page = open_comparison(three_of_eight(), place="#step=6")
    page.locator('.compared:nth-child(2) .map-cell[tabindex="0"]').focus()
    press(page, "ArrowUp", "ArrowRight")
    assert linked(page) == [[0, 4, 1], [1, 4, 1], [2, 4, 1]]
    widths = page.locator(".map-cell.linked > rect:first-child").evaluate_all(
        "all => all.map(one => Number.parseFloat(getComputedStyle(one).strokeWidth))"
    )
    assert widths[1] > widths[0] == widths[2]
    assert step_of(page) == "5"
    press(page, "Enter")
    assert step_of(page) == "4"
    assert page.locator('.map-cell[tabindex="0"]').count() == 3


def test_a_click_on_a_row_leads_all_to_its_step(open_comparison):
    page = open_comparison(three_of_eight(), place="#step=8")
    page.locator('.compared:nth-child(3) .map-label[data-step="3"] .label-word').click()
    assert step_of(page) == "3"
    assert page.locator('.map-row.current[data-step="3"]').count() == 3


def test_an_ended_translation_stays_at_its_last_row_and_says_so(open_comparison):
    page = open_comparison(of_lengths(5, 7), aligned=False, place="#step=5")
    assert page.locator(".counter").inner_text() == "step 5 of 7"
    assert page.locator(".end-note").evaluate_all(
        "all => all.map(one => one.checkVisibility({ visibilityProperty: true }))"
    ) == [
        False,
        False,
    ]
    press(page, "ArrowRight")
    assert step_of(page) == "5"
    ended, going = page.locator(".compared").all()
    assert ended.locator(".end-note").is_visible()
    assert ended.locator(".end-note").inner_text() == "ended at step 5"
    assert not going.locator(".end-note").is_visible()
    assert [panel.locator(".map-row.current").get_attribute("data-step") for panel in (ended, going)] == ["4", "5"]
    assert ended.locator(".spoken").inner_text().startswith("The end")
    assert ended.locator(".current-mark").evaluate("mark => getComputedStyle(mark).borderTopStyle") == "dashed"


def test_a_trace_without_attention_says_so_in_place_of_a_map(open_comparison):
    none = toy.sized_trace(7, 5, scorer="none")
    page = open_comparison([toy.sized_trace(7, 5), none], aligned=False, place="#step=3")
    panel = page.locator(".compared").nth(1)
    assert panel.locator(".map").count() == 0
    assert "no weights" in panel.locator(".no-weights").inner_text()
    assert panel.locator(".so-far .token:not(.future)").all_inner_texts() == list(none.target_tokens[:3])
    assert panel.locator(".spoken").inner_text() == f"{none.target_tokens[2]} is produced without attention."
    assert panel.locator(".entropy").count() == 0


def test_nothing_but_traces_without_attention_is_still_stepped(open_comparison):
    page = open_comparison([toy.sized_trace(7, 5, scorer="none")])
    press(page, "End")
    assert step_of(page) == "4"
    assert page.locator(".zoom").is_visible() is False
    assert page.locator(".legend svg").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_difference_has_a_scale_centred_at_zero_and_words_for_agreement(open_comparison, scheme):
    first, second, _ = three_of_eight()
    view = difference_of(first, second)
    page = open_comparison([first, second], view, place="#step=8", color_scheme=scheme)
    panel = page.locator(".difference")
    assert panel.locator("h3").inner_text() == "Trace 1 − Trace 2"
    assert numbers(page, ".difference .map-cell text") == [
        pytest.approx(value, abs=0.005) for value in view.differences.ravel()
    ]
    found = panel.locator(".map-cell > rect:first-child").evaluate_all(
        "all => all.map(one => one.getAttribute('fill'))"
    )
    assert differences(found, [theme.signed_colour(value, 1, scheme) for value in view.differences.ravel()]) <= 1
    inks = panel.locator(".map-cell text").evaluate_all("all => all.map(one => one.getAttribute('fill'))")
    assert min(map(theme.contrast, inks, found)) >= 4.5
    assert panel.locator(".agreement").all_inner_texts() == [
        "agrees" if agrees else "differs" for agrees in view.agrees
    ]
    assert numbers(page, ".difference .distance") == [pytest.approx(one, abs=0.005) for one in view.distances]
    scale = page.locator(".legend svg").nth(1)
    assert scale.locator("text").all_text_contents() == ["difference of weights", "−1.00", "0", "1.00"]


def test_the_facts_of_a_row_stand_beside_it_and_come_with_it(open_comparison):
    first, second, _ = three_of_eight()
    page = open_comparison([first, second], difference_of(first, second), place="#step=3")
    rows = page.locator(".difference .map-cells [role=row]")
    facts = page.locator(".row-facts li")
    for row in range(3):
        one, other = rows.nth(row).bounding_box(), facts.nth(row).bounding_box()
        assert one["y"] == pytest.approx(other["y"], abs=1)
        assert one["x"] + one["width"] <= other["x"] + 1
    assert [fact.is_visible() for fact in facts.all()] == [True] * 3 + [False] * 5
    press(page, "ArrowRight")
    assert facts.nth(3).is_visible()


def test_a_cell_of_the_difference_says_its_sign(open_comparison):
    first, second, _ = three_of_eight()
    page = open_comparison([first, second], difference_of(first, second), place="#step=8")
    value = (first.weights - second.weights).max()
    row, column = np.argwhere(first.weights - second.weights == value)[0]
    label = page.locator(f'.difference .map-cell[data-step="{row}"][data-source="{column}"]').get_attribute(
        "aria-label"
    )
    token = "The end" if row == 7 else first.target_tokens[row]
    assert label == f"{token} at {first.source_tokens[column]}: +{value:.2f}"


def test_links_of_a_person_are_outlined_told_and_explained(open_comparison):
    trace = toy.running_example()
    page = open_comparison([compared(trace, "Dot", LINKS), compared(trace, "Plain")], place="#step=5")
    found = page.locator(".map-cell:has(.reference)").evaluate_all(
        """all => all.map(cell => [Number(cell.dataset.source), Number(cell.dataset.step),
            cell.querySelector(".reference").getAttribute("stroke-dasharray") === null])"""
    )
    assert sorted(map(tuple, found)) == sorted(LINKS)
    labels = [
        page.locator(f'.compared:first-child .map-cell[data-source="{i}"][data-step="1"]').get_attribute("aria-label")
        for i in (3, 4, 2)
    ]
    assert [label.partition("; ")[2] for label in labels] == ["perhaps linked by a person", "linked by a person", ""]
    legend = page.get_by_role("img", name="Outlined cells")
    assert legend.locator("text").all_text_contents() == ["a person's links", "sure", "possible"]


def test_an_outline_can_be_seen_on_its_cell(open_comparison):
    trace = toy.running_example()
    for scheme in theme.SCHEMES:
        page = open_comparison([compared(trace, "Dot", LINKS)], place="#step=5", color_scheme=scheme)
        pairs = page.locator(".map-cell:has(.reference)").evaluate_all(
            """all => all.map(cell => [cell.querySelector(".reference").getAttribute("stroke"),
                cell.querySelector("rect").getAttribute("fill")])"""
        )
        assert min(theme.contrast(*pair) for pair in pairs) >= 3


def test_without_links_no_legend_speaks_of_them(open_comparison):
    page = open_comparison([toy.running_example()])
    assert page.get_by_role("img", name="Outlined cells").count() == 0


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=str)
def test_the_page_never_scrolls_sideways_and_cells_are_alike(open_comparison, viewport):
    traces = three_of_eight()
    page = open_comparison(traces, difference_of(*traces[:2]), place="#step=8", viewport=viewport)
    expect_no_sideways_scroll(page)
    sizes = page.locator(".map-cell > rect:first-child").evaluate_all(
        "all => all.map(one => `${one.getAttribute('width')} ${one.getAttribute('height')}`)"
    )
    assert len(sizes) == 4 * 64
    assert len(set(sizes)) == 1


def test_three_maps_stand_side_by_side_on_a_desk_and_under_each_other_on_a_phone(open_comparison):
    places = {}
    for viewport in (DESK, PHONE):
        page = open_comparison(three_of_eight(), place="#step=8", viewport=viewport)
        places[viewport] = [frame.bounding_box() for frame in page.locator(".compared .map-frame").all()]
        cells = page.locator(".compared .map-cells").evaluate_all(
            "all => all.map(one => one.scrollWidth <= one.closest('.frame').clientWidth)"
        )
        assert cells == [True] * 3
    assert len({box["y"] for box in places[DESK]}) == 1
    assert places[DESK][2]["x"] + places[DESK][2]["width"] <= DESK[0]
    assert len({box["x"] for box in places[PHONE]}) == 1
    tops = [box["y"] for box in places[PHONE]]
    assert min(np.diff(tops)) > 240


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=str)
def test_nothing_moves_from_step_to_step(open_comparison, viewport):
    traces = of_lengths(5, 11, 13)
    page = open_comparison(traces, aligned=False, viewport=viewport)
    tops = set()
    for _ in range(13):
        boxes = page.evaluate(
            """() => Array.from(document.querySelectorAll(".so-far, .facts, .map-frame"),
                one => one.getBoundingClientRect().top + window.scrollY)"""
        )
        tops.add(tuple(boxes))
        press(page, "ArrowRight")
    assert len(tops) == 1


def test_a_step_redraws_no_map(open_comparison):
    traces = [toy.sized_trace(50, 60, seed=seed) for seed in range(4)]
    page = open_comparison(traces, aligned=False)
    page.evaluate("""() => {
        window.added = 0;
        for (const map of document.querySelectorAll(".map")) {
            new MutationObserver((records) => {
                window.added += records.reduce((sum, record) => sum + record.addedNodes.length, 0);
            }).observe(map, { childList: true, subtree: true, characterData: true });
        }
    }""")
    press(page, "ArrowRight", "ArrowRight", "End")
    page.wait_for_function("document.querySelectorAll('.map-row:not(.future)').length === 240")
    assert page.evaluate("added") == 0


def test_a_long_comparison_follows_its_step_in_every_frame(open_comparison):
    traces = [toy.sized_trace(50, 60, seed=seed) for seed in range(3)]
    page = open_comparison(traces, aligned=False, place="#step=50")
    page.wait_for_function(
        "Array.from(document.querySelectorAll('.map-frame'), frame => frame.scrollTop > 0).every((one) => one)"
    )
    for panel in page.locator(".compared").all():
        frame, row = panel.locator(".map-frame").bounding_box(), panel.locator(".map-label.current").bounding_box()
        assert frame["y"] <= row["y"]
        assert row["y"] + row["height"] <= frame["y"] + frame["height"] + 1
    expect_no_sideways_scroll(page)


@pytest.mark.parametrize("aligned", [True, False])
def test_frames_scroll_sideways_together_and_downwards_where_rows_line_up(open_comparison, aligned):
    trace = toy.sized_trace(50, 61)
    page = open_comparison([trace, with_scores(trace, trace.scores / 2)], aligned=aligned)
    page.locator(".map-frame").first.evaluate("frame => frame.scrollTo({ left: 37, top: 41, behavior: 'instant' })")
    page.wait_for_function("document.querySelectorAll('.map-frame')[1].scrollLeft === 37")
    places = page.locator(".map-frame").evaluate_all("all => all.map(one => [one.scrollLeft, one.scrollTop])")
    assert places == [[37, 41], [37, 41 if aligned else 0]]


def test_zoom_changes_every_map_and_keeps_its_button_in_focus(open_comparison):
    page = open_comparison(three_of_eight())
    before = page.locator(".map-cells").first.bounding_box()["width"]
    narrower = page.get_by_role("button", name="Narrower columns")
    narrower.click()
    widths = {cells.bounding_box()["width"] for cells in page.locator(".map-cells").all()}
    assert len(widths) == 1
    assert widths.pop() < before
    assert narrower.evaluate("button => button === document.activeElement")


def test_the_step_stands_in_the_address(open_comparison):
    page = open_comparison(three_of_eight(), place="#step=4")
    assert step_of(page) == "3"
    press(page, "ArrowRight")
    page.wait_for_function("location.hash === '#step=5'")


def test_there_is_no_switch_for_parts(open_comparison):
    page = open_comparison([toy.sized_trace(7, 5)])
    assert page.locator(".parts-switch").count() == 0
    assert page.locator(".transport select").count() == 1


def test_play_walks_to_the_end_and_stops(open_comparison):
    page = open_comparison(of_lengths(2, 3), aligned=False)
    page.locator(".speed select").select_option("fast")
    page.get_by_role("button", name="Play (space)").click()
    page.wait_for_function("document.querySelector('.comparison').dataset.step === '2'")
    page.get_by_role("button", name="Play (space)").wait_for()


def test_people_who_ask_for_no_motion_get_none(open_comparison):
    page = open_comparison(three_of_eight(), reduced_motion="reduce")
    durations = page.locator(".comparison *").evaluate_all(
        "all => [...new Set(all.map(one => getComputedStyle(one).transitionDuration))]"
    )
    assert durations == ["0s"]


def test_narrow_cells_leave_out_the_0_before_the_point(open_comparison):
    one, other = scored_two_ways(toy.sized_trace(16, 4, seed=2))
    page = open_comparison([one, other, with_scores(one, one.scores / 3)], difference_of(one, other))
    maps = page.locator(".compared").locator(".map-cell text")
    printed = maps.all_text_contents()
    assert [len(text) for text in printed] == 3 * 16 * 4 * [3]
    assert [float(text) for text in printed[: 16 * 4]] == [
        pytest.approx(weight, abs=0.00501 if weight < 0.995 else 0.0501) for weight in one.weights.ravel()
    ]
    for cell in page.locator(".compared").first.locator(".map-cell").all():
        assert cell.locator("text").bounding_box()["width"] <= cell.locator("rect").first.bounding_box()["width"]


def picture(page, label):
    """A saved SVG: its parsed root, and the name of its file."""
    content, name = saved(page, f"{label} as SVG")
    return ElementTree.fromstring(content), name


def cells_of(root):
    """The numbers of the cells in the order in which they are drawn, and what is outlined in them."""
    cells = [cell for cell in root.iter(f"{SVG}g") if cell.get("class") == "map-cell"]
    printed = [float(cell.find(f"{SVG}text").text.replace("−", "-")) for cell in cells]
    outlined = [rect.get("class") for cell in cells for rect in cell.findall(f"{SVG}rect") if rect.get("class")]
    return printed, outlined


def test_picture_of_all_maps_holds_every_weight_title_and_link(open_comparison):
    one, other = scored_two_ways(toy.running_example())
    page = open_comparison([compared(one, "One <b>", reference=LINKS), compared(other, "Other")])
    root, name = picture(page, "Maps")
    assert name == "glanceback-i-like-cats-a-lot-maps.svg"
    printed, outlined = cells_of(root)
    weights = np.concatenate([one.weights.ravel(), other.weights.ravel()])
    assert printed == [pytest.approx(weight, abs=0.00501) for weight in weights]
    assert outlined == ["reference possible" if not sure else "reference sure" for *_, sure in sorted(LINKS, key=at)]
    said = texts(root)
    assert {"One <b>", "Other", "a person's links", "weight α̂"} <= set(said)
    for title, trace in (("One <b>", one), ("Other", other)):
        assert f"{title}: states set by hand · scorer {trace.scorer} · {trace.decoding}" in said


def at(link):
    """Where a link is drawn: row by row, and from left to right in each."""
    i, t, _ = link
    return t, i


def test_picture_of_the_difference_holds_differences_and_distances(open_comparison):
    one, other, _ = three_of_eight()
    difference = difference_of(one, other)
    page = open_comparison([compared(one, "One"), compared(other, "Other")], difference)
    root, name = picture(page, "Difference")
    assert name.endswith("-difference.svg")
    assert cells_of(root)[0] == [pytest.approx(value, abs=0.00501) for value in difference.differences.ravel()]
    said = texts(root)
    for distance, agrees in zip(difference.distances, difference.agrees, strict=True):
        assert f"{distance:.2f}" in said
        assert ("agrees" if agrees else "differs") in said
    assert "difference of weights" in said


def test_what_is_not_there_is_no_picture(open_comparison):
    page = open_comparison([*of_lengths(3, 5), toy.sized_trace(7, 4, seed=1, scorer="none")], aligned=False)
    root, _ = picture(page, "Maps")
    assert len(cells_of(root)[0]) == 7 * (3 + 5)
    assert "this model has no attention" in " ".join(texts(root))
    assert page.get_by_role("button", name="Difference as SVG").count() == 0


MOUNT = """async ([script, first, second]) => {
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const { default: mount } = await import(address);
    const holder = document.createElement("section");
    document.body.append(holder);
    const parentElement = holder.attachShadow({ mode: "open" });
    window.reported = [];
    const setStateValue = (name, value) => window.reported.push([name, value]);
    const open = (text) => mount({ data: new TextEncoder().encode(text), parentElement, setStateValue });
    const step = () => parentElement.querySelector(".comparison").dataset.step;
    open(first);
    parentElement.querySelector("[aria-label='Next (right arrow)']").click();
    open(first);
    const kept = step();
    while (window.reported.length === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
    const leave = open(second);
    const moved = step();
    leave();
    return [kept, moved, parentElement.childElementCount, window.reported];
}"""


def test_the_component_keeps_its_place_over_reruns_and_reports_it_at_rest(open_comparison):
    page = open_comparison([toy.running_example()])
    payload = comparison_payload([compared(toy.running_example())], aligned=True)
    script = comparison_script()
    first, second = (comparison_data(payload, step).decode() for step in (1, 4))
    kept, moved, left, reported = page.evaluate(MOUNT, [script, first, second])
    assert (kept, moved, left) == ("2", "4", 0)
    assert reported == [["position", {"step": 2, "part": None}]]
