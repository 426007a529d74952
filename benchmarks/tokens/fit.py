"""Learn the token vectors from the stores, and write the shipped file."""

import math
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from rich.progress import track
from safetensors.numpy import save_file
from torch.nn import Parameter
from torch.nn.functional import binary_cross_entropy_with_logits, normalize

from hookwright_retrieval.embedders.wordllama import load_vectors
from hookwright_retrieval.token_vectors import measure_lengths
from lesson_search.retrieval.lesson_tokens import LEARNED, load_token_vectors

from .samples import TEXTS, Sample, list_samples

DIMENSIONS, COMPONENTS = 128, 64
EPOCHS, BATCH, RATE = (1, 3), 32, 3e-3  # the first pass only finds candidates that are hard to rank
# Regularisation of the changes to vectors, of the mixing, and of the token weights.
CHANGES, MIXING, HEADS = 2e-4, 5e-4, 3e-3
COMMON = 20_000  # most frequent tokens; their principal components initialise the projection
LEAST, MOST = -4.0, 3.0  # limits of the log ratio of a token's weight to its vector's length
WEIGHTS = (3.5, 0.4, 28.0, -8.6)  # initial weights of similarity, words, tokens, and the bias
FLOOR = 1e-6  # replaces a divisor of 0
CODES = 63  # levels of a change in each direction: twice as many gain nothing and add 120 kB
KEPT = 0.85  # share of the learned change to keep, because the rest overfits these texts


class Model:
    """The learned parameters."""

    def __init__(self) -> None:
        vectors = load_vectors().astype(np.float32)
        lengths = measure_lengths(vectors)
        directions = torch.from_numpy(vectors / lengths[:, None])
        logarithms = torch.log(torch.from_numpy(lengths))
        standard = (logarithms - logarithms.mean()) / logarithms.std()
        self.directions, self.lengths = directions, torch.from_numpy(lengths)
        self.features = torch.cat([directions - directions.mean(0), standard[:, None]], 1)
        main = torch.linalg.svd(
            directions[:COMMON] - directions[:COMMON].mean(0), full_matrices=False
        )
        self.projection = Parameter(main.Vh[:DIMENSIONS].T.clone())
        self.changes = Parameter(torch.zeros(len(vectors), COMPONENTS))
        self.mixing = Parameter(torch.randn(COMPONENTS, DIMENSIONS) * 0.05)
        self.heads = Parameter(torch.zeros(2, self.features.shape[1]))
        self.weights = Parameter(torch.tensor(WEIGHTS))

    def embed(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return the vectors of tokens, each of length 1."""
        moved = self.changes[tokens] @ self.mixing
        return normalize(self.directions[tokens] @ self.projection + moved, dim=1)

    def weigh(self, tokens: torch.Tensor, head: int) -> torch.Tensor:
        """Return the weights of tokens in a prompt (head 0) or in a lesson (head 1)."""
        logarithms = (self.features[tokens] @ self.heads[head]).clamp(LEAST, MOST)
        return self.lengths[tokens] * torch.exp(logarithms)

    def rank(self, sample: Sample) -> torch.Tensor:
        """Return the log-odds that each candidate helps, as computed by the ranking."""
        prompt, tokens = torch.from_numpy(sample.prompt), torch.from_numpy(sample.tokens)
        places = torch.from_numpy(sample.places)
        cosines = self.embed(prompt) @ self.embed(tokens).T
        shares = self.weigh(prompt, 0)
        shares = shares / shares.sum()
        back = self.weigh(tokens, 1)
        nearest = (back * cosines.amax(0))[places]
        total: torch.Tensor = torch.zeros(())
        for mask in map(torch.from_numpy, (sample.whole, sample.opening)):
            there = shares @ cosines[:, places].masked_fill(~mask, -1).amax(2)
            weight = (back[places] * mask).sum(1).clamp(min=FLOOR)
            total = total + there * (nearest * mask).sum(1) / weight / 2
        evidence = torch.from_numpy(sample.evidence) @ self.weights[:2]
        return evidence + total * self.weights[2] + self.weights[3]

    def list_parameters(self) -> list[Parameter]:
        return [self.projection, self.changes, self.mixing, self.heads, self.weights]

    def measure_size(self) -> torch.Tensor:
        changes, mixing = (self.changes**2).sum(), (self.mixing**2).sum()
        return CHANGES * changes + MIXING * mixing + HEADS * (self.heads**2).sum()


def measure_loss(odds: torch.Tensor, sample: Sample) -> torch.Tensor:
    """Return the loss of the ranking and, except for notes, of each candidate's probability."""
    wanted = torch.from_numpy(sample.wanted)
    loss: torch.Tensor = torch.zeros(())
    if wanted.any():
        loss = torch.logsumexp(odds, 0) - torch.logsumexp(odds[wanted], 0)
    if sample.is_note:
        return loss
    return loss + binary_cross_entropy_with_logits(odds, wanted.float(), reduction="sum")


def learn(samples: Sequence[Sample], epochs: int) -> Model:
    torch.manual_seed(0)
    random, model = np.random.default_rng(0), Model()
    optimizer = torch.optim.Adam(model.list_parameters(), lr=RATE)
    steps = epochs * math.ceil(len(samples) / BATCH)
    rates = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / steps)
    for epoch in range(epochs):
        order = random.permutation(len(samples))
        for start in track(range(0, len(samples), BATCH), f"Learning, {epoch + 1} of {epochs}"):
            batch = [samples[number] for number in order[start : start + BATCH]]
            losses = [measure_loss(model.rank(sample), sample) for sample in batch]
            loss = torch.stack(losses).mean() + model.measure_size()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            rates.step()
    return model


def save(model: Model, path: Path) -> None:
    with torch.no_grad():
        changed = torch.nonzero(model.changes.abs().amax(1) > 0)[:, 0]
        changes, everything = model.changes[changed], torch.arange(len(model.lengths))
        scale = changes.abs().amax() / CODES
        weights = torch.stack([model.weigh(everything, head) for head in (0, 1)])
        weights = model.lengths * (weights / model.lengths) ** KEPT
        tensors = {
            "projection": model.projection.half(),
            "mixing": model.mixing.half(),
            "weights": weights.half(),
            "numbers": changed.to(torch.uint16),
            "changes": torch.round(changes / scale).to(torch.int8),
            "scale": KEPT * scale[None].float(),
        }
        save_file({name: tensor.contiguous().numpy() for name, tensor in tensors.items()}, path)


def main() -> int:
    """Learn the vectors, write the file, and return 0."""
    torch.set_num_threads(1)  # the products are small: a second thread doubles the time
    lengths = measure_lengths(load_vectors())
    with tempfile.TemporaryDirectory() as texts:
        with tarfile.open(TEXTS) as archive:
            archive.extractall(texts, filter="data")
        for turn, epochs in enumerate(EPOCHS):
            found = list_samples(Path(texts), lengths, learned=turn > 0)
            samples = list(track(found, "Reading", total=None))
            model = learn(samples, epochs)
            save(model, LEARNED)
            load_token_vectors.cache_clear()
    print(f"{len(samples):,} prompts: {LEARNED}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
