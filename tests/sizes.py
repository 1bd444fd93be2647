"""How many examples a test tries that is marked `both`: a tenth when it runs without the compiler, slowly."""

from zermelo.kernel import is_enabled


def some(examples):
    return examples if is_enabled() else max(5, examples // 10)
