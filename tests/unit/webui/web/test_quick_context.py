"""Templates call functions directly: what Jinja adds for some of them, and escaping, stay as they are."""

from __future__ import annotations

from jinja2 import Environment, pass_context, pass_environment
from jinja2.runtime import Context

from webui.i18n import Texts
from webui.web.templates import QuickContext


def rendered(text: str, **values: object) -> str:
    environment = Environment(autoescape=True)
    environment.context_class = QuickContext
    return environment.from_string(text).render(values)


def test_macros_escape_what_they_are_given_and_are_not_escaped_twice() -> None:
    text = "{% macro b(text, n=1) %}<b>{{ text }}{{ n }}</b>{% endmacro %}{% for x in '<' %}{{ b(x, n=2) }}{% endfor %}"
    assert rendered(text) == "<b>&lt;2</b>"


def test_blocks_that_call_a_macro_stay() -> None:
    text = "{% macro box() %}[{{ caller() }}]{% endmacro %}{% call box() %}<i>{% endcall %}"
    assert rendered(text) == "[<i>]"


def test_functions_that_take_the_template_get_it() -> None:
    @pass_context
    def name(context: Context) -> str:
        return str(context["who"])

    @pass_environment
    def escapes(environment: Environment) -> bool:
        return bool(environment.autoescape)

    assert (
        rendered("{% for _ in 'a' %}{{ name() }} {{ escapes() }}{% endfor %}", name=name, escapes=escapes, who="E")
        == "E True"
    )


def test_texts_and_plain_functions_inside_loops_get_no_more_than_is_written() -> None:
    text = "{% for _ in 'ab' %}{{ t('hand.heading') }}{{ plain(1, b=2) }}{% endfor %}"
    heading = Texts("zh")("hand.heading")
    assert rendered(text, t=Texts("zh"), plain=lambda a, b: a + b) == f"{heading}3" * 2
