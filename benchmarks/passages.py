"""Made-up passages for speed measurements: Zipf-distributed words with English function words on top.

Word frequencies follow a Zipf-Mandelbrot law (s = 1.05) over about 330,000 surface forms: stems with families of
suffixes that a Snowball stemmer merges, numbers, accented words, capitals and punctuation. An eighth of the words of
a passage come from its topic. A query is a mixture of function words and of rarer words of one passage.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TOKENS = 940
_FUNCTION_WORDS = (
    "the of and to in a is that for it as was with be by on not he his but at are this have from or had "
    "an they which one you were all her she there would their we him been has when who will no more if "
    "out so up said what its about than into them can only other time new some could these two may first "
    "then do any like my now over such our man me even most made after also did many off before must well "
    "back through years where much your way down should because long each just those people too little "
    "state how very make good still see men work get here between both life being under three never know "
    "same another while last might us great year since against go came right used take "
)


def _vocabulary(rng: np.random.Generator) -> list[str]:
    onsets = [*"bcdfghlmnprstv", "ch", "th", "st", "pr", "tr", "cl"]
    vowels = [*"aeiou", "ea", "io"]
    suffixes = ["", "s", "ed", "ing", "ation", "ly", "al", "ness", "er", "ive"]
    stems: dict[str, None] = {}
    while len(stems) < 60_000:
        syllables = rng.integers(1, 4)
        parts = [onsets[rng.integers(len(onsets))] + vowels[rng.integers(len(vowels))] for _ in range(syllables)]
        stems["".join(parts) + onsets[rng.integers(len(onsets))]] = None
    ordered = list(stems)
    family = [stem + suffix for stem in ordered for suffix in suffixes[: rng.integers(1, len(suffixes) + 1)]]
    family = [family[at] for at in rng.permutation(len(family))]
    rare = [str(number) for number in range(2000)] + [stem + "é" for stem in ordered[:300]]
    return list(dict.fromkeys([*_FUNCTION_WORDS.split(), *family, *rare]))


def make(folder: Path, count: int, queries: int = 1000) -> tuple[Path, Path]:
    """Two Parquet files, passages and queries (column `text`), made once a folder and number."""
    corpus, asked = folder / f"passages-{count}.parquet", folder / f"queries-{queries}-of-{count}.parquet"
    if corpus.exists() and asked.exists():
        return corpus, asked
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(7)
    words = _vocabulary(rng)
    ranks = np.arange(1, len(words) + 1)
    cumulative = np.cumsum((ranks + 2.7) ** -1.05)
    cumulative /= cumulative[-1]
    topics = rng.integers(200, len(words), size=(500, 400))
    surfaces = np.array([form for w in words for form in (w, w + ",", w + ".", w.capitalize())], dtype=object)
    lengths = np.clip(rng.normal(TOKENS, 220, size=count), 60, 2400).astype(int)
    asked_of = set(np.linspace(0, count - 1, num=min(queries, count), dtype=int).tolist())
    texts: list[str] = []
    schema = pa.schema([("text", pa.large_string())])
    with pq.ParquetWriter(corpus, schema, compression="zstd") as writer:
        for first in range(0, count, 5000):
            passages = []
            for row in range(first, min(count, first + 5000)):
                ids = np.searchsorted(cumulative, rng.random(lengths[row])).clip(max=len(words) - 1)
                topical = rng.random(len(ids)) < 0.12
                draws = np.minimum(rng.geometric(0.03, size=topical.sum()) - 1, 399)
                ids[topical] = topics[rng.integers(len(topics))][draws]
                variants = rng.choice(4, size=len(ids), p=[0.86, 0.06, 0.05, 0.03])
                passages.append(" ".join(surfaces[ids * 4 + variants].tolist()))
                if row in asked_of:
                    texts.append(_query(ids, words, rng))
            writer.write_table(pa.table({"text": pa.array(passages, pa.large_string())}, schema=schema))
    pq.write_table(pa.table({"text": pa.array(texts, pa.large_string())}), asked)
    return corpus, asked


def _query(ids: np.ndarray, words: list[str], rng: np.random.Generator) -> str:
    rare = np.sort(ids[rng.integers(0, len(ids), size=30)])[::-1][: int(rng.integers(7, 16))]
    both = np.concatenate([rng.integers(0, 60, size=7), rare])
    return " ".join(words[at] for at in rng.permutation(both)) + "?"
