import os
import subprocess
import sys
from pathlib import Path

from pyrite.retrieval.bm25 import compiled

PROGRAM = "from outer import outer; import sys; sys.stdout.write(str(outer(1)))"


def test_a_changed_function_in_another_file_is_compiled_again(tmp_path: Path) -> None:
    (tmp_path / "compiled.py").write_text(Path(compiled.__file__).read_text())
    head = "from compiled import compiled\n"
    (tmp_path / "outer.py").write_text(
        f"{head}from inner import inner\n@compiled\ndef outer(x):\n    return inner(x) + 1\n"
    )

    def answer(factor: int) -> str:
        (tmp_path / "inner.py").write_text(f"{head}@compiled\ndef inner(x):\n    return {factor} * x\n")
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(tmp_path / "kept")}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert [answer(10), answer(10), answer(200)] == ["11", "11", "201"]


def test_the_same_sources_are_compiled_once() -> None:
    @compiled.compiled
    def double(x: int) -> int:
        return 2 * x

    assert double(3) == 6
    assert double.py_func(3) == 6  # type: ignore[attr-defined]
