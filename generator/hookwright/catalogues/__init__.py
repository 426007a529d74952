"""Catalogues of records that others share."""
