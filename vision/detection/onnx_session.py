"""onnxruntime behind one function, so that nothing else knows how a session is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.models.manifest import ModelError

THREADS = 2


class Network:
    """An ONNX file with one input and one output."""

    def __init__(self, path: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.inter_op_num_threads = 1
        # A thread that spins while it waits takes the core from whatever else runs: twice the CPU time for a photo.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
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
