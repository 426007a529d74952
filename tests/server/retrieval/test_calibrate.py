"""The ranking is calibrated once for each embedder, and the result is stored."""

import json
import math
from collections.abc import Iterator
from contextlib import closing
from dataclasses import astuple, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_console.terminal import listening
from hookwright_retrieval.embedders import EmbedderError
from hookwright_retrieval.embedders import embedding_service as service_module
from hookwright_retrieval.embedders.openai_compatible import OpenAIEmbedder
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.retrieval import calibrator
from lesson_search.retrieval.calibration import (
    SHIPPED,
    THRESHOLD_STEPS,
    Calibration,
    Weights,
    locate,
    read_calibration,
    save_calibration,
)
from lesson_search.retrieval.calibrator import find_calibration, fit_calibration
from lesson_search.retrieval.evaluation import LABELLED, LabelledSet, read_set

from ...support.embedding_services import FakeService, Reply, Request, stand_in_for_openai
from ...support.hypothesis_profiles import examples

SOME = Calibration(Weights(5.5, 1.0, 2.0, -7.0), 0.35, (0.5, -0.25))
NAMES = ["openai/m", "ollama/hf.co/me/e5:q4", "../../etc/passwd", "a\x00b", "\ud83e", "", "é" * 300]


@pytest.fixture
def small_set(monkeypatch: pytest.MonkeyPatch) -> LabelledSet:
    whole = read_set(LABELLED)
    texts = dict(list(zip(whole.ids, whole.texts, strict=True))[:60])
    questions = [question for question in whole.questions if question.wanted <= texts.keys()][:60]
    labelled = LabelledSet(list(texts), list(texts.values()), questions)
    monkeypatch.setattr(calibrator, "read_set", lambda _: labelled)
    return labelled


@pytest.fixture
def fake(embedder: WordLlamaEmbedder) -> Iterator[FakeService]:
    with closing(FakeService(stand_in_for_openai(embedder))) as fake:
        yield fake


@pytest.fixture
def client(fake: FakeService) -> Iterator[OpenAIEmbedder]:
    with closing(OpenAIEmbedder("m", fake.url)) as client:
        assert client.check()
        yield client


def test_shipped_calibration_matches_a_new_fit(embedder: WordLlamaEmbedder) -> None:
    fitted = fit_calibration(embedder)
    shipped = read_calibration("wordllama", SHIPPED)
    assert shipped
    assert astuple(fitted.weights) == pytest.approx(astuple(shipped.weights), abs=0.1)
    assert fitted.threshold == pytest.approx(shipped.threshold, abs=1.1 / THRESHOLD_STEPS)


def test_shipped_calibrations_are_plausible() -> None:
    names = [json.loads(file.read_text())["embedder"] for file in SHIPPED.iterdir()]
    assert "wordllama" in names
    for calibration in (read_calibration(name, SHIPPED) for name in names):
        assert calibration
        weights = calibration.weights
        assert min(astuple(weights)[:-1]) >= 0 > weights.bias
        assert 0.1 <= calibration.threshold <= 0.6


def test_shipped_calibration_needs_no_fit(embedder: WordLlamaEmbedder, tmp_path: Path) -> None:
    assert find_calibration(embedder, tmp_path) == read_calibration("wordllama", SHIPPED)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("small_set")
def test_calibration_is_fitted_once(
    fake: FakeService, client: OpenAIEmbedder, tmp_path: Path
) -> None:
    steps: list[tuple[str, int, int]] = []
    with listening(lambda *step: steps.append(step)):
        fitted = find_calibration(client, tmp_path / "new")
    assert steps[-1] == ("Calibrating the ranking", 60, 60)
    assert fitted.weights.tokens > 0
    fake.requests.clear()
    assert find_calibration(client, tmp_path / "new") == fitted
    assert fake.requests == []


@pytest.mark.usefixtures("small_set")
def test_unwritable_folder_is_ignored(client: OpenAIEmbedder, tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.touch()
    assert find_calibration(client, folder).threshold > 0


def test_unavailable_embedder_is_reported(
    fake: FakeService, client: OpenAIEmbedder, tmp_path: Path
) -> None:
    fake.close()
    with pytest.raises(EmbedderError, match=r"start the service"):
        find_calibration(client, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("small_set")
def test_slow_embedder_is_awaited(
    fake: FakeService, client: OpenAIEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "QUERY_TIMEOUT", 0.8)
    answer, slow = fake.answer, [True]

    def hesitate(request: Request) -> Reply:
        if len(request.body["input"]) == 1 and slow and len(fake.texts) > 90:
            slow.clear()
            fake.closed.wait(1.2)
        return answer(request)

    fake.answer = hesitate
    assert fit_calibration(client).weights.tokens > 0
    assert not slow


@pytest.mark.usefixtures("small_set")
def test_uninformative_embedder_gets_no_weight() -> None:
    def same(request: Request) -> Reply:
        rows = [
            {"index": number, "embedding": [1.0, 0.0]}
            for number in range(len(request.body["input"]))
        ]
        return Reply({"data": rows})

    with closing(FakeService(same)) as fake, closing(OpenAIEmbedder("m", fake.url)) as client:
        assert client.check()
        weights = fit_calibration(client).weights
    assert weights.similarity == pytest.approx(0, abs=1e-6)
    assert all(map(math.isfinite, astuple(weights)))


@pytest.mark.parametrize("name", NAMES)
def test_saved_calibration_can_be_read(name: str, tmp_path: Path) -> None:
    save_calibration(SOME, name, tmp_path)
    assert read_calibration(name, tmp_path) == SOME
    [file] = tmp_path.iterdir()
    assert file == locate(name, tmp_path)
    assert file.name.startswith("calibration-")
    assert len(file.name) < 100


def test_names_do_not_share_a_file(tmp_path: Path) -> None:
    names = ["openai/a:b", "openai/a-b", "openai/A-b", "openai-a-b"]
    assert len({locate(name, tmp_path) for name in names}) == len(names)


@pytest.mark.parametrize(
    "change",
    [
        {"embedder": "openai/other"},
        {"evidence": 0},
        {"mean_vector": None},
        {"weights": None},
        {"weights": {}},
        {"weights": {"similarity": 1, "words": 1, "tokens": 1}},
        {"weights": {"similarity": 1, "words": 1, "tokens": 1, "bias": 1, "more": 1}},
    ],
)
def test_other_calibration_is_ignored(change: dict[str, object], tmp_path: Path) -> None:
    save_calibration(SOME, "m", tmp_path)
    file = locate("m", tmp_path)
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    assert read_calibration("m", tmp_path) is None


@settings(max_examples=examples(100))
@given(content=st.binary(max_size=60) | st.just(b"[" * 100_000))
def test_arbitrary_file_is_ignored(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    locate("m", folder).write_bytes(content)
    assert read_calibration("m", folder) is None


def test_failed_save_keeps_the_old_calibration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_calibration(SOME, "m", tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(json, "dump", fail)
        with pytest.raises(OSError, match="No space left"):
            save_calibration(replace(SOME, threshold=0.2), "m", tmp_path)
    assert read_calibration("m", tmp_path) == SOME
    assert len(list(tmp_path.iterdir())) == 1
