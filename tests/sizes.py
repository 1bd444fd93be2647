"""How many examples a test tries: a tenth without the compiler, where it runs a second time and slowly."""

from zermelo.kernel import is_enabled


def some(examples):
    return examples if is_enabled() else max(5, examples // 10)
