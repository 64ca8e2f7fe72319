"""A batch that is killed leaves no half file under a final name; --skip-existing finishes the rest and names what was left.

The moments are spread over the whole run of the batch, so that they meet reading, converting and writing."""
import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

THAW = os.environ["THAW"]
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"])
KILLS = int(os.environ.get("THAW_KILLS", "100"))
COPIES = 6
MODELS = ("knight.mdx", "chest.mdx", "everything_v800.mdx", "banner.mrf", "waystone_v3.m3")


def convert(source: pathlib.Path, out: pathlib.Path, *options: str) -> subprocess.Popen:
    return subprocess.Popen([THAW, "convert", "-r", "-j", "2", "-q", str(source), "-o", f"{out}/", *options],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def digests(folder: pathlib.Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def kill_after(process: subprocess.Popen, seconds: float, how: signal.Signals) -> bool:
    """True if it was still at work."""
    try:
        process.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        process.send_signal(how)
        process.wait()
        return True


def kill_and_finish(source: pathlib.Path, work: pathlib.Path, kills: int, *options: str) -> str:
    """Kills the batch at that many moments and lets another run finish it; what came of it."""
    moments = random.Random(1)
    start = time.monotonic()
    assert convert(source, work / "whole", *options).wait() == 0
    duration = time.monotonic() - start
    whole = digests(work / "whole")

    killed = cut_short = strays = 0
    for round_ in range(kills):
        out = work / f"out{round_}"
        how = signal.SIGKILL if round_ % 2 == 0 else signal.SIGINT
        killed += kill_after(convert(source, out, *options), moments.uniform(0, duration), how)
        left = digests(out) if out.exists() else {}
        finished = {name: digest for name, digest in left.items() if name in whole}
        wrong = [name for name, digest in finished.items() if whole[name] != digest]
        assert not wrong, f"round {round_}: half files under their final names: {wrong}"
        strays += len(left) - len(finished)
        if how == signal.SIGINT:
            assert len(left) == len(finished), f"round {round_}: left behind: {left.keys() - whole.keys()}"
        cut_short += 0 < len(finished) < len(whole)
        again = subprocess.run([THAW, "convert", "-r", str(source), "-o", f"{out}/", "--skip-existing", *options], stderr=subprocess.PIPE, text=True)
        assert again.returncode == 0, f"round {round_}: cannot go on"
        named = {line.split(": ")[1].split(" is left over")[0] for line in again.stderr.splitlines() if " is left over from a killed run" in line}
        left_over = {str(out / name) for name in left.keys() - finished.keys()}
        assert named == left_over, f"round {round_}: temporary files {left_over}, told {named}"
        again = digests(out)
        assert {name: again.get(name) for name in whole} == whole, f"round {round_}: not finished"
        shutil.rmtree(out)
    assert killed > kills // 4 and cut_short > 0, (killed, cut_short)
    return (f"{kills} rounds: {killed} stopped at work, {cut_short} of them with some of {len(whole)} files done; "
            f"{strays} temporary files left by SIGKILL, no half file, every rest finished")


def main() -> int:
    with tempfile.TemporaryDirectory() as work_name:
        work = pathlib.Path(work_name)
        source = work / "in"
        for copy in range(COPIES):
            for name in MODELS:
                target = source / str(copy) / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes((SAMPLES / name).read_bytes())
        print("glb:", kill_and_finish(source, work / "glb", KILLS))
        # Outputs of several files: what lies beside one that is not there must not stop the next run.
        print("gltf:", kill_and_finish(source, work / "gltf", KILLS, "--to", "gltf"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
