"""BM25 against bm25s: building and searching, each system in a process of its own, interleaved, medians.

    python benchmarks/bm25.py [--passages 10000] [--queries 1000] [--repeats 3] [--threads 2] [--folder /tmp/bm25]
                              [--medquad ../shared/data/medquad]

bm25s runs as fast as it goes: its Tokenizer class with PyStemmer, numba for the index and the search. Both cut at
`\\w+`, keep single characters and have no stop words, so that scores can be compared bit by bit. Building is from
text in memory to an index in memory, with compiled loops warm; the peak is the whole process's, text included. A
search takes queries as token ids ("ids", the search alone) or as text ("text", with everything up to the result).
Made-up passages are of about 940 tokens, see `passages.py`; MedQuAD's are real answers of about 200 words.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from passages import make

DEPTH = 100


def timed(work: Callable[[], object]) -> tuple[object, float, float]:
    """What the work returns, its CPU seconds and its wall seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    done = work()
    return done, time.process_time() - cpu, time.perf_counter() - wall


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Pyrite:
    """Pyrite's own, from an Arrow column."""

    def __init__(self, texts: pa.ChunkedArray, queries: list[str], threads: int) -> None:
        from pyrite.core import Corpus, Document, Queries, Query
        from pyrite.retrieval import BM25

        self.retriever = BM25("en", threads=threads)
        warm = Corpus.of([Document("1", "a b c"), Document("2", "gold é")])
        self.retriever.index(warm).search(Queries.of([Query("1", "gold")]), 1)
        ids = pa.array([str(row) for row in range(len(texts))], pa.large_string())
        self.corpus = Corpus(ids, texts)
        self.queries = Queries.of(Query(str(row), text) for row, text in enumerate(queries))

    def build(self) -> None:
        self.index = self.retriever.index(self.corpus)

    def search(self, threads: int, *, from_text: bool) -> tuple[float, np.ndarray]:
        from dataclasses import replace

        from pyrite.retrieval.bm25.search import no_hits

        index = self.index
        index.retriever = replace(self.retriever, threads=threads)
        asked = index._asked(self.queries)
        hits = no_hits(len(self.queries), min(DEPTH, len(index)))
        index._search(asked, hits)  # the rows of the frequent terms are made at the first search
        if from_text:
            _, _, wall = timed(lambda: index.search(self.queries, DEPTH))
        else:
            _, _, wall = timed(lambda: index._search(asked, hits))
        scores = np.where(np.arange(hits.scores.shape[1]) < hits.counts[:, None], hits.scores, 0)
        return len(self.queries) / wall, scores


class Bm25s:
    """bm25s, from Python strings, which it asks for."""

    def __init__(self, texts: pa.ChunkedArray, queries: list[str], threads: int) -> None:
        import bm25s
        import Stemmer

        self.texts = texts.to_pylist()
        self.queries = queries
        self.bm25s = bm25s
        self.stemmer = Stemmer.Stemmer("english")
        warm = self._built(["a b c", "gold é"] * 60)[1]
        for count in (1, threads):
            warm.retrieve([[1], [2]], k=DEPTH, n_threads=count, show_progress=False)

    def _built(self, texts: list[str]) -> tuple[object, object]:
        tokenizer = self.bm25s.tokenization.Tokenizer(splitter=r"(?u)\w+", stopwords=None, stemmer=self.stemmer)
        ids = tokenizer.tokenize(texts, show_progress=False)
        index = self.bm25s.BM25(backend="numba")
        index.index((ids, tokenizer.get_vocab_dict()), show_progress=False)
        return tokenizer, index

    def build(self) -> None:
        self.tokenizer, self.index = self._built(self.texts)

    def _ids(self) -> list[list[int]]:
        return self.tokenizer.tokenize(self.queries, update_vocab=False, show_progress=False)

    def search(self, threads: int, *, from_text: bool) -> tuple[float, np.ndarray]:
        asked = self._ids()
        options = {"k": min(DEPTH, len(self.texts)), "n_threads": threads, "show_progress": False}
        if from_text:
            found, _, wall = timed(lambda: self.index.retrieve(self._ids(), **options))
        else:
            found, _, wall = timed(lambda: self.index.retrieve(asked, **options))
        return len(self.queries) / wall, np.sort(found.scores, axis=1)[:, ::-1]


SYSTEMS = {"pyrite": Pyrite, "bm25s": Bm25s}


def measure(asked: argparse.Namespace) -> None:
    """One system's build and searches, as a line of JSON; its scores go to a file."""
    texts = pq.read_table(asked.corpus)["text"].cast(pa.large_string())
    queries = pq.read_table(asked.asked)["text"].to_pylist()
    system = SYSTEMS[asked.system](texts, queries, asked.threads)
    del texts
    before = peak_megabytes()
    _, cpu, wall = timed(system.build)
    facts = {"cpu": cpu, "wall": wall, "peak": peak_megabytes(), "text": before}
    for threads in dict.fromkeys((1, asked.threads)):
        for kind in ("ids", "text"):
            facts[f"q/s {kind} {threads}"], scores = system.search(threads, from_text=kind == "text")
    np.save(asked.scores, scores)
    print(json.dumps(facts))


def compare(corpus: Path, queries: Path, asked: argparse.Namespace) -> None:
    """Both systems on one corpus."""
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in SYSTEMS}
    files = {name: asked.folder / f"scores-{name}.npy" for name in SYSTEMS}
    for _ in range(asked.repeats):
        for name in SYSTEMS:
            command = [sys.executable, __file__, "--system", name, "--corpus", str(corpus), "--asked", str(queries)]
            command += ["--threads", str(asked.threads), "--scores", str(files[name])]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(done.stderr)
            runs[name].append(json.loads(done.stdout.splitlines()[-1]))
    median = {
        name: {key: statistics.median(run[key] for run in found) for key in found[0]} for name, found in runs.items()
    }
    ours, theirs = median["pyrite"], median["bm25s"]
    rows = pq.read_metadata(corpus).num_rows
    print(f"\n{corpus.name}: {rows} passages, {pq.read_metadata(queries).num_rows} queries, {asked.threads} threads")
    print(f"{'':<22}{'pyrite':>12}{'bm25s':>12}{'ratio':>9}")
    for key, unit in (("cpu", "build, cpu s"), ("wall", "build, wall s"), ("peak", "build, peak MB")):
        print(f"{unit:<22}{ours[key]:>12.2f}{theirs[key]:>12.2f}{theirs[key] / ours[key]:>8.2f}x")
    print(f"{'of the peak before':<22}{ours['text']:>12.2f}{theirs['text']:>12.2f}")
    for key in (key for key in ours if key.startswith("q/s")):
        print(f"{key + ' thread(s)':<22}{ours[key]:>12.0f}{theirs[key]:>12.0f}{ours[key] / theirs[key]:>8.2f}x")
    scores = {name: np.load(path) for name, path in files.items()}
    equal = scores["pyrite"].shape == scores["bm25s"].shape and (scores["pyrite"] == scores["bm25s"]).all(axis=1)
    print(f"queries with bit-equal scores: {np.mean(equal):.2%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("passages", 10_000), ("queries", 1000), ("repeats", 3), ("threads", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--folder", type=Path, default=Path("/tmp/bm25"))
    parser.add_argument("--medquad", type=Path, default=Path(__file__).parents[2] / "shared" / "data" / "medquad")
    for name in ("system", "corpus", "asked", "scores"):
        parser.add_argument(f"--{name}", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.system:
        measure(asked)
        return
    compare(*make(asked.folder, asked.passages, asked.queries), asked)
    real = asked.medquad / "corpus" / "train.parquet", asked.medquad / "queries" / "train.parquet"
    if all(path.is_file() for path in real):
        compare(*real, asked)


if __name__ == "__main__":
    main()
