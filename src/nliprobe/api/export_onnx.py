"""Exporting a model to ONNX, and comparing it with its original before the folder gets its name."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version

from nliprobe import __version__
from nliprobe.api.export import ExportRequest, Say
from nliprobe.api.export_agreement import measure, sample_inputs
from nliprobe.api.export_documents import SCHEMA, AgreementDocument, ExportDocument, ViewDocument
from nliprobe.api.resolve import check_sources, expand_seeds, open_sources
from nliprobe.base.errors import ModelError, UsageError, flag
from nliprobe.base.files import write_json
from nliprobe.base.folders import require_empty, writing_folder
from nliprobe.base.registry import Spec
from nliprobe.models.onnx_export import (
    Exportable,
    exportable,
    not_exportable,
    require_exporter,
    write_graph,
    write_int8,
)
from nliprobe.models.onnx_files import RECORD
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.labels import LabelMap

BUILT_IN = ("builtin/tables-all", "builtin/sentences-train", "builtin/sentences-dev", "builtin/passages-dev")
_EXPORTABLE = ("transformers", "trained")
# How often the same answer must come. In float32 only ties differ; fewer would be a defect of the graph.
LEAST = {"float32": 0.995, "int8": 0.98}
# From this share on a single answer of the original makes an agreement say little.
_ONE_SIDED = 0.9


def export(request: ExportRequest, say: Say) -> ExportDocument:
    """Write graph, tokenizer, configuration and ``export.json`` into the folder of a request.

    Raises:
        ModelError: the graph gives another answer than its original too often, and is not to be kept anyway.
    """
    require_empty(request.out)
    what = str(request.what)
    original = _original(what)
    require_exporter()
    sources = open_sources(request.on or BUILT_IN, request.root)
    check_sources(sources)
    original.model.check()
    declared = LabelMap.parse(original.spec.labels) if original.spec.labels else None
    network = exportable(original.model, declared)
    dtype = "int8" if request.int8 else "float32"
    with writing_folder(request.out) as folder:
        say(f"Writing the graph ({dtype}) …")
        graph = write_graph(network, folder)
        if request.int8:
            graph = write_int8(graph)
        pairs = sample_inputs(original, sources, request.pairs)
        say(f"Asking both {len(pairs):,} pairs …")
        threads = _threads()
        spec = Spec("onnx", str(folder), (("max_length", str(network.window)), ("threads", str(threads))))
        exported = System.build(SystemSpec.parse(str(spec)))
        agreement = measure(original, exported, pairs, [source.name for source in sources], threads)
        enough = agreement["rate"] >= LEAST[dtype]
        if not enough and not request.keep_anyway:
            raise _disagrees(request, dtype, agreement)
        document = ExportDocument(
            schema=SCHEMA,
            nliprobe=__version__,
            to="onnx",
            model=what,
            made_from=original.origin.digests,
            file=graph.name,
            bytes=sum(path.stat().st_size for path in folder.glob(f"{graph.name}*")),
            dtype=dtype,
            labels=[str(label) for label in network.labels],
            window=network.window,
            view=_view(network),
            versions={name: version(name) for name in ("torch", "transformers", "onnx", "onnxruntime")},
            agreement=agreement,
            least_agreement=LEAST[dtype],
            kept_anyway=not enough,
        )
        write_json(folder / RECORD, dict(document))
    return document


def warnings_of(document: ExportDocument) -> list[str]:
    """Return what must be known about an export before it is used."""
    agreement = document["agreement"]
    lines = []
    if document["kept_anyway"]:
        least = 100 * document["least_agreement"]
        lines.append(f"It is kept although it gives the same answer too rarely: expected are {least:g} % or more.")
    if agreement["constant"] >= _ONE_SIDED:
        lines.append(
            f"The original answers {agreement['constant_answer']} to {100 * agreement['constant']:.1f} % of these "
            "pairs, so that the agreement says little. Compare on pairs like those it learnt from."
        )
    if agreement["unanswered"]:
        lines.append(f"{agreement['unanswered']:,} pairs were not answered by both, and are not counted.")
    return lines


def _original(what: str) -> System:
    """Build what is exported; it answers on the CPU unless its spec says otherwise, so that both use the same."""
    specs = expand_seeds(SystemSpec.parse(what))
    if len(specs) > 1:
        names = ", ".join(f"trained:{spec.model.argument}" for spec in specs)
        raise UsageError(f"'{what}' is trained with several seeds: export one of {names}.")
    [spec] = specs
    if spec.model.name not in _EXPORTABLE:
        raise not_exportable(spec.model.name)
    params = {"device": "cpu"} | dict(spec.model.params)
    return System.build(replace(spec, model=replace(spec.model, params=tuple(sorted(params.items())))))


def _threads() -> int:
    import torch

    return int(torch.get_num_threads())


def _view(network: Exportable) -> ViewDocument | None:
    view = network.view
    return None if view is None else ViewDocument(represent=view.represent, premise=view.premise)


def _disagrees(request: ExportRequest, dtype: str, agreement: AgreementDocument) -> ModelError:
    low, high = agreement["ci95"] or (0.0, 1.0)
    instead = "Export it in float32, or keep" if dtype == "int8" else "Keep"
    return ModelError(
        f"The graph of {request.what} in {dtype} gives the answer of its original to {agreement['same']:,} of "
        f"{agreement['n']:,} pairs ({100 * agreement['rate']:.1f} %, 95 % interval {100 * low:.1f} to "
        f"{100 * high:.1f}); expected are {100 * LEAST[dtype]:g} % or more, so nothing was written. {instead} it "
        f"anyway with {flag('keep-anyway')}."
    )
