"""Fit the ranking's calibration to the labelled lessons."""

import argparse
import sys

from hookwright_retrieval.embedders.registry import open_embedder
from lesson_search.retrieval.calibration import SHIPPED, save_calibration
from lesson_search.retrieval.calibrator import fit_calibration


def main() -> int:
    """Write the calibration; return 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("embedder", nargs="?", default="wordllama", help="e.g. ollama")
    parser.add_argument("--model")
    parser.add_argument("--url")
    options = parser.parse_args()
    embedder = open_embedder(options.embedder, options.model, options.url)
    fitted = fit_calibration(embedder)
    save_calibration(fitted, embedder.name, SHIPPED)
    print(embedder.name, fitted.weights, fitted.threshold)
    return 0


if __name__ == "__main__":
    sys.exit(main())
