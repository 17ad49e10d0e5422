import random

import pytest

from pyrite.retrieval.bm25.segmenters import SEGMENTERS, _parts, segmenter

SENTENCES = {
    "ja": "東京都に住んでいる人は多い。GPSを使う\n次の行",
    "zh": "我们在北京大学学习中文,GPS导航\n下一行",
    "th": "ฉันฟังวิทยุทุกวัน น้ำ GPS\nบรรทัดใหม่",
}


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("language", SENTENCES)
def test_segments_are_the_text_with_spaces(language: str) -> None:
    cut = segmenter(language)(SENTENCES[language])
    assert squeezed(cut) == squeezed(SENTENCES[language])
    assert len(cut.split()) > len(SENTENCES[language].split())


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("text", ["", " ", "👍🏽 ❤️", "a" * 5000 + "本", "\u200b\u00ad", "<s>本</s>", "1,234.5"])
def test_no_character_is_lost(language: str, text: str) -> None:
    assert squeezed(segmenter(language)(text)) == squeezed(text)


@pytest.mark.parametrize("language", SEGMENTERS)
def test_what_stands_behind_a_nul_is_not_lost(language: str) -> None:
    assert "gold" in segmenter(language)("x\0gold").split()


@pytest.mark.parametrize("language", SENTENCES)
def test_no_text_is_lost_at_the_edge_of_a_chunk(language: str) -> None:
    """X10."""
    source = random.Random(5)
    parts = SENTENCES[language].split()
    text = "".join(source.choice(parts) + source.choice(["", " "]) for _ in range(1500))
    assert len(text) > 4000
    assert squeezed(segmenter(language)(text)) == squeezed(text)


def test_a_word_across_the_4000th_character_is_one_word() -> None:
    """X10."""
    filler = "東京都に住む。" * 571  # 3,997 characters
    assert "北海道" in segmenter("ja")(filler + "は北海道").split()


def test_korean_keeps_every_word_of_a_long_text() -> None:
    text = " ".join(f"서울{number}에서" for number in range(1000))
    cut = segmenter("ko")(text).split()
    assert [str(number) in cut for number in range(1000)] == [True] * 1000


def test_a_long_thai_text_is_cut_in_parts_that_end_at_white_space() -> None:
    text = " ".join(["กขค"] * 10_000)
    parts = _parts(text)
    assert "".join(parts) == text
    assert all(part[-1] == " " for part in parts[:-1])
    assert 3 < len(parts) < 6
    assert _parts("ก" * 20_000) == ["ก" * 20_000]
    assert _parts("") == [""]
