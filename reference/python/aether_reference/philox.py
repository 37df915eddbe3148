# SPDX-License-Identifier: MIT
"""Philox4x32-10, vectorised. Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
SC 2011; multipliers and Weyl keys as published there."""

import numpy as np

_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_HIGH = np.uint64(32)


def philox4x32(counter, key):
    """counter: four words, each a number or an array of [n]; key: two numbers. Returns uint32 [n, 4]."""
    words = np.broadcast_arrays(*(np.atleast_1d(np.asarray(c, dtype=np.uint64)) for c in counter))
    c0, c1, c2, c3 = words
    k0, k1 = key
    for _ in range(10):
        a, b = _MULTIPLIERS[0] * c0, _MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = ((b >> _HIGH) ^ c1 ^ np.uint64(k0), b & _LOW, (a >> _HIGH) ^ c3 ^ np.uint64(k1), a & _LOW)
        k0, k1 = (k0 + _WEYL[0]) & 0xFFFFFFFF, (k1 + _WEYL[1]) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=1).astype(np.uint32)
