"""A copyright notice's licence is recognised only if it is unambiguous."""

from hookwright_documentation.cutting.licenses import canonicalize, recognise


def test_licence_is_recognised_in_a_notice() -> None:
    for notice, spdx in [
        ("Licensed under the BSD 3-clause License.", "BSD-3-Clause"),
        ("Licensed under the 2-clause BSD License.", "BSD-2-Clause"),
        ("Licensed under the MIT License.", "MIT"),
        ("Licensed under the Apache License, Version 2.0.", "Apache-2.0"),
        ("Licensed under the Apache License v2.0", "Apache-2.0"),
        ("Licensed under the MPL 2.0 License.", "MPL-2.0"),
        ("Licensed under the Mozilla Public License, Version 2.0", "MPL-2.0"),
        ("Licensed under the PSF License.", "PSF-2.0"),
        ("Creative Commons Attribution-ShareAlike License v2.5 or later.", "CC-BY-SA-2.5"),
        ("Creative Commons Attribution 4.0 International License", "CC-BY-4.0"),
        ("Creative Commons Attribution-NonCommercial-ShareAlike 4.0", "CC-BY-NC-SA-4.0"),
        ("under <a href='https://creativecommons.org/licenses/by/4.0/'>CC BY 4.0</a>", "CC-BY-4.0"),
        ("Code under the MIT License, texts under CC BY 4.0.", ""),
        ("Licensed under the MIT License or the GNU General Public License v2.", ""),
        ("Licensed under the BSD License.", ""),
        ("All rights reserved.", ""),
    ]:
        assert recognise(notice) == spdx
        assert canonicalize(spdx) == spdx
