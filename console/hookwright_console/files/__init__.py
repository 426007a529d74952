"""Read and replace files safely."""
