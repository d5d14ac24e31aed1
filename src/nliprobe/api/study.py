"""Making a simulation study from systems and templates: which templates are asked about, and what is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from nliprobe import __version__
from nliprobe.analysis.checklist.bins import BINS
from nliprobe.api.explain import require_explainable
from nliprobe.api.resolve import Request, check_sources, check_systems, open_sources
from nliprobe.api.study_choice import Candidate, choose_templates
from nliprobe.api.study_notes import is_unsure, study_notes
from nliprobe.api.study_pool import AskedPool, Tell, TemplatePool
from nliprobe.api.study_shown import readable
from nliprobe.api.study_stages import StageMaker
from nliprobe.base.errors import DataError, UsageError, option
from nliprobe.base.seeds import draws, shuffled
from nliprobe.engine.ask import Caches
from nliprobe.engine.doctor.examine import examine_system, refuse_permuted
from nliprobe.models.system import System
from nliprobe.people.study.key import KeyItem, KeyStage, KeySystem, KeyTemplate, StudyKey
from nliprobe.people.study.orders import Counterbalance, stage_orders
from nliprobe.people.study.plan import OWN_POOL, StudyPlan, read_plan
from nliprobe.people.study.records import ABOUT_TEMPLATES, Item, Shows, Stage, Study
from nliprobe.store.run import RunFolder
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource
from nliprobe.training.fit import make_ready

# What participants call the systems; the paper has one System X.
SHOWN_NAMES = ("System X", "System Y", "System Z", "System U", "System V", "System W")
# Examples per template: enough to tell a template's bin, few enough to be asked in a minute on two cores.
TEMPLATES = "checklist?n=100"


@dataclass(frozen=True)
class StudyOptions:
    """How a study is made; the numbers are those of the paper (§5, App. C), as far as it has them.

    Attributes:
        phases: the phases of the plan, in order.
        plan: a YAML file with texts and stages of one's own.
        templates: how many templates are asked about.
        examples: how many examples of each.
        neighbours: how many similar examples are shown.
        related: from how many related templates examples are shown.
        chosen: how many templates are shown with descriptions.
        per_template: similar examples come from at most so many examples per template.
        masks: how many edits are asked for one explanation.
        pool: the corpus that takes the place of those which stages name for similar examples.
        order: how the orders of stages differ between participants.
        points: how many points a bid may place.
    """

    phases: Sequence[str] = ("final",)
    plan: Path | None = None
    templates: int = 25
    examples: int = 5
    neighbours: int = 5
    related: int = 3
    chosen: int = 30
    per_template: int = 50
    masks: int = 100
    pool: str | None = None
    order: Counterbalance = Counterbalance.ROTATE
    points: int = 5


class MadeStudy(NamedTuple):
    """A study and its key."""

    study: Study
    key: StudyKey


def new_study(
    request: Request,
    options: StudyOptions,
    *,
    tell: Tell = lambda what, done, total: None,
    say: Callable[[str], None] = lambda line: None,
) -> MadeStudy:
    """Make a study of the systems of a request, about the templates of its only corpus.

    What a system answers, its vectors and its explanations are kept, so that a call that was stopped continues.

    Args:
        request: systems, templates (``on``), what models learn from, and the seed.
        options: how the study is made.
        tell: is told what is being done, how much of it is done, and how much there is.
        say: called with every line that is worth reading.

    Raises:
        UsageError: a system cannot be asked about edited pairs, or has no vectors although neighbours are to be shown.
    """
    if not request.systems:
        raise UsageError(f"There is no system to foresee: name one with {option('system', 'small', python='systems')}.")
    if len(request.on) != 1:
        raise UsageError(f"A study needs one source of templates, such as {option('on', TEMPLATES)}.")
    plan = _pooled(read_plan(options.phases, len(request.systems), options.plan), options.pool)
    training = request.training()
    [source] = open_sources(request.on, request.root)
    systems = request.build_systems(training)
    _require_stages(systems, plan)
    pools = _open_pools(plan, request.root)
    check_sources([source, *training, *pools.values()])

    def prepare(system: System) -> None:
        make_ready(system, training)

    caches = Caches()
    try:
        _check(systems)
        findings: list[str] = []
        for system in systems:
            findings += _examine(system, source, request, training, prepare, caches)
            if any(stage.shows is Shows.NEIGHBOURS for stage in plan.stages if systems[stage.system - 1] is system):
                _require_vectors(system, source, prepare)
        for line in findings:
            say(line)
        pool = TemplatePool.of(source)
        asked = [AskedPool.of(pool, system, caches, prepare, tell) for system in systems]
        made = _made(request, options, plan, pool, asked, pools, prepare, tell)
        return made._replace(key=replace(made.key, notes=(*findings, *made.key.notes)))
    finally:
        for system in systems:
            system.model.close()


def run_request(run: RunFolder, names: Sequence[str], root: Path | None, seed: int) -> Request:
    """Return the request for a study of systems of a run, about the templates that the run asked.

    Args:
        run: the run.
        names: its systems; all of them if none is named.
        root: the folder above the corpora.
        seed: of the study.
    """
    from nliprobe.api.systems import as_systems
    from nliprobe.base.registry import Spec
    from nliprobe.templates.find import PARTS
    from nliprobe.templates.find import TEMPLATES as FILES

    known = {record.name: record for record in run.systems}
    for name in names:
        if name not in known:
            raise UsageError(f"The run {run.path} has no system '{name}'. It has: {', '.join(known)}.")
    records = [known[name] for name in names] if names else list(known.values())
    if given := [one.name for one in records if one.spec.startswith(("object:", "function:"))]:
        raise UsageError(
            f"{given[0]} was given to the run as a Python object, so it cannot be made again from the run. Make the "
            "study in Python, with the object."
        )
    corpora = [item.name for item in run.corpora if Spec.parse(item.name).name in (*PARTS, FILES)]
    if not corpora:
        raise UsageError(f"The run {run.path} asked no templates. Run systems with {option('on', TEMPLATES)}.")
    train = {part for one in records for part in one.train}
    return Request(corpora[:1], as_systems({one.name: one.spec for one in records}), (), sorted(train), root, seed)


def _pooled(plan: StudyPlan, pool: str | None) -> StudyPlan:
    """Return a plan whose stages look for similar examples in another corpus, if one is named."""
    if pool is None:
        return plan
    return replace(plan, stages=tuple(replace(one, pool=pool) if one.pool else one for one in plan.stages))


def _open_pools(plan: StudyPlan, root: Path | None) -> dict[str, PairSource]:
    names = {stage.pool for stage in plan.stages if stage.pool != OWN_POOL}
    return {name: open_sources([name], root)[0] for name in sorted(names)}


def _require_stages(systems: Sequence[System], plan: StudyPlan) -> None:
    """Raise an error if no stage is about one of the systems: it would be asked in vain."""
    named = {stage.system for stage in plan.stages}
    idle = [system.name for number, system in enumerate(systems, 1) if number not in named]
    if idle:
        raise UsageError(
            f"No stage of these phases is about {', '.join(idle)}. Leave it out, or write stages about it into a file "
            f"of your own ({option('plan', 'FILE')})."
        )


def _check(systems: Sequence[System]) -> None:
    for system in systems:
        require_explainable(system)
    if len(systems) > len(SHOWN_NAMES):
        raise UsageError(f"A study has at most {len(SHOWN_NAMES)} systems, not {len(systems)}.")
    check_systems(systems)


def _examine(
    system: System,
    source: PairSource,
    request: Request,
    training: Sequence[PairSource],
    prepare: Callable[[System], None],
    caches: Caches,
) -> list[str]:
    """Let the doctor look at a system, whose labels may be in the wrong order; return what is to be said about it."""
    if not request.doctor:
        return [f"{system.name}: the order of its labels was not checked."]
    verdict = examine_system(system, [source], prepare, caches, training)
    if not request.labels:
        refuse_permuted(system, verdict)
    return [f"{system.name}: {finding}" for finding in verdict.findings if verdict.status != "not asked"]


def _require_vectors(system: System, source: PairSource, prepare: Callable[[System], None]) -> None:
    prepare(system)
    first = next(iter(source.pairs()))
    system.model.embed_pairs([system.reader.read_pair(first)])


def _made(
    request: Request,
    options: StudyOptions,
    plan: StudyPlan,
    pool: TemplatePool,
    asked: Sequence[AskedPool],
    pools: Mapping[str, PairSource],
    prepare: Callable[[System], None],
    tell: Tell,
) -> MadeStudy:
    chosen = choose_templates(_candidates(pool, asked, options.examples), options.templates, BINS, request.seed)
    if len(chosen) < 2:
        raise DataError(f"{pool.source.name} has too few templates with {options.examples} answered examples.")
    drawn = {one.template: _examples(pool, asked, one.template, options.examples, request.seed) for one in chosen}
    names = [one.template for one in chosen]
    about_templates = _template_items(pool, names, drawn, request.seed)
    about_examples = _example_items(names, drawn, request.seed)
    keys = [[key for _, key in items] for items in (about_templates, about_examples)]
    maker = StageMaker(request.seed, options, pool, asked, pools, keys[0], keys[1], drawn, prepare, tell)
    stages: list[Stage] = []
    key_stages: list[KeyStage] = []
    for number, planned in enumerate(plan.stages, 1):
        tell("stages", number - 1, len(plan.stages))
        stage, key_stage = maker.make(planned, SHOWN_NAMES[planned.system - 1])
        stages.append(stage)
        key_stages.append(key_stage)
        tell("stages", number, len(plan.stages))
    used = {entry.item for stage in stages for entry in stage.items}
    study = Study(
        plan.title,
        plan.landing,
        plan.consent,
        plan.practice if any(stage.question not in ABOUT_TEMPLATES for stage in stages) else None,
        options.points,
        stage_orders([stage.id for stage in stages], options.order),
        tuple(item for item, _ in (*about_templates, *about_examples) if item.id in used),
        tuple(stages),
        plan.feedback,
    )
    templates = tuple(
        KeyTemplate(one.template, one.capability, one.family, tuple(system.rates[one.template] for system in asked))
        for one in chosen
    )
    key = StudyKey(
        study.id,
        _how(request, options, pool),
        tuple(
            KeySystem(shown, one.system.name, str(one.system.spec), one.system.fingerprint())
            for shown, one in zip(SHOWN_NAMES, asked, strict=False)
        ),
        templates,
        tuple(key for key in (*keys[0], *keys[1]) if key.item in used),
        tuple(key_stages),
        tuple(study_notes(templates, asked, options.templates)),
    )
    return MadeStudy(study, key)


def _candidates(pool: TemplatePool, asked: Sequence[AskedPool], examples: int) -> list[Candidate]:
    """Return the templates of which enough different examples are answered by every system."""
    found: list[Candidate] = []
    for name in pool.examples:
        if len(_usable(pool, asked, name)) >= examples:
            rates = [one.rates[name] for one in asked]
            bins, unsure = tuple(rate.bin for rate in rates), sum(map(is_unsure, rates))
            found.append(Candidate(name, pool.templates[name].capability, pool.families[name], bins, unsure))
    return found


def _usable(pool: TemplatePool, asked: Sequence[AskedPool], template: str) -> list[Pair]:
    texts: dict[tuple[str, str], Pair] = {}
    for pair in pool.examples[template]:
        if all(one.answers[pair.id].label for one in asked):
            texts.setdefault((str(pair.premise), pair.hypothesis), pair)
    return list(texts.values())


def _examples(pool: TemplatePool, asked: Sequence[AskedPool], template: str, count: int, seed: int) -> list[Pair]:
    return draws(seed, "study examples", template).sample(_usable(pool, asked, template), count)


def _template_items(
    pool: TemplatePool, templates: Sequence[str], drawn: Mapping[str, Sequence[Pair]], seed: int
) -> list[tuple[Item, KeyItem]]:
    """Number the templates; each is shown with the first of its examples.

    The order is drawn: templates were chosen one range of accuracy after the other, which numbers in the order of the
    choice would tell.
    """
    width = len(str(len(templates)))
    items: list[tuple[Item, KeyItem]] = []
    for number, place in enumerate(shuffled(len(templates), draws(seed, "study template items")), 1):
        name = templates[place]
        first, item = drawn[name][0], f"t{number:0{width}}"
        shown = Item(item, str(first.premise), first.hypothesis, readable(pool.templates[name]))
        items.append((shown, KeyItem(item, name, first.id, str(first.gold))))
    return items


def _example_items(
    templates: Sequence[str], drawn: Mapping[str, Sequence[Pair]], seed: int
) -> list[tuple[Item, KeyItem]]:
    """Number the examples in a drawn order, so that their numbers tell nothing about templates."""
    pairs = [(name, pair) for name in templates for pair in drawn[name]]
    width = len(str(len(pairs)))
    items: list[tuple[Item, KeyItem]] = []
    for number, place in enumerate(shuffled(len(pairs), draws(seed, "study items")), 1):
        (name, pair), item = pairs[place], f"q{number:0{width}}"
        shown = Item(item, str(pair.premise), pair.hypothesis, None)
        items.append((shown, KeyItem(item, name, pair.id, str(pair.gold))))
    return items


def _how(request: Request, options: StudyOptions, pool: TemplatePool) -> dict[str, str]:
    counts = Counter(len(pairs) for pairs in pool.examples.values())
    return {
        "nliprobe": __version__,
        "seed": str(request.seed),
        "templates": pool.source.name,
        "templates_digest": pool.source.digest(),
        "examples_per_template": ", ".join(f"{size} ({number} templates)" for size, number in sorted(counts.items())),
        "neighbours_per_template": str(options.per_template),
        "masks": str(options.masks),
        "phases": ", ".join(options.phases),
        "order": str(options.order),
    }
