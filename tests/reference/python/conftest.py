# SPDX-License-Identifier: MIT
import pytest
import torch
from driver import V2, run_trace

torch.set_num_threads(1)  # more threads only wait for each other on a busy machine


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: compiles a step (a minute or more); leave out with -m 'not slow'")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("traces")


@pytest.fixture(scope="session")
def truth(folder):
    """The float64 trace of cifar10-v2 at batch 8, five steps."""
    return run_trace(folder, "truth", V2, precision="fp64")


@pytest.fixture(scope="session")
def fp32(folder):
    return run_trace(folder, "fp32", V2)
