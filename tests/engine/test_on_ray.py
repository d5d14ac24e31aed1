"""Runs on a real cluster of two nodes on this machine, compared with the same runs in this process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.engine.ray_runs import Home, contents, require_whole

import nliprobe
from nliprobe.base.errors import MissingExtraError, ModelError, NotFoundError, UsageError
from nliprobe.engine.on_ray import engine as ray_engine
from nliprobe.engine.on_ray.pool import TRIES

ray = pytest.importorskip("ray", reason="the [ray] extra is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's threads leave sockets to the collector


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    """Two nodes of one CPU each; runs of this process use one connection to them."""
    patch = pytest.MonkeyPatch()
    patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    # Tokens are for clusters that others reach, and cluster_utils gives none to a driver of another process.
    patch.setenv("RAY_AUTH_MODE", "disabled")
    patch.setenv("RAY_worker_niceness", "0")
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False, logging_level="CRITICAL")
    yield nodes
    ray.shutdown()
    nodes.shutdown()
    patch.undo()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setattr(ray_engine, "PIECE", 16)
    return Home(tmp_path / "home")


def go(home: Home, out: Path, engine: str = "ray", *systems: object, **options: object) -> nliprobe.Run:
    workers = {"workers": 2} if engine == "ray" else {}
    return nliprobe.run(
        list(systems) or [home.system],  # type: ignore[arg-type]
        home.on,
        out=out,
        doctor=False,
        engine=engine,
        shard_size=50,
        **{**workers, **options},  # type: ignore[arg-type]
    )


@pytest.mark.usefixtures("cluster")
def test_ray_writes_the_same_run_as_local(tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home.folder)
    systems = ["python:model.py:predict", "python:model.py:predict?version=1", "svm?name=svm"]
    options = {"train": home.on, "probes": ["gold", "inv.surface"]}
    go(home, tmp_path / "local", "local", *systems, **options)
    first, local_only = home.asked, home.processes
    home.forget()
    home.do("meet 2")
    monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / "other cache"))
    run = go(home, tmp_path / "ray", "ray", *systems, **options)
    require_whole(run.path)
    assert contents(tmp_path / "local") == contents(tmp_path / "ray")
    assert len(home.processes) == 2
    assert home.processes.isdisjoint(local_only)
    assert home.asked == first, "what is cached is asked once, what is not once per shard, as in one process"
    assert {item.notes for item in run.folder.systems} == {()}
    # A new folder needs no worker, and no question, for what is cached.
    home.forget()
    again = go(home, tmp_path / "again", "ray", systems[1], probes=options["probes"])
    assert again.tally is not None
    assert home.asked.total() == again.tally.asked.total() == 0
    assert again.tally.reused[systems[1]] > 100


@pytest.mark.usefixtures("cluster")
def test_ray_replaces_a_worker_that_was_killed(tmp_path: Path, home: Home) -> None:
    go(home, tmp_path / "local", "local")
    home.do("kill")
    said: list[str] = []
    go(home, tmp_path / "ray", say=said.append)
    require_whole(tmp_path / "ray")
    assert contents(tmp_path / "local") == contents(tmp_path / "ray")
    assert (home.folder / "killed").exists()
    assert sum("was lost" in line for line in said) == 1


@pytest.mark.usefixtures("cluster")
def test_ray_stops_when_a_piece_ends_worker_after_worker(tmp_path: Path, home: Home) -> None:
    home.do("poison")
    with pytest.raises(ModelError, match=rf"predict ended {TRIES} workers, .* of shard 2 .*repeat the command"):
        go(home, tmp_path / "run")
    kept = home.asked.total()
    assert kept
    home.do("")
    go(home, tmp_path / "run", "local")
    require_whole(tmp_path / "run")
    assert home.asked.total() - kept < 150, "what was answered before is not asked again"
    go(home, tmp_path / "local", "local")
    assert contents(tmp_path / "local") == contents(tmp_path / "run")


def test_ray_goes_on_when_a_node_is_removed(tmp_path: Path, home: Home, cluster: object) -> None:
    node = cluster.add_node(num_cpus=1)  # type: ignore[attr-defined]
    home.do("meet 3")

    def remove() -> None:
        until(lambda: len(home.processes) == 3)
        cluster.remove_node(node, allow_graceful=False)  # type: ignore[attr-defined]

    thread = threading.Thread(target=remove)
    thread.start()
    try:
        go(home, tmp_path / "ray", workers=3)
    finally:
        thread.join()
    require_whole(tmp_path / "ray")
    home.do("")
    go(home, tmp_path / "local", "local")
    assert contents(tmp_path / "local") == contents(tmp_path / "ray")


def quiet(home: Home) -> bool:
    """Tell whether nothing is asked for a second."""
    before = home.asked.total()
    time.sleep(1)
    return home.asked.total() == before


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_ray_continues_after_the_driver_was_stopped(
    tmp_path: Path, home: Home, cluster: object, end: signal.Signals
) -> None:
    home.do("slow")
    run = tmp_path / "run"
    options = ["--on", home.on, "--out", str(run), "--no-doctor", "--shard-size", "50", "--engine", "ray"]
    code = "from nliprobe.engine.on_ray import engine; engine.PIECE = 8; from nliprobe.cli.main import main; main()"
    command = [sys.executable, "-c", code, "run", "--system", home.system, *options, "--workers", "2"]
    command += ["--address", str(cluster.address)]  # type: ignore[attr-defined]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as driver:
        # An answer that is kept is a whole line.
        until(lambda: any(b"\n" in path.read_bytes() for path in run.rglob("*.jsonl")) or driver.poll() is not None)
        driver.send_signal(end)
        printed, said = driver.communicate(timeout=60)
    assert driver.returncode == (130 if end == signal.SIGINT else -signal.SIGKILL)
    assert not printed
    if end == signal.SIGINT:
        lines = [line.partition(" ")[0] for line in said.splitlines()]
        assert set(lines) <= {"nliprobe:", "shard", "Stopped"}, f"Ray's own messages are not printed: {said}"
    before = home.asked
    assert 0 < before.total() < 150
    kept = list(run.rglob("*.jsonl"))
    assert kept or list(run.glob("predictions/*/*.parquet"))
    # Workers of a driver that was killed end the piece at hand before the cluster ends them.
    until(lambda: quiet(home))
    home.forget()
    home.do("")
    go(home, run, "local" if end == signal.SIGKILL else "ray")
    require_whole(run)
    assert home.asked.total() < 150
    if end == signal.SIGINT:
        assert before.total() + home.asked.total() == 150, "all that was answered was kept"
    go(home, tmp_path / "local", "local")
    assert contents(tmp_path / "local") == contents(run)


@pytest.mark.usefixtures("cluster")
def test_ray_stops_like_local_when_a_model_fails(tmp_path: Path, home: Home) -> None:
    home.do("fail")
    with pytest.raises(ModelError, match=r"failed on 20 inputs in a row, 2. in all.*no answer to be had"):
        go(home, tmp_path / "run")
    home.do("mistake")
    with pytest.raises(ModelError, match=r"TypeError.*mistake in its code"):
        go(home, tmp_path / "run")
    home.do("fail one")
    run = go(home, tmp_path / "run")
    assert run.tally is not None
    assert run.tally.failed[home.system] == run.folder.systems[0].failed == 1
    home.do("")
    go(home, tmp_path / "run")
    require_whole(tmp_path / "run")


@pytest.mark.usefixtures("cluster")
def test_ray_asks_objects_programs_and_what_waits(tmp_path: Path, home: Home) -> None:
    labels = ["entailment", "neutral", "contradiction"]

    def closure(premises: list[str], hypotheses: list[str]) -> list[str]:
        return [labels[(len(one) + len(other)) % 3] for one, other in zip(premises, hypotheses, strict=True)]

    program = tmp_path / "program.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    row = json.loads(line)\n"
        '    print(json.dumps({"id": row["id"], "label": "neutral"}), flush=True)\n'
    )
    waiting = home.system.replace("predict", "slowly")
    systems: dict[str, object] = {"f": closure, "c": f"command:{sys.executable} {program}", "w": waiting}
    options: dict[str, object] = {"doctor": False, "shard_size": 50}
    local = nliprobe.run(systems, home.on, out=tmp_path / "local", **options)  # type: ignore[arg-type]
    home.forget()
    run = nliprobe.run(systems, home.on, out=tmp_path / "ray", engine="ray", workers=1, **options)  # type: ignore[arg-type]
    require_whole(run.path)
    assert contents(local.path) == contents(run.path)
    assert home.processes == {os.getpid()}, "a model that waits for a service is asked by the driver"
    lock = threading.Lock()

    def locked(premises: list[str], hypotheses: list[str]) -> list[str]:
        with lock:
            return ["neutral"] * len(premises)

    with pytest.raises(UsageError, match=r"locked cannot be sent to workers .*python:path/to/file.py:function"):
        go(home, tmp_path / "third", "ray", locked)


def test_ray_lets_the_doctor_examine_on_workers(tmp_path: Path, home: Home, cluster: object) -> None:
    local = nliprobe.run("small", home.on, out=tmp_path / "local")
    (tmp_path / "ray.yaml").write_text("run:\n  engine: ray\n  workers: 1\n")
    command = [sys.executable, "-m", "nliprobe", "run", "--config", str(tmp_path / "ray.yaml"), "--system", "small"]
    environment = {
        **os.environ,
        "NLIPROBE_CACHE": str(tmp_path / "other"),
        "NLIPROBE_RUN_ADDRESS": str(cluster.address),  # type: ignore[attr-defined]
    }
    out = tmp_path / "ray"
    done = subprocess.run([*command, "--on", home.on, "-o", str(out)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "ray" not in done.stderr.replace(str(out), "").lower(), done.stderr
    run = nliprobe.open_run(out)
    [there], [here] = run.folder.systems, local.folder.systems
    assert (there.doctor, there.notes) == (here.doctor, here.notes)
    columns = ["p_e", "p_n", "p_c"]
    frames = [item.folder.read(item.folder.systems[0].predictions) for item in (local, run)]
    assert frames[0].drop(columns).equals(frames[1].drop(columns))
    for column in columns:
        assert (frames[0][column] - frames[1][column]).abs().max() < 1e-5  # type: ignore[operator]


def test_ray_gives_a_worker_its_gpu(tmp_path: Path, home: Home, cluster: object) -> None:
    node = cluster.add_node(num_cpus=1, num_gpus=1)  # type: ignore[attr-defined]
    until(lambda: ray.cluster_resources().get("GPU") == 1)
    wanted = os.environ.get("OMP_NUM_THREADS", "1")  # what a user sets stays
    try:
        (home.folder / "seen.py").write_text(
            "import os\n"
            "def predict(pairs):\n"
            "    gpu, threads = os.environ['CUDA_VISIBLE_DEVICES'], os.environ['OMP_NUM_THREADS']\n"
            f"    return ['entailment' if (gpu, threads) == ('0', '{wanted}') else 'neutral'] * len(pairs)\n"
        )
        system = f"python:{home.folder / 'seen.py'}:predict"
        run = go(home, tmp_path / "run", "ray", system, workers=None, worker_gpus=1)
    finally:
        cluster.remove_node(node)  # type: ignore[attr-defined]
    assert set(run.folder.read(run.folder.systems[0].predictions)["label"]) == {"E"}


def test_ray_refuses_what_cannot_be(tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"There is no engine .rai.\. Did you mean .ray."):
        go(home, tmp_path / "run", "rai")
    with pytest.raises(UsageError, match='address= is for clusters: use it with engine="ray"'):
        go(home, tmp_path / "run", "local", address="auto")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setenv("RAY_NUM_REDIS_GET_RETRIES", "1")
    for address, error, words in (
        ("127.0.0.1:1", NotFoundError, "no Ray cluster at 127.0.0.1:1.*ray start --head"),
        ("ray://here:10001", UsageError, "address of Ray's client"),
        ("here", UsageError, "expected HOST:PORT"),
    ):
        with pytest.raises(error, match=words):
            go(home, tmp_path / "run", address=address)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"Install with: pip install 'nliprobe\[ray\]'"):
        go(home, tmp_path / "run")
    assert not list((tmp_path / "run").rglob("predictions/*"))


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true, at most a minute."""
    for _ in range(600):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError("it did not come true in a minute")
