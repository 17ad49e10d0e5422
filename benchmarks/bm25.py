"""BM25 against bm25s: building and searching, each system in a process of its own, interleaved, medians.

    python benchmarks/bm25.py [--passages 10000] [--queries 1000] [--repeats 3] [--threads 2] [--folder /tmp/bm25]
                              [--data ../shared/data]

bm25s runs as fast as it goes: its Tokenizer class with PyStemmer, numba for the index and the search. Both keep
single characters and have no stop words. Building is from text in memory to an index in memory, with compiled loops
warm; the peak is the whole process's, text included. A search takes queries as token ids ("ids", the search alone)
or as text ("text", with everything up to the result); queries are counted by wall second and by CPU second, which a
busy machine changes less. At last bm25s indexes Pyrite's own tokens, and the scores of all queries are compared bit
by bit. Made-up passages are of about 940 tokens, see `passages.py`; MedQuAD's are real
answers of about 200 words, wiki-leads' the first sentences of encyclopedia articles. tantivy, where it is installed, is
measured once for reference.
"""

import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import bm25s
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import Stemmer

from passages import make
from pyrite.core import Corpus, Document, Queries, Query
from pyrite.retrieval import BM25
from pyrite.retrieval.bm25.search import no_hits
from pyrite.retrieval.bm25.tokenizer import Tokenizer

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
        self.retriever = BM25("en", threads=threads)
        warm = Corpus.of([Document("1", "a b c"), Document("2", "gold é")])
        self.retriever.index(warm).search(Queries.of([Query("1", "gold")]), 1)
        ids = pa.array([str(row) for row in range(len(texts))], pa.large_string())
        self.corpus = Corpus(ids, texts)
        self.queries = Queries.of(Query(str(row), text) for row, text in enumerate(queries))

    def build(self) -> None:
        self.index = self.retriever.index(self.corpus)

    def search(self, threads: int, *, from_text: bool) -> tuple[float, float]:
        index = self.index
        index.retriever = replace(self.retriever, threads=threads)
        asked = index._asked(self.queries)
        hits = no_hits(len(self.queries), min(DEPTH, len(index)))
        index._search(asked, hits)  # the rows of the frequent terms are made at the first search
        if from_text:
            return timed(lambda: index.search(self.queries, DEPTH))[1:]
        return timed(lambda: index._search(asked, hits))[1:]

    def different(self) -> float:
        """The share of queries whose scores are not those of bm25s on the same tokens."""
        analyzer, numbers = self.retriever.resolved, {"": 0}

        def numbered(texts: pa.ChunkedArray) -> list[list[int]]:
            tokenizer, column = Tokenizer(analyzer), texts.combine_chunks()
            found = tokenizer.word_ids(column)
            terms = [numbers.setdefault(stem, len(numbers)) for stem in analyzer.stems(tokenizer.fresh_words())]
            ids = np.array(terms)[found.ids]
            return [ids[start:stop].tolist() for start, stop in zip(found.starts, found.ends, strict=True)]

        oracle = bm25s.BM25(backend="numba")
        corpus = numbered(self.corpus.contents())
        known = len(numbers)
        oracle.index((corpus, dict(numbers)), show_progress=False)
        asked = [[term for term in query if term < known] or [0] for query in numbered(self.queries.texts)]
        depth = min(DEPTH, len(self.corpus))
        theirs = oracle.retrieve(asked, k=depth, show_progress=False).scores
        run = self.index.search(self.queries, depth)
        ours = np.zeros_like(theirs)
        ours[np.arange(depth) < np.diff(run.offsets)[:, None]] = run.scores
        return float(1 - (ours == -np.sort(-theirs, axis=1)).all(axis=1).mean())


class Bm25s:
    """bm25s, from Python strings, which it asks for."""

    def __init__(self, texts: pa.ChunkedArray, queries: list[str], threads: int) -> None:
        self.texts = texts.to_pylist()
        self.queries = queries
        self.stemmer = Stemmer.Stemmer("english")
        warm = self._built(["a b c", "gold é"] * 60)[1]
        for count in (1, threads):
            warm.retrieve([[1], [2]], k=DEPTH, n_threads=count, show_progress=False)

    def _built(self, texts: list[str]) -> tuple[object, object]:
        tokenizer = bm25s.tokenization.Tokenizer(splitter=r"(?u)\w+", stopwords=None, stemmer=self.stemmer)
        ids = tokenizer.tokenize(texts, show_progress=False)
        index = bm25s.BM25(backend="numba")
        index.index((ids, tokenizer.get_vocab_dict()), show_progress=False)
        return tokenizer, index

    def build(self) -> None:
        self.tokenizer, self.index = self._built(self.texts)

    def _ids(self) -> list[list[int]]:
        return self.tokenizer.tokenize(self.queries, update_vocab=False, show_progress=False)

    def search(self, threads: int, *, from_text: bool) -> tuple[float, float]:
        asked = self._ids()
        options = {"k": min(DEPTH, len(self.texts)), "n_threads": threads, "show_progress": False}
        if from_text:
            return timed(lambda: self.index.retrieve(self._ids(), **options))[1:]
        return timed(lambda: self.index.retrieve(asked, **options))[1:]


class Tantivy:
    """tantivy, for reference: its document lengths are rounded to a byte, so that its scores are not BM25's."""

    def __init__(self, texts: pa.ChunkedArray, queries: list[str], threads: int) -> None:
        self.texts, self.threads = texts.to_pylist(), threads
        self.queries = [re.sub(r"[^\w ]+", " ", query) for query in queries]

    def build(self) -> None:
        import tantivy

        schema = tantivy.SchemaBuilder().add_text_field("text", tokenizer_name="en_stem").build()
        self.index = tantivy.Index(schema)
        writer = self.index.writer(256_000_000, num_threads=self.threads)
        for text in self.texts:
            writer.add_document(tantivy.Document(text=text))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()

    def search(self, threads: int, *, from_text: bool) -> tuple[float, float]:
        del from_text  # it takes nothing else
        searcher = self.index.searcher()

        def one(query: str) -> object:
            return searcher.search(self.index.parse_query(query, ["text"]), DEPTH, count=False)

        def all_of_them() -> object:
            with ThreadPoolExecutor(threads) as pool:
                return list(pool.map(one, self.queries))

        return timed(all_of_them)[1:]


SYSTEMS = {"pyrite": Pyrite, "bm25s": Bm25s}
REFERENCE = {"tantivy": Tantivy} if find_spec("tantivy") else {}


def measure(asked: argparse.Namespace) -> None:
    """One system's build and searches, as a line of JSON."""
    texts = pq.read_table(asked.corpus)["text"].cast(pa.large_string())
    queries = pq.read_table(asked.asked)["text"].to_pylist()
    system = (SYSTEMS | REFERENCE)[asked.system](texts, queries, asked.threads)
    del texts
    before = peak_megabytes()
    _, cpu, wall = timed(system.build)
    facts = {"cpu": cpu, "wall": wall, "peak": peak_megabytes(), "text": before}
    for threads in dict.fromkeys((1, asked.threads)):
        for kind in ("text",) if asked.system in REFERENCE else ("ids", "text"):
            cpu, wall = system.search(threads, from_text=kind == "text")
            facts[f"q/s {kind}, {threads} thread"] = len(queries) / wall
            facts[f"q/cpu s {kind}, {threads} thread"] = len(queries) / cpu
    if asked.check:
        facts["different"] = system.different()
    print(json.dumps(facts))


def compare(corpus: Path, queries: Path, asked: argparse.Namespace) -> None:
    """Both systems on one corpus."""
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in SYSTEMS | REFERENCE}
    for turn in range(asked.repeats):
        for name in SYSTEMS if turn else SYSTEMS | REFERENCE:
            command = [sys.executable, __file__, "--system", name, "--corpus", str(corpus), "--asked", str(queries)]
            command += ["--threads", str(asked.threads), *(["--check"] if name == "pyrite" and not turn else [])]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(done.stderr)
            runs[name].append(json.loads(done.stdout.splitlines()[-1]))
    ours, theirs = (
        {key: statistics.median(run[key] for run in runs[name]) for key in runs[name][-1]} for name in SYSTEMS
    )
    rows = pq.read_metadata(corpus).num_rows
    print(f"\n{corpus.name}: {rows} passages, {pq.read_metadata(queries).num_rows} queries, {asked.threads} threads")
    print(f"{'':<24}{'pyrite':>12}{'bm25s':>12}{'ratio':>9}")
    for key, unit in (("cpu", "build, cpu s"), ("wall", "build, wall s"), ("peak", "build, peak MB")):
        print(f"{unit:<24}{ours[key]:>12.2f}{theirs[key]:>12.2f}{theirs[key] / ours[key]:>8.2f}x")
    print(f"{'  of it before the build':<24}{ours['text']:>12.2f}{theirs['text']:>12.2f}")
    for key in (key for key in ours if key.startswith("q/")):
        print(f"{key:<24}{ours[key]:>12.0f}{theirs[key]:>12.0f}{ours[key] / theirs[key]:>8.2f}x")
    print(f"queries whose scores differ by a bit: {runs['pyrite'][0]['different']:.2%}")
    for name in REFERENCE:
        told = ", ".join(f"{key} {value:,.1f}" for key, value in runs[name][0].items())
        print(f"{name}, once, for reference: {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("passages", 10_000), ("queries", 1000), ("repeats", 3), ("threads", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--folder", type=Path, default=Path("/tmp/bm25"))
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    for name in ("system", "corpus", "asked"):
        parser.add_argument(f"--{name}", help=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.system:
        measure(asked)
        return
    compare(*make(asked.folder, asked.passages, asked.queries), asked)
    for name, split in (("medquad", "train"), ("wiki-leads", "en")):
        real = [asked.data / name / table / f"{split}.parquet" for table in ("corpus", "queries")]
        if all(path.is_file() for path in real):
            compare(*real, asked)


if __name__ == "__main__":
    main()
