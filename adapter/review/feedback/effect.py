"""Previews a proposal: processes the same messages with and without its rules."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from adapter.pipeline.examining import examine
from adapter.pipeline.opening import codec_for
from adapter.review.feedback.rendering import TAKEN_OUT, overlay
from adapter.review.judging.items import unpacked
from adapter.review.judging.proposals import Effect
from adapter.review.settled import settled
from adapter.review.store import items
from adapter.rules.compile import compile_language, load_ruleset, without_models
from adapter.rules.folder import Folder, rules_folder
from adapter.taggers.wordlists import Lexicon

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from adapter.config.settings import Settings
    from adapter.pipeline.language import Language
    from adapter.pipeline.ruleset import Ruleset
    from adapter.review.feedback.rendering import Overlay
    from adapter.review.judging.proposals import Proposal
    from adapter.review.store.store import Store

PREVIEW = "preview"
"""Name of the previewed family and lexicons; distinct from those of an applied export."""
MOST = 300
"""Maximum number of messages in the shadow sample."""

Found = frozenset[tuple[str, int, int, str]]
"""(path, start, end, label) of every span of a message."""


@dataclass(frozen=True)
class Overlaid(Folder):
    """A rules folder with an overlay's additions and removals, in memory only."""

    over: Overlay | None = None

    def lexicons(self, language: str) -> dict[str, Lexicon]:
        """Return a language's lexicons, with terms added and items removed.

        Raises:
            RuleError: as `Folder.lexicons`.
        """
        found = dict(super().lexicons(language))
        assert self.over is not None
        for name, terms in self.over.terms.items():
            if name.startswith(f"{language}-"):
                found[name] = Lexicon.parse("".join(f"{term}\n" for term in terms))
        for name, removed in self.over.removed.items():
            if name in found:
                found[name] = _without(found[name], removed)
        return found

    def _patterns(self, language: str) -> tuple[Mapping[str, Any], ...]:
        assert self.over is not None
        family = self.over.families.get(language)
        own = (tomllib.loads(family),) if family else ()
        return (*super()._patterns(language), *own)


def _without(lexicon: Lexicon, removed: Iterable[str]) -> Lexicon:
    lines = (
        f"{item}\t{' '.join(lexicon.classes[item]) if item in lexicon.classes else strength}\n"
        for item, strength in lexicon.strengths.items()
    )
    return Lexicon.parse("".join(lines), "".join(f"{item}\n" for item in removed))


def changed(ruleset: Ruleset, folder: Folder, settings: Settings, over: Overlay) -> Ruleset:
    """Return the ruleset with the overlay applied."""
    overlaid = Overlaid(
        folder.path,
        _lexicons=folder._lexicons,  # noqa: SLF001
        _wordings=folder._wordings,  # noqa: SLF001
        over=over,
    )
    if over.removed:  # value checks and models use lexicons too, so everything is compiled again
        return load_ruleset(settings, folder=overlaid)
    made: dict[int, Language] = {}

    def own(before: Ruleset, of_topic: Settings) -> Ruleset:
        languages = dict(before.languages)
        for code in sorted(over.languages & languages.keys()):
            known = id(languages[code])  # topics share compiled languages
            if known not in made:
                made[known] = _language(overlaid, code, of_topic, languages[code])
            languages[code] = made[known]
        return replace(before, languages=languages)

    topics = {name: own(of, settings.of_topic(name)) for name, of in ruleset.topics.items()}
    return replace(own(ruleset, settings), topics=topics)


def _language(folder: Folder, code: str, settings: Settings, before: Language) -> Language:
    """Return a language with recompiled rules and its present learned model."""
    made = compile_language(folder, code, without_models(settings))
    return replace(made, learned=before.learned, sure=before.sure)


def spans_of(raw: bytes, ruleset: Ruleset, topic: str = "") -> Found:
    """Return every span of a message of a topic; none if the message is held."""
    ruleset = ruleset.of(topic)
    try:
        examined = examine(codec_for(raw, ruleset), raw, ruleset)
    except Exception:  # noqa: BLE001 - as the adapter does: any failure holds a message
        return frozenset()
    return frozenset(
        (path, span.start, span.end, str(span.label))
        for path, spans in examined.spans.items()
        for span in spans
    )


@dataclass(frozen=True, slots=True)
class Shadow:
    """A message of the shadow sample; ``gold`` are its settled mentions, None if not settled."""

    raw: bytes = field(repr=False)
    gold: Found | None = field(repr=False)
    free: frozenset[str] = field(repr=False)
    """Paths of its free texts, which are the only texts that readers judged."""
    topic: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of a change on a shadow sample, in numbers of spans.

    ``gained`` and ``lost`` are by label. The rest refer to settled mentions: ``fixed`` ones are now
    found, ``uncovered`` ones no longer; ``false_alarms`` are new, ``relieved`` are removed.
    """

    messages: int = 0
    adjudicated: int = 0
    gained: Mapping[str, int] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)
    fixed: int = 0
    false_alarms: int = 0
    relieved: int = 0
    uncovered: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        labels = sorted({*self.gained, *self.lost})
        return asdict(self) | {"labels": labels}


def compare(shadow: Sequence[Shadow], before: Sequence[Found], after: Sequence[Found]) -> Change:
    """Count the differences between the spans of the same messages before and after a change."""
    gained: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    settled_counts: Counter[str] = Counter()
    for message, old, new in zip(shadow, before, after, strict=True):
        gained.update(label for *_, label in new - old)
        lost.update(label for *_, label in old - new)
        if message.gold is not None:
            settled_counts.update(_against(message, old, new))
    return Change(
        len(shadow),
        sum(message.gold is not None for message in shadow),
        dict(sorted(gained.items())),
        dict(sorted(lost.items())),
        **{
            name: settled_counts[name]
            for name in ("fixed", "false_alarms", "relieved", "uncovered")
        },
    )


def _against(message: Shadow, old: Found, new: Found) -> Counter[str]:
    """Count the changes of one message against its settled mentions."""
    gold = message.gold or frozenset()
    counts: Counter[str] = Counter()
    for mention in gold:
        was, now = _touched(mention, old), _touched(mention, new)
        counts["fixed"] += now and not was
        counts["uncovered"] += was and not now
    alarms = [
        {span for span in spans if span[0] in message.free and not _touched(span, gold)}
        for spans in (old, new)
    ]
    counts["false_alarms"] += len(alarms[1] - alarms[0])
    counts["relieved"] += len(alarms[0] - alarms[1])
    return counts


def _touched(span: tuple[str, int, int, str], others: Found) -> bool:
    return any(o[0] == span[0] and o[1] < span[2] and span[1] < o[2] for o in others)


def shadow_sample(store: Store, most: int = MOST) -> list[Shadow]:
    """Return messages of recall samples, with their settled mentions, then others at random.

    Raises:
        StoreError: the database does not answer.
    """
    with store.database.transaction() as cursor:
        gold = {each.item: each for each in settled(store, cursor)}
        found = []
        for item in items.for_shadow_sample(cursor, most):
            read = items.read(cursor, store.box, item, store.now)
            if read is None:
                continue
            content = unpacked(read[1])
            paths = {n: text.path for n, text in enumerate(content.texts)}
            mentions = (
                frozenset((paths[s.text], s.start, s.end, s.label) for s in gold[item].gold)
                if item in gold
                else None
            )
            free = frozenset(paths[n] for n in content.free)
            found.append(Shadow(content.raw, mentions, free, content.topic))
        return found


class Previewer:
    """Previews proposals one at a time; compiles the rules at the first."""

    def __init__(self, settings: Settings, store: Store, ruleset: Ruleset | None = None) -> None:
        self._settings, self._store, self._ruleset = settings, store, ruleset
        self._folder = rules_folder(settings)
        self._lock = Lock()

    def effect(self, proposal: Proposal) -> Change:
        """Return the effect of the proposal on the shadow sample.

        Raises:
            StoreError: the database does not answer.
            RuleError: the proposal cannot become a rule.
        """
        if proposal.effect is Effect.FIELD:
            return Change()
        with self._lock:
            ruleset = self._ruleset = self._ruleset or load_ruleset(self._settings)
            known = lexicon_items(self._folder, [proposal.language])
            over = overlay([proposal], known, PREVIEW)
            new = changed(ruleset, self._folder, self._settings, over)
            shadow = shadow_sample(self._store)
            before, after = (
                [spans_of(each.raw, rules, each.topic) for each in shadow]
                for rules in (ruleset, new)
            )
        return compare(shadow, before, after)


def lexicon_items(
    folder: Folder, languages: Iterable[str]
) -> dict[str, dict[str, Collection[str]]]:
    """Return the items of lexicons by language, for `adapter.review.feedback.rendering.overlay`.

    Items that an export removed are included, to distinguish them from terms that no lexicon had.
    """
    return {
        code: {
            name: lexicon.strengths.keys() | _taken_out(folder, name)
            for name, lexicon in folder.lexicons(code).items()
        }
        for code in languages
        if code in folder.languages
    }


def _taken_out(folder: Folder, name: str) -> frozenset[str]:
    file = folder.path / "lexicons" / name / TAKEN_OUT
    return frozenset(file.read_text("utf-8").splitlines()) if file.is_file() else frozenset()
