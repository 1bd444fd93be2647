"""Parts: methods and functions that are linked into kernels, and never called from outside.

numba would make machine code of each by itself, over and over again, for the code of a part contains that of its own
parts. It is only needed in the end, for the kernel.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class PartCompiler(Compiler):
    """numba's compiler, as far as the code that is ready to be linked."""

    def define_pipelines(self) -> Any:
        self.state.library = Part(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class Part(JITCodeLibrary):
    """The code of a part: parts of its own are put in where they are called, and all else is left to the kernel."""

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    @property
    def codegen(self) -> Any:
        return _Nowhere()


class _Nowhere:
    """Where the machine code of a part is."""

    def set_env(self, name: str, environment: Any) -> None:
        pass


def introduce_parts(compiled: Any) -> None:
    """Tell the machine code of a kernel where the constants of its parts are, which a `print` needs."""
    for environment in compiled._find_referenced_environments():
        compiled.library._codegen.set_env(environment.env_name, environment)
