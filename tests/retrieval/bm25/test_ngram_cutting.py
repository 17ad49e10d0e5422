import warnings

from pyrite.core import Corpus, Document, Queries, Query
from pyrite.retrieval.bm25 import BM25
from pyrite.retrieval.bm25.analyzers import analyzer_for
from pyrite.retrieval.bm25.ngram_cutting import NgramCutter


def test_texts_are_cut_in_order_as_the_analyzer_cuts_each() -> None:
    analyzer = analyzer_for("ngram:de/3")
    texts = ["Erz, Gold", "", "STRASSE"]
    with NgramCutter(analyzer) as cutter:
        cut = cutter.cut(texts)
    assert cut == ["erz gol old", "", "str tra ras ass sse"]
    assert [text.split() for text in cut] == [analyzer.tokens(text) for text in texts]


def test_japanese_is_searched_without_a_segmenter_and_without_a_warning() -> None:
    corpus = Corpus.of([Document("d1", "黄鉄鉱は金に似ている。"), Document("d2", "水晶は透明である。")])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = BM25("ngram:ja/2", threads=1).index(corpus).search(Queries.of([Query("q1", "黄鉄鉱とは何か")]), 10)
    assert [hit.doc_id for hit in run["q1"]] == ["d1"]


def test_a_part_of_a_compound_finds_the_compound() -> None:
    corpus = Corpus.of([Document("d1", "Zinnerz"), Document("d2", "Silbergrube")])
    run = BM25("ngram:de/4", threads=1).index(corpus).search(Queries.of([Query("q1", "Gruben")]), 10)
    assert [hit.doc_id for hit in run["q1"]] == ["d2"]


def test_the_name_says_the_size() -> None:
    assert BM25("ngram:ja").name == "bm25:ngram:ja/2"
