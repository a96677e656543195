"""Documents of YAML files, none of whose keys may stand twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Strict(yaml.SafeLoader):
    """PyYAML's loader, which refuses what it would otherwise overwrite."""


def _mapping(loader: _Strict, node: yaml.MappingNode) -> Any:
    names = [key.value for key, _ in node.value]
    for key, _ in node.value:
        if names.count(key.value) > 1 and not key.tag.endswith(":merge"):
            raise yaml.constructor.ConstructorError(
                problem="a key twice", problem_mark=key.start_mark
            )
    loader.flatten_mapping(node)
    return loader.construct_mapping(node, deep=True)


_Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def documents(text: str) -> Iterator[Any]:
    """The documents of a text.

    Raises:
        yaml.YAMLError: it is not YAML, or a mapping names a key twice.
    """
    for document in yaml.load_all(text, _Strict):
        if document is not None:
            yield document
