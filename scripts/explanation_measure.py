"""Explains what systems answer to the templates that surprise on the checklist, and keeps what the page needs.

``docs/results/explanations.md`` says how MiniLM was trained. Then::

    python -m scripts.explanation_measure small='the network of the package' minilm@trained:FOLDER='what it is'
    python -m scripts.explanation_results

The first command asks the systems (with torch, for MiniLM) and writes ``benchmarks/results/explanations.json``; systems
that are not named keep what was measured before. The second one fills the page.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nliprobe.api.sources import open_source
from nliprobe.base.files import write_atomic
from nliprobe.explain.lime import LimeOptions, explain
from nliprobe.explain.neighbours import COUNT, NeighbourPool
from nliprobe.explain.vectors import pair_vectors
from nliprobe.models.system import System, SystemSpec
from nliprobe.papers.checklist.results import SHOWN, surprises
from nliprobe.task.case import Prediction
from nliprobe.task.explanation import Explanation, Weighed, supporting
from nliprobe.task.pair import Pair
from nliprobe.templates.library import load_core
from nliprobe.templates.pattern import Literal

RESULT = Path(__file__).parents[1] / "benchmarks" / "results" / "explanations.json"
# Examples of each template: explained, and merely answered.
EXPLAINED, ANSWERED = 10, 100
# The checklist has 194 templates; so many examples of each are the pool of neighbours.
POOL = 5
BLIND = "small?premise=none"
_WORD = re.compile(r"[\w'’-]+")
Found = dict[str, Any]


def chosen() -> list[str]:
    """Return the templates of the surprises that the page of the checklist shows, each once."""
    return list(dict.fromkeys(name for pair in surprises()[:SHOWN] for name in (pair.passed, pair.failed)))


def kinds(pair: Pair, names: Sequence[Weighed]) -> list[str]:
    """Say of each word whether it is a name, another value that was drawn, or wording of the template."""
    facets = dict(pair.facets)
    wording = words_of_template(facets["template"])
    drawn_names = {
        part.lower() for name, value in pair.facets if name.startswith("value:NAME") for part in _WORD.findall(value)
    }
    said = []
    for word in names:
        text = word["text"].lower().removesuffix("'s")
        said.append("name" if text in drawn_names else "wording" if text in wording else "drawn")
    return said


def words_of_template(name: str) -> set[str]:
    """Return the words that a template writes itself."""
    [template] = [one for one in load_core() if one.id == name]
    parts = [*template.premise.parts, *template.hypothesis.parts]
    texts = [part.text.lower() for part in parts if isinstance(part, Literal)]
    return {word for text in texts for word in _WORD.findall(text)}


def examples(count: int) -> dict[str, list[Pair]]:
    wanted = set(chosen())
    found: dict[str, list[Pair]] = {name: [] for name in chosen()}
    for pair in open_source(f"checklist?n={count}").pairs():
        template = dict(pair.facets)["template"]
        if template in wanted:
            found[template].append(pair)
    return found


def explained(system: System, pair: Pair) -> Found:
    """Explain one answer and keep what the page counts."""
    made: Explanation = explain(system, pair, LimeOptions())
    words = made["words"]
    assert words is not None, "every template has words"
    features, faithful = words["features"], words["faithfulness"]
    return {
        "premise": made["premise"],
        "hypothesis": made["hypothesis"],
        "gold": str(pair.gold),
        "label": made["label"],
        "value": made["value"],
        "fit": words["fit"],
        "words": [
            [item["part"][0], item["text"], kind, round(item["weight"], 4)]
            for item, kind in zip(features, kinds(pair, features), strict=True)
        ],
        "named": supporting(features, 3),
        "steps": None if faithful is None else [step["label"] for step in faithful["named"]],
        "random_changed": None if faithful is None else faithful["random_changed"][-1],
    }


def neighbours(system: System, by_template: dict[str, list[Pair]]) -> Iterator[Found]:
    """Find what the system finds similar to the same examples, among the whole checklist."""
    pool = NeighbourPool.of(system, list(open_source(f"checklist?n={POOL}").pairs()), lambda one: None)
    answers = [str(answer.label) for answer in answered(system, list(pool.pairs))]
    for template, pairs in by_template.items():
        inputs = [system.reader.read_pair(pair) for pair in pairs]
        vectors = pair_vectors(system, inputs, lambda one: None)
        for pair, asked, vector in zip(pairs, inputs, vectors, strict=True):
            near = pool.neighbours(pair, asked, vector, COUNT)
            yield {
                "template": template,
                "labels": [answers[item.place] for item in near],
                "golds": [str(item.pair.gold) for item in near],
                "templates": [dict(item.pair.facets)["template"] for item in near],
            }
    yield {
        "template": "",
        "labels": sorted(Counter(answers).items()),
        "golds": sorted(Counter(str(pair.gold) for pair in pool.pairs).items()),
        "templates": len({dict(pair.facets)["template"] for pair in pool.pairs}),
    }


def answered(system: System, pairs: Sequence[Pair]) -> list[Prediction]:
    return list(system.model.predict([system.reader.read_pair(pair) for pair in pairs]))


def measure(spec: str, what: str) -> Found:
    system = System.build(SystemSpec.parse(spec))
    few, many = examples(EXPLAINED), examples(ANSWERED)
    start = time.perf_counter()
    made = {template: [explained(system, pair) for pair in pairs] for template, pairs in few.items()}
    seconds = time.perf_counter() - start
    return {
        "what": what,
        "seconds": round(seconds, 1),
        "explanations": made,
        "answers": shares(system, many),
        # Only small has a twin that learnt without premises.
        "without_premise": shares(System.build(SystemSpec.parse(BLIND)), many) if spec == "small" else None,
        "neighbours": list(neighbours(system, few)),
        "snli": benchmark(system),
    }


def shares(system: System, by_template: dict[str, list[Pair]]) -> Found:
    """Ask the examples of each template, and count right answers and all answers."""
    found: Found = {}
    for template, pairs in by_template.items():
        said = [str(answer.label) for answer in answered(system, pairs)]
        golds = [str(pair.gold) for pair in pairs]
        right = sum(label == gold for label, gold in zip(said, golds, strict=True))
        found[template] = {
            "n": len(pairs),
            "right": right,
            "answers": dict(Counter(said).most_common()),
            "golds": dict(Counter(golds)),
        }
    return found


def benchmark(system: System) -> Found | None:
    """Ask some pairs of SNLI dev, so that one knows how good the model is at home."""
    if not os.environ.get("NLIPROBE_DATA"):
        return None
    pairs = [pair for pair in open_source("snli/dev?sample=1000").pairs() if pair.gold is not None]
    labels = [answer.label for answer in answered(system, pairs)]
    golds = Counter(str(pair.gold) for pair in pairs)
    right = sum(label == pair.gold for label, pair in zip(labels, pairs, strict=True))
    return {"n": len(pairs), "right": right, "constant": golds.most_common(1)[0][1]}


def main() -> None:
    """Measure the systems that are named, and keep those that were measured before."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="+", metavar="NAME[@SPEC]=WHAT", help="a system, and what it is in words")
    known = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {"systems": {}}
    for given in parser.parse_args().systems:
        named, _, what = given.rpartition("=")
        name, _, spec = named.partition("@")
        known["systems"][name] = measure(spec or name, what)
    pairs = [[pair.passed, pair.failed] for pair in surprises()[:SHOWN]]
    content = {"surprises": pairs, "masks": LimeOptions().masks, "explained": EXPLAINED, "pool": POOL, **known}
    # A line per system: thousands of words are not read one by one.
    text = json.dumps(content, ensure_ascii=False).replace('{"what"', '\n{"what"')
    write_atomic(RESULT, f"{text}\n".encode())
    print(f"{RESULT.name} written")


if __name__ == "__main__":
    main()
