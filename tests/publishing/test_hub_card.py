"""Two cards of one dataset: the folder's and the hub's."""

import pytest
import yaml

from pyrite.formats import DataWarning
from pyrite.publishing import render_card
from pyrite.publishing.hub_card import card_for_hub, hand_written

NOTE = "Mind the gap."


def noted(card, note=NOTE):
    return card.replace("<!-- pyrite: usage -->", f"{note}\n\n<!-- pyrite: usage -->")


def front(card):
    return yaml.safe_load(card.split("---\n")[1])


def test_the_folder_s_own_words_stay(published):
    path = published / "README.md"
    path.write_text(noted(path.read_text()))
    assert hand_written(card_for_hub(published, "org/toy")) == [NOTE]
    assert hand_written(card_for_hub(published, "org/toy", path.read_text())) == [NOTE]


def test_words_that_only_the_hub_has_come_back_to_a_fresh_folder(published):
    """O54: a rebuild must not wipe what was written on the hub."""
    remote = noted(render_card(published, dataset_id="org/toy"))
    made = card_for_hub(published, "org/toy", remote)
    assert made == remote


def test_where_both_have_words_the_folder_s_stand_and_the_loss_is_told(published):
    path = published / "README.md"
    path.write_text(noted(path.read_text(), "Mine."))
    remote = noted(path.read_text().replace("Mine.\n\n", ""), "Theirs.")
    with pytest.warns(DataWarning, match="the card on the hub has text that .* has not, and that goes: 'Theirs.'"):
        assert hand_written(card_for_hub(published, "org/toy", remote)) == ["Mine."]


def test_configs_keys_and_tags_of_the_hub_s_card_stay(published):
    """O54."""
    remote = render_card(published, dataset_id="org/toy")
    remote = remote.replace(
        "configs:\n", "arxiv: '2501.00001'\nconfigs:\n- config_name: extra\n  data_files: extra.csv\n", 1
    )
    remote = remote.replace("tags:\n", "tags:\n- hand-picked\n", 1)
    path = published / "README.md"
    path.write_text(noted(path.read_text()))
    made = front(card_for_hub(published, "org/toy", remote))
    assert made["arxiv"] == "2501.00001"
    assert [config["config_name"] for config in made["configs"]] == ["corpus", "queries", "qrels", "extra"]
    assert "hand-picked" in made["tags"]


def test_made_again_it_does_not_change(published):
    """O54: a second run changes nothing, comments in the front matter included."""
    path = published / "README.md"
    path.write_text(noted(path.read_text()).replace("---\n", "---\n# ours\nversion: 1.10\n", 1))
    remote = noted(render_card(published, dataset_id="org/toy")).replace("license:", "arxiv: x\nlicense:", 1)
    once = card_for_hub(published, "org/toy", remote)
    path.write_text(once)
    assert card_for_hub(published, "org/toy", once) == once
