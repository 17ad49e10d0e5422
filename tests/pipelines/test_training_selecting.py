"""What is no negative, whatever the teacher says of it; and a whole selection beside plain Python."""

import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.formats import read_manifest
from pyrite.pipelines import build

Make = Callable[..., Path]

LONG = (
    "Pyrite, an iron sulfide, has a pale brass colour that earned it the name of fool's gold; struck against steel it "
    "throws sparks, which is where its name comes from, and in wet air it rusts and sets sulfuric acid free, so that "
    "collectors keep it dry and museums watch over old pieces that begin to fall apart."
)
POSITIVE = "Ｐｙｒｉｔｅ is called caf\u00e9 gold; it shines."
PLANTED = {
    "a trailing space": "Pyrite is called caf\u00e9 gold; it shines. ",
    "inner spaces": "Pyrite  is called\ncaf\u00e9 gold; it\tshines.",
    "case": "PYRITE is called CAF\u00c9 gold; it shines.",
    "NFD": unicodedata.normalize("NFD", "Pyrite is called caf\u00e9 gold; it shines."),
    "full width": "Ｐｙｒｉｔｅ ｉｓ ｃａｌｌｅｄ caf\u00e9 ｇｏｌｄ; it shines.",
    "an exact copy": POSITIVE,
    "a second positive": "Marcasite shines too.",
    "a copy of the second positive": " marcasite shines too.",
    "a positive of a query of equal text": "Chalcopyrite shines as well.",
    "one word changed": LONG.replace("museums", "galleries"),
    "a sentence added": LONG + " Few minerals are as common.",
}


def mined(recipe: Path, name: str = "out") -> Path:
    return build(recipe, out=recipe.parent / name, work=recipe.parent / f"work-{name}").folder


def planted(make_mining: Make, **select: Any) -> Path:
    """Every planted text is found first and has a logit that every margin lets pass; honest negatives come after."""
    texts = {"p": POSITIVE, "long": LONG, **{f"c{n}": text for n, text in enumerate(PLANTED.values())}}
    honest = {f"n{n}": f"Mineral number {n} is dull." for n in range(6)}
    names = dict(zip(PLANTED, (f"c{n}" for n in range(len(PLANTED))), strict=True))
    ranking = [*names.values(), "p", "long", *honest]
    logits = {**dict.fromkeys(names.values(), -3.1), **{doc: -4.0 - n / 8 for n, doc in enumerate(honest)}}
    positives = {"p": 9.0, "long": 8.5, names["a second positive"]: 7.5}
    shared = names["a positive of a query of equal text"]
    return make_mining(
        texts={**texts, **honest},
        queries=[
            ("what shines?", list(positives)),
            ("what shines?", [shared]),
        ],
        run={"q0": ranking},
        logits={"q0": {**logits, **positives, shared: 6.5}},
        pairs={"duplicates": "keep"},
        retriever=[{"system": "run:run.parquet", "depth": len(ranking)}],
        teacher={"system": "scores:scores.parquet", "depth": len(ranking)},
        select={"num_negatives": 5, "absolute_margin": 4.0, **select},
    )


@pytest.mark.parametrize("rules", [{}, {"top_up": True, "num_negatives": 6}, {"absolute_margin": -20.0}])
def test_copies_second_positives_and_near_duplicates_never_come_back(make_mining: Make, rules: dict[str, Any]) -> None:
    """O07, O08, O11, X01."""
    folder = mined(planted(make_mining, **rules))
    table = pq.read_table(folder / "n-tuples" / "train.parquet")
    negatives = {
        text for name in table.column_names if name.startswith("negative_") for text in table[name].to_pylist()
    }
    assert table.num_rows == 4
    assert all(text.startswith("Mineral number") for text in negatives), negatives
    entry = next(entry for entry in read_manifest(folder).ledger if entry["stage"] == "scored candidates")
    # An exact copy is no document of its own: the pool has each text once.
    assert entry["dropped"] == {
        "a positive of the query": 4,
        "copy of a positive": 6,
        "near-duplicate of a positive": 2,
    }


def test_near_duplicates_are_left_to_the_margins_where_they_are_not_looked_for(make_mining: Make) -> None:
    folder = mined(planted(make_mining, near=0))
    table = pq.read_table(folder / "n-tuples" / "train.parquet")
    assert PLANTED["one word changed"] in table["negative_1"].to_pylist()


def test_thirty_paraphrases_of_the_answer_are_kept_out_by_the_teacher_and_not_by_ranks(make_mining: Make) -> None:
    """O10."""
    same = {f"s{n}": f"In other words number {n}, pyrite shines." for n in range(30)}
    honest = {f"n{n}": f"Mineral {n} is dull." for n in range(5)}
    recipe = make_mining(
        texts={"p": "Pyrite shines.", **same, **honest},
        queries=[("what shines?", ["p"])],
        run={"q0": [*same, "p", *honest]},
        logits={"q0": {"p": 6.0, **dict.fromkeys(same, 5.9), **{doc: -1.1 - n for n, doc in enumerate(honest)}}},
        retriever=[{"system": "run:run.parquet", "depth": 100}],
        teacher={"system": "scores:scores.parquet"},
        select={"num_negatives": 5, "absolute_margin": 4.0},
    )
    table = pq.read_table(mined(recipe) / "n-tuples" / "train.parquet")
    assert [table[f"negative_{n}"][0].as_py() for n in range(1, 6)] == [f"Mineral {n} is dull." for n in range(5)]


def test_a_strict_margin_says_where_the_rows_and_candidates_went(make_mining: Make) -> None:
    """O06: in a small corpus with many negatives asked for, half of the queries have hardly any left."""
    chance = np.random.default_rng(5)
    texts = {f"d{n}": f"Document number {n}." for n in range(20)}
    queries = [(f"question {n}?", [f"d{n % 20}"]) for n in range(40)]
    logits = {
        f"q{n}": {doc: float(value) for doc, value in zip(texts, chance.normal(0, 2, 20), strict=True)}
        for n in range(40)
    }
    for n in range(40):
        logits[f"q{n}"][f"d{n % 20}"] = 2.2 if n % 2 else 8.8
    recipe = make_mining(
        texts=texts,
        queries=queries,
        run={f"q{n}": list(texts) for n in range(40)},
        logits=logits,
        retriever=[{"system": "run:run.parquet", "depth": 20}],
        teacher={"system": "scores:scores.parquet", "depth": 20},
        select={"num_negatives": 8, "absolute_margin": 4.0, "short_rows": "keep"},
    )
    folder = mined(recipe)
    told = read_manifest(folder).facts["statistics"]
    assert told["pairs"] == told["margin_only"] + told["short"] + told["too_few_candidates"] == 40
    assert told["short"] + told["too_few_candidates"] >= 15
    held = told["candidates"]
    assert held["looked at"] == 800 == sum(count for name, count in held.items() if name != "looked at")


def test_medquad_is_mined_as_a_few_lines_of_plain_python_mine_it(shared_data: Path, tmp_path: Path) -> None:
    """600 questions, MiniLM's top 100, a cross-encoder's logits, the published set's thresholds."""
    data = shared_data / "medquad"
    corpus = {row["_id"]: row["text"] for row in pq.read_table(data / "corpus" / "train.parquet").to_pylist()}
    texts = {row["_id"]: row["text"] for row in pq.read_table(data / "queries" / "train.parquet").to_pylist()}
    run: dict[str, list[str]] = {}
    for row in pq.read_table(data / "runs" / "minilm-top100.parquet").sort_by("rank").to_pylist():
        run.setdefault(row["query-id"], []).append(row["corpus-id"])
    scores = pq.read_table(data / "runs" / "cross-encoder-logits.parquet").to_pylist()
    logit = {(row["query-id"], row["corpus-id"]): row["logit"] for row in scores}
    judged = pq.read_table(data / "qrels" / "train.parquet").to_pylist()
    pairs = [(row["query-id"], row["corpus-id"]) for row in judged if row["query-id"] in run]
    expected, weak, origins, used = plain_selection(pairs, run, logit, corpus)

    asked = {"id": [q for q, _ in pairs], "query": [texts[q] for q, _ in pairs], "relevant": [[d] for _, d in pairs]}
    pq.write_table(pa.table(asked), tmp_path / "queries.parquet")
    (tmp_path / "medquad.toml").write_text(
        f"""
        kind = "training"
        name = "medquad"
        language = "en"
        source.queries.path = "queries.parquet"
        source.corpus = {{ path = "{data}/corpus/train.parquet", columns = {{ id = "_id" }} }}
        retriever = [{{ system = "run:{data}/runs/minilm-top100.parquet" }}]
        teacher = {{ system = "scores:{data}/runs/cross-encoder-logits.parquet" }}
        select = {{ positive_min = 2.0, absolute_margin = 4.0, num_negatives = 5, top_up = true, near = 0 }}
        """
    )
    folder = mined(tmp_path / "medquad.toml")
    rows = pq.read_table(folder / "provenance" / "train.parquet").to_pylist()
    assert [(r["query-id"], r["positive-id"], r["negative-ids"], r["chosen"]) for r in rows] == expected
    told = read_manifest(folder)
    assert (told.counts["weak_positive"], told.counts["n-tuples"]) == (weak, len(expected)) == (55, 545)
    assert told.facts["statistics"]["origins"] == origins == {"margin": 2719, "extended": 6, "top-up": 0}
    assert told.counts["scored"] == len(used) == len(logit) == 30205
    table = pq.read_table(folder / "n-tuples" / "train.parquet").to_pylist()
    assert [row["label"] for row in table] == [
        [logit[q, d], *(logit[q, n] for n in negatives)] for q, d, negatives, _ in expected
    ]
    assert {row[f"negative_{n}"] for row in table for n in range(1, 6)} <= set(corpus.values())


def plain_selection(pairs, run, logit, corpus):
    """The rules of the selection as a person would write them down."""
    same = {doc: " ".join(unicodedata.normalize("NFKC", text).casefold().split()) for doc, text in corpus.items()}
    rows, weak, origins, used = [], 0, Counter({"margin": 0, "extended": 0, "top-up": 0}), set(pairs)
    for query, positive in pairs:
        ranking = run[query]
        used.update((query, doc) for doc in ranking[:50])
        mine = logit[query, positive]
        if mine < 2.0:
            weak += 1
            continue
        others = [doc for doc in ranking if same[doc] != same[positive]]
        first = ranking[:50]

        def hardest(docs, query=query):
            return sorted(docs, key=lambda one: -logit[query, one])

        chosen = [
            (doc, "margin") for doc in hardest(d for d in others if d in first and mine - logit[query, d] >= 4.0)
        ][:5]
        if len(chosen) < 5:
            used.update((query, doc) for doc in ranking[50:])
            deeper = hardest(d for d in others if d not in first and mine - logit[query, d] >= 4.0)
            chosen += [(doc, "extended") for doc in deeper][: 5 - len(chosen)]
        if len(chosen) < 5:
            rest = hardest(d for d in others if mine - logit[query, d] < 4.0)
            chosen += [(doc, "top-up") for doc in rest][: 5 - len(chosen)]
        origins.update(how for _, how in chosen)
        rows.append((query, positive, [doc for doc, _ in chosen], [how for _, how in chosen]))
    return rows, weak, dict(origins), used
