"""What requests are answered from."""

from typing import Annotated

from fastapi import Depends, Request

from lesson_search.catalogue import Catalogue


async def find_catalogue(request: Request) -> Catalogue:
    """Return what is served."""
    catalogue: Catalogue = request.app.state.catalogue
    return catalogue


Served = Annotated[Catalogue, Depends(find_catalogue)]
