"""onnxruntime behind one function, so that nothing else knows how a session is made."""

from __future__ import annotations

import contextlib
import os
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from vision.models.manifest import LibraryError, ModelError

ON_WINDOWS = os.name == "nt"
THREADS = 1
"""A second thread makes a photo take a tenth more processor time. A second core is for a second photo, or for another
part of this one (:mod:`vision.pixels.server.cores`)."""
WINDOWS_RUNTIME = "https://aka.ms/vs/17/release/vc_redist.x64.exe"
"""Microsoft's installer of the Visual C++ runtime, which onnxruntime is linked against."""


class Network:
    """An ONNX file with one input and one output."""

    def __init__(self, path: Path) -> None:
        self.path = path
        onnxruntime = _onnxruntime()
        _share_memory(onnxruntime)
        options = onnxruntime.SessionOptions()
        options.add_session_config_entry("session.use_env_allocators", "1")
        options.intra_op_num_threads = THREADS
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Photos differ in size, and a pattern kept for each of them is memory that never comes back.
        options.enable_mem_pattern = False
        try:
            self._session: Any = onnxruntime.InferenceSession(
                str(path), sess_options=options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's own exception classes are not public
            reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
            raise ModelError("model_unusable", place=str(path), reason=reason) from None
        self._input: str = self._session.get_inputs()[0].name

    def __call__(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """The first output for ``values``."""
        out: NDArray[np.float32] = self._session.run(None, {self._input: values})[0]
        return out


@cache
def _share_memory(onnxruntime: Any) -> None:
    """Use one heap for all networks, which grows by the requested size. With separate heaps, doubled whenever they are
    too small, two photos at once took 40 MB more."""
    kind = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    growth = {
        "max_mem": 0,
        "arena_extend_strategy": 1,
        "initial_chunk_size_bytes": 1 << 20,
        "max_dead_bytes_per_chunk": -1,
    }
    with contextlib.suppress(Exception):  # a program that we are a part of has made one: shared too
        onnxruntime.create_and_register_allocator(kind, onnxruntime.OrtArenaCfg(growth))


def _onnxruntime() -> Any:
    """The library. Raises ModelError, with the way out, if it or its dependencies cannot be loaded."""
    if ON_WINDOWS:
        _offer_windows_runtime()
    try:
        import onnxruntime
    except (ImportError, OSError) as error:
        if ON_WINDOWS:
            reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
            raise LibraryError("onnxruntime_windows", reason=reason, link=WINDOWS_RUNTIME) from None
        raise LibraryError.of(error) from None
    return onnxruntime


def _offer_windows_runtime() -> None:
    """Add pip's folder of msvc-runtime to Windows' DLL search, because Python's installer brings too few DLLs."""
    try:
        files = distribution("msvc-runtime").files or ()
    except PackageNotFoundError:  # an installation that brings its own, or none: the import tells
        return
    folders = {str(Path(str(file.locate())).resolve().parent) for file in files if file.name.lower() == "msvcp140.dll"}
    for folder in sorted(folders):
        if folder not in _offered and Path(folder).is_dir():
            _offered[folder] = cast(Any, os).add_dll_directory(folder)  # looked at for as long as this is kept


_offered: dict[str, Any] = {}
