"""What every test may use."""

import hashlib
import logging
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tomlkit

# A first example may compile a loop for seconds; the suite has no time limits.
hypothesis.settings.register_profile("pyrite", deadline=None)
hypothesis.settings.load_profile("pyrite")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture
def shared_data() -> Path:
    """The folder of real collections beside the checkout; a test that needs it skips where it is absent."""
    if not (SHARED / "collections.json").is_file():
        pytest.skip(f"real collections are not at {SHARED}")
    return SHARED


@pytest.fixture(scope="session")
def object_store() -> Iterator[str]:
    """The address of a server of this machine that speaks S3; the environment names it to every process."""
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    keys = {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**keys, "AWS_ENDPOINT_URL": address}.items():
            patch.setenv(name, value)
        yield address
    server.stop()


@pytest.fixture
def bucket(object_store: str, request: pytest.FixtureRequest) -> str:
    """The URL of an empty bucket."""
    fs = pytest.importorskip("fsspec").filesystem("s3", skip_instance_cache=True)
    url = f"s3://{hashlib.blake2b(request.node.nodeid.encode(), digest_size=8).hexdigest()}"
    if fs.exists(url):
        fs.rm(url, recursive=True)
    fs.mkdir(url)
    return url


@pytest.fixture(scope="session")
def gs_server() -> Iterator[None]:
    """A server of this machine that speaks the protocol of Google's storage; the environment names it."""
    pytest.importorskip("gcsfs")
    # It asks who it is for, and a machine without an account has nobody to tell it.
    logging.getLogger("gcsfs").setLevel(logging.ERROR)
    server = pytest.importorskip("gcp_storage_emulator.server").create_server("127.0.0.1", 0, in_memory=True)
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_GCE_CHECK", "true")
        patch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{server._api._httpd.server_address[1]}")
        yield
    server.stop()


@pytest.fixture
def gs_bucket(gs_server: None, request: pytest.FixtureRequest) -> str:
    """The URL of an empty bucket of the other protocol."""
    name = hashlib.blake2b(request.node.nodeid.encode(), digest_size=8).hexdigest()
    pytest.importorskip("fsspec").filesystem("gs").mkdir(name)
    return f"gs://{name}"


@pytest.fixture
def hub_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of an empty folder in a dataset repository of a hub of this machine."""
    sys.path.insert(0, str(Path(__file__).parent))
    from hub_server import REPO, hub

    with hub() as address:
        told = {"endpoint": address, "token": "hf_nobody", "skip_instance_cache": True}
        monkeypatch.setitem(pytest.importorskip("fsspec").config.conf, "hf", told)
        yield f"hf://datasets/{REPO}/folder"


MINING_TEXTS = {
    "p1": "Pyrite shines.",
    "p2": "Gold shines too.",
    "p3": "Talc is soft.",
    "p4": "Silver shines.",
    "p5": "Diamond is hard.",
    "n1": "Coal is black.",
    "n2": "Clay is wet.",
    "n3": "Sand is loose.",
    "n4": "Ice is cold.",
    "n5": "Salt is white.",
    "n6": "Rust is red.",
}
MINING_QUERIES = [
    ("what shines?", ["p1", "p2"]),
    ("what is soft?", ["p3"]),
    ("what shines?", ["p4"]),
    ("what is hard?", ["p5"]),
]
MINING_RUN = {
    "q0": ["p1", "n1", "p4", "n2", "n3", "n4"],
    "q1": ["n1", "p3", "n2", "n3", "n4", "n5"],
    "q3": ["n5", "n6", "p5", "n1"],
}
MINING_LOGITS = {
    "q0": {"p1": 8.0, "p2": 7.0, "p4": 6.0, "n1": 3.0, "n2": 1.0, "n3": 2.5, "n4": -1.003},
    "q1": {"p3": 5.0, "n1": 0.0, "n2": -2.0, "n3": -3.0, "n4": -4.0, "n5": -5.0},
    "q3": {"p5": 1.003, "n5": -1.0, "n6": -2.0, "n1": -3.0},
}
MINING_RECIPE: dict[str, Any] = {
    "kind": "training",
    "name": "minerals-mined",
    "language": "en",
    "source": {"queries": {"path": "queries.parquet"}, "corpus": {"path": "corpus.parquet"}},
    "retriever": [{"system": "run:run.parquet", "depth": 6}],
    "teacher": {"system": "scores:scores.parquet", "depth": 3},
    "select": {"num_negatives": 2, "absolute_margin": 4.0},
    "credit": [{"name": "The Mineral Book", "license": "CC BY 4.0"}],
}


@pytest.fixture
def make_mining(tmp_path: Path) -> Callable[..., Path]:
    """Writes the sources of a small mining recipe, worked out by hand, and returns its file.

    `texts`, `queries`, `run` and `logits` replace the tables; `tables` are merged into those of the recipe.
    """

    def made(
        *,
        texts: dict[str, str] = MINING_TEXTS,
        queries: list[tuple[str, list[str]]] = MINING_QUERIES,
        run: dict[str, list[str]] = MINING_RUN,
        logits: dict[str, dict[str, float]] = MINING_LOGITS,
        **tables: Any,
    ) -> Path:
        asked, relevant = zip(*queries, strict=True)
        pq.write_table(pa.table({"query": asked, "relevant": relevant}), tmp_path / "queries.parquet")
        pq.write_table(pa.table({"id": list(texts), "text": list(texts.values())}), tmp_path / "corpus.parquet")
        hits = [(query, doc, rank) for query, docs in run.items() for rank, doc in enumerate(docs, start=1)]
        scores = [(query, doc, logit) for query, docs in logits.items() for doc, logit in docs.items()]
        ranked = {"query-id": [h[0] for h in hits], "corpus-id": [h[1] for h in hits], "rank": [h[2] for h in hits]}
        falling = {**ranked, "score": [1.0 / hit[2] for hit in hits]}
        pq.write_table(pa.table(falling), tmp_path / "run.parquet")
        told = {"query-id": [s[0] for s in scores], "corpus-id": [s[1] for s in scores]}
        pq.write_table(pa.table({**told, "logit": [s[2] for s in scores]}), tmp_path / "scores.parquet")
        recipe = dict(MINING_RECIPE)
        for name, table in tables.items():
            held = recipe.get(name)
            recipe[name] = {**held, **table} if isinstance(held, dict) and isinstance(table, dict) else table
        path = tmp_path / "minerals.toml"
        path.write_text(tomlkit.dumps(recipe), encoding="utf-8")
        return path

    return made


@pytest.fixture
def mined_folder(make_mining: Callable[..., Path], tmp_path: Path) -> Path:
    """The small mining recipe, built."""
    from pyrite.pipelines import build

    return build(make_mining(), out=tmp_path / "minerals-mined", work=tmp_path / "work").folder


CHROMIUM = ("chromium", "chromium-browser")
CHROMIUM_ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@dataclass(frozen=True)
class Seen:
    """An open page (a Playwright `Page`), what it complained of so far, and every address that it asked for."""

    page: Any
    faults: list[str]
    asked: list[str]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium with an empty profile; a test that needs it skips where it, or Playwright, is absent.

    Not one for the session: while it is open its thread has a running event loop, where no other could run.
    """
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'"
    )
    program = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("chromium is not installed, as with: apt-get install chromium")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=program, args=list(CHROMIUM_ARGUMENTS))
        yield opened
        opened.close()


@pytest.fixture
def see(browser: Any) -> Iterator[Callable[..., Seen]]:
    """Opens an address in a window of its own, with nothing remembered.

    `scheme` is "light" or "dark", `width` that of the window, `scripts` whether the page may run any.
    """
    contexts = []

    def opened(address: str, *, scheme: str = "light", width: int = 1280, scripts: bool = True) -> Seen:
        context = browser.new_context(
            color_scheme=scheme, viewport={"width": width, "height": 800}, java_script_enabled=scripts
        )
        # Machines under load are slow; what never comes still ends.
        context.set_default_timeout(120_000)
        contexts.append(context)
        seen = Seen(context.new_page(), [], [])
        seen.page.on(
            "console", lambda said: seen.faults.append(said.text) if said.type in ("error", "warning") else None
        )
        seen.page.on("pageerror", lambda error: seen.faults.append(str(error)))
        seen.page.on("request", lambda request: seen.asked.append(request.url))
        seen.page.goto(address)
        return seen

    yield opened
    for context in contexts:
        context.close()


MODEL_WORDS = (
    *("pyrite", "gold", "iron", "sulfur", "quartz", "fool", "glitters", "soft", "hard"),
    *("mineral", "element", "crystal", "cube", "vein", "river", "rock", "mine", "copper"),
    *("zinc", "lead", "silver", "ore", "heavy", "light", "blue", "green", "red"),
    *("yellow", "streak", "lustre", "cleavage", "hardness", "which", "what", "where", "how"),
    *("is", "the", "of", "in", "a", "deep", "old", "new", "bright"),
    *("dark"),
)


@pytest.fixture(scope="session")
def model_words() -> tuple[str, ...]:
    """What the tiny models have tokens for, beside the letters."""
    return MODEL_WORDS


@pytest.fixture(scope="session")
def make_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes the folder of a random model, two layers of 32 numbers: kind ("dense", "masked" or "cross"), seed.

    A test that needs it skips where sentence-transformers is absent.
    """
    pytest.importorskip("sentence_transformers", reason="the models extra is not installed")
    made: dict[tuple[str, int], Path] = {}

    def make(kind: str, seed: int = 0) -> Path:
        if (kind, seed) not in made:
            made[kind, seed] = _make_model(kind, seed, tmp_path_factory.mktemp(f"{kind}{seed}") / "tiny")
        return made[kind, seed]

    return make


def _make_model(kind: str, seed: int, folder: Path) -> Path:
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import (
        BertConfig,
        BertForMaskedLM,
        BertForSequenceClassification,
        BertModel,
        PreTrainedTokenizerFast,
    )

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = dict.fromkeys([*special, *MODEL_WORDS, *"abcdefghijklmnopqrstuvwxyz?."])
    vocabulary = {piece: place for place, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = dict(zip(("pad", "unk", "cls", "sep", "mask"), special, strict=True))
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=64, **{f"{name}_token": token for name, token in names.items()}
    )
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        num_labels=1,
        initializer_range=0.5,
    )
    kinds = {"dense": BertModel, "masked": BertForMaskedLM, "cross": BertForSequenceClassification}
    kinds[kind](config).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder
