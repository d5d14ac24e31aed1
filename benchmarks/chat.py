"""How much of the prompts of ``chat:`` a server must compute, by the order in which inputs are asked.

Servers keep what they computed for the beginnings of prompts in blocks (vLLM: 16 tokens), and drop those that were not
used for longest. Such a cache is simulated over the prompts of a real suite, with four characters per token and one
request after the other. Compared are the order in which cases are generated, the order of the engine's batches (the
longest first), and the order in which chat models are asked (premise by premise).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from measure import corpora, report
from nliprobe.api.resolve import Request
from nliprobe.engine.stages import by_length, by_premise, distinct, read_shard, shards
from nliprobe.models.chat.mode import AnswerMode
from nliprobe.models.chat.prompt import read_prompt
from nliprobe.task.case import Input

CHARACTERS_PER_TOKEN = 4
BLOCK_TOKENS = 16
# A small server's cache, and a large one's.
CACHES = (8_192, 131_072)


def suite_inputs() -> tuple[str, list[Input]]:
    """The distinct inputs of row deletions, in the order in which they are generated."""
    name = "infotabs/alpha1" if corpora() is not None else "builtin/tables-dev"
    system = "chat:any?base_url=http://localhost/v1&represent=json"
    request = Request([name], [system], ["gold", "rows.delete", "rows.permute"])
    (built,) = request.build_systems([])
    asked = [item for shard in shards(request.suite()) for item in read_shard(built, shard)]
    return name, list(distinct(asked).values())


def prompts(inputs: Iterable[Input]) -> list[str]:
    prompt = read_prompt()
    return [
        "".join(turn["content"] for turn in prompt.messages(item.premise, item.hypothesis, item.form, AnswerMode.LABEL))
        for item in inputs
    ]


def computed(texts: Sequence[str], tokens: int) -> float:
    """The share of all tokens that a server with this cache computes."""
    size, capacity = BLOCK_TOKENS * CHARACTERS_PER_TOKEN, tokens // BLOCK_TOKENS
    cache: OrderedDict[int, None] = OrderedDict()
    hits = 0
    for text in texts:
        prefix, known = 0, True
        for start in range(0, len(text) - size + 1, size):
            # A block is known by everything up to its end.
            prefix = hash((prefix, text[start : start + size]))
            known = known and prefix in cache
            hits += size * known
            cache[prefix] = None
            cache.move_to_end(prefix)
        while len(cache) > capacity:
            cache.popitem(last=False)
    return 1 - hits / sum(map(len, texts))


def main() -> None:
    name, inputs = suite_inputs()
    orders = {"as generated": inputs, "longest first": by_length(inputs), "premise by premise": by_premise(inputs)}
    shares: dict[str, dict[str, float]] = {}
    print(f"{len(inputs):,} prompts of {name} (json): share of tokens that a server computes")
    print(f"{'order':<20}" + "".join(f"{f'cache {size:,}':>16}" for size in CACHES))
    for order, ordered in orders.items():
        texts = prompts(ordered)
        shares[order] = {str(size): round(computed(texts, size), 4) for size in CACHES}
        print(f"{order:<20}" + "".join(f"{share:>15.1%} " for share in shares[order].values()))
    best, usual = shares["premise by premise"], shares["longest first"]
    ratios = {size: round(usual[size] / best[size], 2) for size in best}
    print("longest first / premise by premise: " + ", ".join(f"{ratio:.1f} times" for ratio in ratios.values()))
    report("chat", {"corpus": name, "prompts": len(inputs), "computed": shares, "ratios": ratios})


if __name__ == "__main__":
    main()
