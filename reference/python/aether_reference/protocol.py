# SPDX-License-Identifier: MIT
"""Run protocol 1 (docs/protocol.md): one JSON object a line, one final answer a command."""

import contextlib
import json
import threading
import time

from .failure import NUMERICS, USAGE, Failure, failure_from

VERSION = "1.0"
PROGRESS_SECONDS = 3.0


class Answers:
    """Writes events, each line whole and flushed, also from the progress thread."""

    def __init__(self, stream):
        self.stream, self.lock = stream, threading.Lock()

    def send(self, event, id_, values):
        head = {"event": event} if event == "hello" else {"event": event, "id": id_}
        try:
            line = json.dumps({**head, **values}, allow_nan=False)
        except ValueError as error:
            raise Failure(NUMERICS, f"{event} holds a number that is not finite") from error
        with self.lock:
            self.stream.write(line.encode() + b"\n")
            self.stream.flush()


class Report:
    """What a command may say before its final answer."""

    def __init__(self, answers, id_):
        self.answers, self.id = answers, id_

    def event(self, name, **values):
        self.answers.send(name, self.id, values)

    def progress(self, phase, message, done=0, total=1):
        self.event("progress", phase=phase, done=done, total=total, message=message)

    @contextlib.contextmanager
    def ticking(self, phase, message):
        """A progress line at once and every few seconds, so that a long compilation is seen to be alive."""
        begin, finished = time.monotonic(), threading.Event()

        def tick():
            while not finished.wait(PROGRESS_SECONDS):
                self.progress(phase, f"{message}, {time.monotonic() - begin:.0f} s")

        self.progress(phase, message)
        thread = threading.Thread(target=tick, daemon=True)
        thread.start()
        try:
            yield
        finally:
            finished.set()
            thread.join()


class Request:
    """One command's fields; a missing or wrong one is named."""

    def __init__(self, values):
        self.values = values

    def _get(self, key, kind, expected, optional):
        value = self.values.get(key)
        if value is None and optional:
            return None
        if not isinstance(value, kind) or isinstance(value, bool):
            raise Failure(USAGE, f"{key}: expected {expected}, found {json.dumps(value)[:60]}")
        return value

    def text(self, key, optional=False):
        return self._get(key, str, "a string", optional)

    def whole(self, key, least=1, optional=False):
        value = self._get(key, int, "a whole number", optional)
        if value is not None and value < least:
            raise Failure(USAGE, f"{key}: expected a whole number from {least}, found {value}")
        return value

    def wholes(self, key):
        values = self._get(key, list, "a list of whole numbers", True) or []
        if not all(type(v) is int and v >= 0 for v in values):
            raise Failure(USAGE, f"{key}: expected a list of whole numbers, found {json.dumps(values)[:60]}")
        return values


FINAL = {
    "describe": "description",
    "prepare": "prepared",
    "measure": "sample",
    "profile": "stages",
    "trace": "traced",
    "train": "trained",
    "close": "closed",
}


def _parse(line):
    """The JSON object of a line."""
    try:
        values = json.loads(line.decode("utf-8"))
    except ValueError as error:
        raise Failure(USAGE, f"not a JSON object: {error}") from error
    if not isinstance(values, dict):
        raise Failure(USAGE, "not a JSON object")
    return values


def _answer(runner, answers, values, id_):
    """Carries out one command and sends its final answer. Returns whether it was close."""
    command = values.get("command")
    if not isinstance(command, str) or command not in FINAL:
        raise Failure(USAGE, f"unknown command {json.dumps(command)[:60]}, expected one of {', '.join(FINAL)}")
    if id_ is None:
        raise Failure(USAGE, f"{command} needs a whole number as its id")
    result = {}
    if command != "close":
        result = getattr(runner, command)(Request(values), Report(answers, id_))
    answers.send(FINAL[command], id_, result)
    return command == "close"


def serve(runner, commands, answers):
    """Prints hello, then answers one command a line until close or the end of input. Returns the exit code."""
    answers.send("hello", None, {"protocol": VERSION, **runner.hello()})
    for line in commands:
        if not line.strip():
            continue
        id_ = None
        try:
            values = _parse(line)
            id_ = values.get("id") if type(values.get("id")) is int else None
            if _answer(runner, answers, values, id_):
                break
        except Exception as error:  # the program's edge: everything becomes one `failed`
            failure = failure_from(error)
            answers.send("failed", id_, {"kind": failure.kind, "message": str(failure)})
    return 0
