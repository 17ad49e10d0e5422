"""Mining hard negatives with a cross-encoder: Pyrite's pipeline against sentence-transformers' mine_hard_negatives.

    python benchmarks/mine.py --data FOLDER --encoder MODEL --teacher MODEL [--split SPLIT] [--queries 40]
                              [--documents 400] [--depth 20] [--negatives 5] [--margin 4.0] [--length 128]

Both get the same questions with one positive each, the same corpus, models, ranks and margin. Into the corpus go, for
every question, a copy of its positive in another form (space, case, decomposed or full-width letters, in turn) and a
second positive that nobody marked: the first three fifths of the words of the first one. Neither may come back as a
negative. Each side runs in a process of its own, with embeddings that it cached in a run before, so that the time is
without the encoder's share; seconds are of the processor, all threads together. Pyrite's time includes reading the
sources and writing the whole dataset folder with its card, the other side's only making the table in memory.

Without a margin (--margin none) the other side takes the first ranks and never asks the teacher; Pyrite takes the
highest logits of the first ranks, so that second positives are what it finds first: set a margin.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pyrite.formats import read_collection

FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}
FORMS: dict[str, Callable[[str], str]] = {
    "space": lambda text: text.replace(" ", "  ", 1) + " ",
    "case": str.upper,
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "full width": lambda text: text.translate(FULL_WIDTH),
}


def make_corpus(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Write queries.parquet and corpus.parquet, and say what was planted: text -> [kind, number of the question]."""
    held = read_collection(asked.data, split=asked.split)
    texts = dict(zip(held.corpus.ids.to_pylist(), held.corpus.contents().to_pylist(), strict=True))
    queries, planted = [], {}
    for query in held.queries:
        positives = [doc_id for doc_id, relevance in held.qrels[query.query_id].items() if relevance > 0]
        # Three fifths of a shorter text may say nothing.
        if len(positives) == 1 and len(texts[positives[0]]) >= 100:
            queries.append((query.query_id, query.text, positives[0]))
        if len(queries) == asked.queries:
            break
    known = {doc_id for _, _, doc_id in queries}
    documents = [(doc_id, texts[doc_id]) for doc_id in known | set(sorted(set(texts) - known)[: asked.documents])]
    documents.sort()
    for number, (_, _, doc_id) in enumerate(queries):
        text, kind = texts[doc_id], list(FORMS)[number % len(FORMS)]
        copy, second = FORMS[kind](text), text[: len(text) * 3 // 5].rsplit(" ", 1)[0]
        for what, other in ((kind, copy), ("second positive", second)):
            if other != text and other not in planted:
                planted[other] = [what, number]
                documents.append((f"planted-{len(planted)}", other))
    ids, named, relevant = zip(*queries, strict=True)
    pq.write_table(pa.table({"id": ids, "query": named, "relevant": [[one] for one in relevant]}), folder / "q.parquet")
    pq.write_table(pa.table(dict(zip(("id", "text"), zip(*documents, strict=True), strict=True))), folder / "c.parquet")
    return planted


class Timed:
    """Adds up what the calls of a function take, in processor seconds, and how many pairs they are given."""

    def __init__(self, function: Callable[..., Any], argument: int) -> None:
        self._function, self._argument = function, argument
        self.seconds, self.pairs = 0.0, 0

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        started = time.process_time()
        found = self._function(*arguments, **named)
        self.seconds += time.process_time() - started
        self.pairs += len(arguments[self._argument])
        return found


def ours(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    from pyrite.pipelines import MiningRequest, build, mining_recipe
    from pyrite.pipelines.training_sources import open_sources
    from pyrite.retrieval import CrossEncoderScorer, make_retriever

    os.environ["PYRITE_CACHE"] = str(folder / "cache")
    retriever = f"dense:{asked.encoder},max_length={asked.length}"
    request = MiningRequest(
        name="ours",
        pairs="q.parquet",
        corpus="c.parquet",
        retrievers=(retriever,),
        teacher=f"rerank:{asked.teacher},max_length={asked.length}",
        settings={
            "retriever.depth": asked.depth,
            "teacher.depth": asked.depth,
            "select.num_negatives": asked.negatives,
            **({} if asked.margin is None else {"select.absolute_margin": asked.margin}),
            "select.positive_min": -1e9,
            "pool.sample": "all",
        },
    )
    recipe = mining_recipe(request, base=folder)
    corpus = pq.read_table(folder / "c.parquet")
    from pyrite.core import Corpus

    index = make_retriever(retriever).index(Corpus(corpus["id"], corpus["text"]))
    index.search(open_sources(recipe.recipe, folder).expanded.known.queries, 1)
    score = CrossEncoderScorer.score
    teacher = Timed(score, 1)
    CrossEncoderScorer.score = lambda self, pairs: teacher(self, pairs)  # type: ignore[method-assign]
    started = time.process_time()
    built = build(recipe, out=folder / "ours", work=folder / "work")
    seconds = time.process_time() - started
    table = pq.read_table(built.folder / "n-tuples")
    return told(table, seconds, teacher, asked)


def theirs(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    import torch
    from datasets import Dataset
    from sentence_transformers import CrossEncoder, SentenceTransformer
    from sentence_transformers.util import mine_hard_negatives

    queries, corpus = pq.read_table(folder / "q.parquet"), pq.read_table(folder / "c.parquet")
    texts = dict(zip(corpus["id"].to_pylist(), corpus["text"].to_pylist(), strict=True))
    positives = [texts[one] for (one,) in queries["relevant"].to_pylist()]
    pairs = Dataset.from_dict({"query": queries["query"].to_pylist(), "positive": positives})
    model = SentenceTransformer(asked.encoder, device="cpu")
    model.max_seq_length = asked.length
    scorer = CrossEncoder(asked.teacher, device="cpu", max_length=asked.length, activation_fn=torch.nn.Identity())
    common = {
        "corpus": list(texts.values()),
        "cache_folder": str(folder / "their-cache"),
        "output_format": "n-tuple",
        "verbose": False,
    }
    mine_hard_negatives(pairs, model, num_negatives=1, range_max=asked.depth, **common)
    teacher = Timed(scorer.predict, 0)
    scorer.predict = teacher  # type: ignore[method-assign]
    started = time.process_time()
    mined = mine_hard_negatives(
        pairs,
        model,
        cross_encoder=scorer,
        range_max=asked.depth,
        num_negatives=asked.negatives,
        absolute_margin=asked.margin,
        **common,
    )
    seconds = time.process_time() - started
    return told(mined.data.table, seconds, teacher, asked)


def margin(text: str) -> float | None:
    return None if text == "none" else float(text)


def told(table: pa.Table, seconds: float, teacher: Timed, asked: argparse.Namespace) -> dict[str, Any]:
    columns = [f"negative_{number}" for number in range(1, asked.negatives + 1)]
    rows = zip(table["query"].to_pylist(), *(table[name].to_pylist() for name in columns), strict=True)
    return {
        "seconds": seconds,
        "teacher": teacher.seconds,
        "pairs": teacher.pairs,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "rows": [list(row) for row in rows],
    }


SIDES = {"pyrite": ours, "mine_hard_negatives": theirs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    for name, kind, default in (
        ("encoder", str, None),
        ("teacher", str, None),
        ("split", str, None),
        ("queries", int, 40),
        ("documents", int, 400),
        ("depth", int, 20),
        ("negatives", int, 5),
        ("margin", margin, 4.0),
        ("length", int, 128),
        ("side", str, None),
        ("folder", Path, None),
    ):
        parser.add_argument(f"--{name}", type=kind, default=default, required=name in ("encoder", "teacher"))
    asked = parser.parse_args()
    if asked.side is not None:
        answer = SIDES[asked.side](asked, asked.folder)
        (asked.folder / f"{asked.side}.json").write_text(json.dumps(answer))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        planted = make_corpus(asked, folder)
        found = {}
        for side in SIDES:
            subprocess.run([sys.executable, *sys.argv, "--side", side, "--folder", name], check=True)
            found[side] = json.loads((folder / f"{side}.json").read_text())
        numbers = dict(zip(pq.read_table(folder / "q.parquet")["query"].to_pylist(), range(10**9), strict=False))
    show(asked, planted, numbers, found)


def show(asked: argparse.Namespace, planted: dict[str, Any], numbers: dict[str, int], found: dict[str, Any]) -> None:
    print(f"{asked.queries:,} questions, {asked.documents:,} other documents, {len(planted):,} planted ones")
    for side, told in found.items():
        caught: dict[str, int] = dict.fromkeys([*FORMS, "second positive"], 0)
        for query, *negatives in told["rows"]:
            for negative in negatives:
                kind, number = planted.get(negative, ("", -1))
                if number == numbers[query]:
                    caught[kind] += 1
        copies = ", ".join(f"{caught[kind]} {kind}" for kind in FORMS)
        print(
            f"  {side:20} {told['seconds']:7.2f} s cpu, of it teacher {told['teacher']:7.2f} s for {told['pairs']:,} "
            f"pairs ({rate(told):.1f} pairs/s), peak {told['peak']:,.0f} MiB"
        )
        print(
            f"  {'':20} {len(told['rows']):,} rows; copies of positives among negatives: {copies}; "
            f"hidden second positives: {caught['second positive']}"
        )
    first, second = (found[side] for side in SIDES)
    beside = [side["seconds"] - side["teacher"] for side in (first, second)]
    if second["pairs"]:
        print(f"  teacher {rate(first) / rate(second):.2f}x the pairs a second")
    print(
        f"  {first['seconds'] / second['seconds']:.2f} of the time, beside the teacher {beside[0]:.2f} s and "
        f"{beside[1]:.2f} s; {first['peak'] / second['peak']:.2f} of the peak memory"
    )


def rate(side: dict[str, Any]) -> float:
    return float(side["pairs"] / side["teacher"]) if side["pairs"] else 0.0


if __name__ == "__main__":
    main()
