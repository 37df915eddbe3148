# SPDX-License-Identifier: MIT
import json

import pytest
from aether_reference.failure import Failure
from aether_reference.network import Network
from driver import V1, V2, load_workload


@pytest.mark.parametrize("path, count", [(V1, 141354), (V2, 111498)])
def test_parameter_count_of_file_and_network(path, count):
    workload = load_workload(path)
    assert workload.parameter_count == count
    assert sum(p.numel() for p in Network(workload).parameters()) == count


def test_a_network_of_another_count_stops_with_both_numbers():
    workload = load_workload(V1)
    workload.parameters.pop()
    with pytest.raises(Failure, match="141354.*141344"):
        Network(workload)


def changed(tmp_path, change):
    values = json.loads(V2.read_text())
    change(values)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(values))
    return path


def failure_of(path):
    with pytest.raises(Failure) as caught:
        load_workload(path)
    return caught.value.kind, str(caught.value)


def test_an_unknown_layer_names_layer_and_runner(tmp_path):
    kind, message = failure_of(
        changed(tmp_path, lambda v: v["layers"].insert(2, {"type": "attention", "name": "look"}))
    )
    assert kind == "unsupported"
    assert "look" in message and "attention" in message and "aether-reference-python" in message


def test_an_even_kernel_is_unsupported(tmp_path):
    kind, message = failure_of(changed(tmp_path, lambda v: v["layers"][0].update(kernel=4)))
    assert kind == "unsupported" and "conv1" in message and "4" in message


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda v: v["layers"][1].pop("epsilon"), ["layers[1].epsilon", "found nothing"]),
        (lambda v: v["layers"][0].update(filters="many"), ["layers[0].filters", '"many"']),
        (lambda v: v["layers"][8].update(rate=1.0), ["layers[8].rate"]),
        (lambda v: v["layers"][1].update(name="conv1"), ["layers[1].name", "conv1"]),
        (lambda v: v["layers"].pop(), ["128", "10 classes"]),
        (lambda v: v.pop("optimizer"), ["optimizer"]),
    ],
)
def test_a_damaged_file_names_path_and_field(tmp_path, change, words):
    path = changed(tmp_path, change)
    kind, message = failure_of(path)
    assert kind == "usage" and str(path) in message
    assert all(word in message for word in words), message


def test_a_missing_or_broken_file_names_the_path(tmp_path):
    assert failure_of(tmp_path / "none.json") == (
        "usage",
        f"{tmp_path}/none.json: No such file or directory; expected a workload file",
    )
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert failure_of(broken)[1].startswith(f"{broken}: not JSON")
