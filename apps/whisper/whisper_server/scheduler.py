"""Shares the recognizer: every task runs a step at a time, and a live session before a file."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol


class QueueFull(Exception):
    """No further file is accepted now."""


class DeadlineExceeded(Exception):
    """The file was not transcribed within the deadline."""


class Task(Protocol):
    def step(self) -> bool:
        """Runs in a worker thread for some seconds at most. True: the task is done."""
        ...


class _Entry:
    def __init__(self, task: Task, deadline: float) -> None:
        self.task = task
        self.deadline = deadline
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Scheduler:
    """Tasks take turns: after each step the task goes behind all others, so a long file does not delay a short one."""

    def __init__(self, workers: int, max_queue: int) -> None:
        self._max_queue = max_queue
        self._files: deque[_Entry] = deque()
        self._live: deque[_Entry] = deque()
        self._accepted = 0
        self._pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="recognition")
        self._idle = asyncio.Semaphore(workers)
        self._wake = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._steps: set[asyncio.Task[None]] = set()

    @property
    def accepted(self) -> int:
        """Files that run or wait."""
        return self._accepted

    async def run_file(self, task: Task, deadline_seconds: float) -> None:
        """Raises QueueFull, DeadlineExceeded, and what the task raises. Cancelling ends the task after its step."""
        if self._accepted >= self._max_queue:
            raise QueueFull
        self._accepted += 1
        try:
            await self._run(self._files, _Entry(task, time.monotonic() + deadline_seconds))
        finally:
            self._accepted -= 1

    async def run_live(self, task: Task) -> None:
        await self._run(self._live, _Entry(task, float("inf")))

    async def _run(self, queue: deque[_Entry], entry: _Entry) -> None:
        queue.append(entry)
        self._loop = self._loop or asyncio.create_task(self._dispatch())
        self._wake.set()
        await entry.done

    async def _dispatch(self) -> None:
        while True:
            while not self._live and not self._files:
                self._wake.clear()
                await self._wake.wait()
            await self._idle.acquire()
            queue = self._live or self._files
            step = asyncio.create_task(self._step(queue.popleft(), queue))
            self._steps.add(step)
            step.add_done_callback(self._steps.discard)

    async def _step(self, entry: _Entry, queue: deque[_Entry]) -> None:
        try:
            if entry.done.cancelled():
                return
            if time.monotonic() > entry.deadline:
                raise DeadlineExceeded
            is_done = await asyncio.get_running_loop().run_in_executor(self._pool, entry.task.step)
            if entry.done.cancelled():
                return
            if is_done:
                entry.done.set_result(None)
            else:
                queue.append(entry)
                self._wake.set()
        except Exception as error:
            if not entry.done.done():
                entry.done.set_exception(error)
        finally:
            self._idle.release()
