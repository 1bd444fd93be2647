"""Linking of kernels with their parts, that is, methods and functions that are never called from outside.

numba would generate machine code for each part, repeatedly, because the code of a part contains that of its own parts.
Only the machine code of the kernel is needed.

A part may call the kernel that it belongs to, so that a recursive kernel can be cut into steps. numba calls unfinished
functions through a pointer that is set at run time; here the kernel's own code sets it as a constant, and the optimiser
turns it into a direct call.
"""

from __future__ import annotations

import re
from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import Compiler


class KernelCompiler(Compiler):
    """numba's compiler for kernels, with calls from parts back to the kernel."""

    def define_pipelines(self) -> Any:
        self.state.library = KernelLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel and of all its parts."""

    def _optimize_final_module(self) -> None:
        _link_calls_back(self._final_module)
        super()._optimize_final_module()


_TAG = re.compile(r"B\d+v\d+B(\d+)")


def _link_calls_back(module: Any) -> None:
    """Fill in the pointers through which parts call functions of the same module.

    numba names the pointer of a function after the options of its caller, so these are left out of the comparison.
    """
    functions = {_without_options(found.name): found.name for found in module.functions if not found.is_declaration}
    for pointer in [found.name for found in module.global_variables if found.name.startswith(RuntimeLinker.PREFIX)]:
        function = functions.get(_without_options(pointer.removeprefix(RuntimeLinker.PREFIX)))
        if function is not None:
            source = f'declare void @"{function}"()\n@"{pointer}" = linkonce_odr constant ptr @"{function}"\n'
            module.link_in(binding.parse_assembly(source))


def _without_options(name: str) -> str:
    """A mangled name without the tag that stands for the compiler's options; the number of the function stays."""
    found = _TAG.search(name)
    return name if found is None else name[: found.start(1)] + name[found.end() + int(found[1]) :]


class PartCompiler(Compiler):
    """numba's compiler up to the code for linking."""

    def define_pipelines(self) -> Any:
        self.state.library = Part(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class Part(JITCodeLibrary):
    """The code of a part, with its own parts inlined; the kernel does everything else."""

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
        return _NoCodegen()


class _NoCodegen:
    """Stand-in for a code generator: a part has no machine code."""

    def set_env(self, name: str, environment: Any) -> None:
        pass


def register_constants(compiled: Any) -> None:
    """Give the machine code of a kernel the addresses of its parts' constants, which a `print` needs."""
    for environment in compiled._find_referenced_environments():
        compiled.library._codegen.set_env(environment.env_name, environment)
