"""The npm package: the module of WebAssembly, what calls it, and the types of both."""
import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def manifest(version: str, licence: str) -> dict:
    return {
        "name": "thaw", "version": version, "license": licence, "type": "module", "main": "thaw.js", "types": "thaw.d.ts",
        "description": "Reads game 3D formats (MDX, WMO, M3, DME, BLP), keeps every byte, converts them to glTF and PNG",
        "exports": {
            ".": {"types": "./thaw.d.ts", "default": "./thaw.js"}, "./three": {"types": "./three.d.ts", "default": "./three.js"},
            "./worker": {"types": "./worker.d.ts", "default": "./worker.js"}, "./thaw.wasm": "./thaw.wasm",
        },
        "peerDependencies": {"three": ">=0.150"}, "peerDependenciesMeta": {"three": {"optional": True}},
        "engines": {"node": ">=18"}, "sideEffects": False,
    }


def content(version: str, build: Path, module: Path) -> dict:
    if not module.is_file():
        sys.exit(f"package: {module} is not there; `scripts/web npm` makes it")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "scripts/bindings", "javascript", folder, "--build", build], check=True)
        files = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    files |= {path.name: path.read_bytes() for path in (ROOT / "bindings/javascript/package").iterdir()}
    files["thaw.wasm"] = module.read_bytes()
    files["LICENSE"] = (ROOT / "LICENSE").read_bytes()
    licence = (ROOT / "LICENSE").read_text().split()[0]
    files["package.json"] = (json.dumps(manifest(version, licence), indent=2) + "\n").encode()
    return files


def make(version: str, build: Path, folder: Path, moment: int) -> Path:
    """A package as `npm pack` makes it, with the same bytes each time."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as package:
        for name, data in sorted(content(version, build, ROOT / "build/web/npm/thaw.wasm").items()):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mtime, entry.mode = len(data), moment, 0o644
            package.addfile(entry, io.BytesIO(data))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"thaw-{version}.tgz"
    target.write_bytes(gzip.compress(archive.getvalue(), 9, mtime=0))
    return target


def report(target: Path) -> str:
    with tarfile.open(target) as package:
        module = package.getmember("package/thaw.wasm").size
        return f"{os.path.relpath(target)}: {target.stat().st_size} bytes, {len(package.getmembers())} files, the module {module} bytes"
