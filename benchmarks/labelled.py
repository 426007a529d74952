"""Two ways to search labelled lessons: the server's ranking, and a plain search for comparison."""

from typing import Any
from uuid import uuid4

import chromadb

from hookwright_retrieval.embedders import Embedder
from lesson_search.retrieval.calibration import Calibration
from lesson_search.retrieval.evaluation import LabelledSet, Search
from lesson_search.retrieval.ranking import Ranker, build_index_data

from .workload import ROOT

HELD_OUT = ROOT / "benchmarks" / "held-out"
DEPTH = 10


def search_plainly(labelled: LabelledSet, embedder: Embedder) -> Search:
    """Return a search by the plain design: one vector per lesson, and Chroma's nearest lessons."""
    client = chromadb.EphemeralClient()
    collection = client.create_collection(
        uuid4().hex, embedding_function=None, metadata={"hnsw:space": "cosine"}
    )
    collection.add(ids=labelled.ids, embeddings=embedder.embed_documents(labelled.texts))

    def search(prompt: str) -> list[tuple[str, float]]:
        vector = embedder.embed_query(prompt).tolist()
        found: Any = collection.query(query_embeddings=[vector], n_results=DEPTH)
        pairs = zip(found["ids"][0], found["distances"][0], strict=True)
        return [(name, 1 - distance) for name, distance in pairs]

    return search


def search_ranked(labelled: LabelledSet, embedder: Embedder, calibration: Calibration) -> Search:
    """Return a search by the server's ranking."""
    index_data = build_index_data(labelled.texts, embedder.embed_documents(labelled.texts))
    ranker = Ranker(embedder, calibration, index_data)

    def search(prompt: str) -> list[tuple[str, float]]:
        return [(labelled.ids[match.number], match.score) for match in ranker.rank(prompt, DEPTH)]

    return search
