"""A server with the plain design, for comparison: one vector per lesson, and Chroma's own query."""

import sys
import time
from typing import Any

import chromadb
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder


class Query(BaseModel):
    """A prompt."""

    prompt: str
    top_k: int = 5


class Bulk(BaseModel):
    """Lessons."""

    lessons: list[dict[str, Any]]


def main() -> None:
    embedder = WordLlamaEmbedder()
    collection = chromadb.PersistentClient(sys.argv[1]).get_or_create_collection(
        "lessons", embedding_function=None, metadata={"hnsw:space": "cosine"}
    )
    app = FastAPI()

    @app.post("/api/query")
    def query(request: Query) -> dict[str, object]:
        start = time.perf_counter()
        vector = embedder.embed_query(request.prompt).tolist()
        found: Any = collection.query(query_embeddings=[vector], n_results=request.top_k)
        rows = zip(found["ids"][0], found["documents"][0], found["distances"][0], strict=True)
        lessons = [{"id": name, "text": text, "score": 1 - far} for name, text, far in rows]
        return {"lessons": lessons, "query_time_ms": (time.perf_counter() - start) * 1000}

    @app.post("/api/ingest/bulk")
    def ingest(request: Bulk) -> dict[str, int]:
        texts = [lesson["text"] for lesson in request.lessons]
        collection.upsert(
            ids=[lesson["id"] for lesson in request.lessons],
            documents=texts,
            embeddings=embedder.embed_documents(texts),
        )
        return {"ingested": len(texts)}

    @app.get("/api/health")
    def health() -> dict[str, str]:
        return {"status": "healthy"}

    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")


if __name__ == "__main__":
    main()
