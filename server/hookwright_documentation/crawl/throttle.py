"""The pace of a crawl: Scrapy's AutoThrottle, with more answers that make it faster."""

from typing import TYPE_CHECKING

from scrapy.extensions.throttle import AutoThrottle

from hookwright_documentation.crawl.addresses import is_loopback
from hookwright_documentation.crawl.http_cache import OK
from hookwright_documentation.crawl.urls import find_origin

if TYPE_CHECKING:
    from scrapy.core.downloader import Slot
    from scrapy.http import Response

NOT_MODIFIED = 304


class Throttle(AutoThrottle):
    """Adapts the delay to how fast a site answers; this computer need not be spared."""

    def _adjust_delay(self, slot: "Slot", latency: float, response: "Response") -> None:
        if is_loopback(find_origin(response.url)[0]):
            slot.delay = self.mindelay
            return
        # Scrapy lowers the delay for status 200 alone, as errors come fast from a site in trouble.
        if response.status == NOT_MODIFIED:
            response = response.replace(status=OK)
        super()._adjust_delay(slot, latency, response)
