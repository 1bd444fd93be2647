"""How many examples a test tries that is marked `both`: few when it runs without the compiler, slowly."""

from zermelo.kernel import is_enabled


def some(examples):
    return examples // 2 if is_enabled() else max(5, examples // 10)
