"""The Python package as a wheel: one for every Python 3.8 and later of a system, as it calls the shared library by ctypes."""
import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# What is beside the library in the wheel, and the Debian package with its licence.
LIBRARIES = {"jpeg": "libjpeg62-turbo", "deflate": "libdeflate0", "spng": "libspng0", "webp": "libwebp7", "z": "zlib1g", "bz2": "libbz2-1.0",
             "lzma": "liblzma5"}
# What is linked into thaw.dll.
WINDOWS = ["libjpeg62-turbo", "libdeflate0", "libspng0", "libwebp7", "zlib1g", "libbz2-1.0", "liblzma5", "gcc-12-base", "mingw-w64-x86-64-dev"]
# What is compiled into the library.
ARCHIVES = {"/usr/lib/%s-linux-gnu/libdraco.a" % os.uname().machine: "libdraco-dev"}

METADATA = """Metadata-Version: 2.1
Name: thaw
Version: {version}
Summary: Reads game 3D formats (MDX, WMO, M3, DME, BLP), keeps every byte, converts them to glTF and PNG
License: {licence}
Requires-Python: >=3.8
Provides-Extra: numpy
Requires-Dist: numpy; extra == "numpy"
Description-Content-Type: text/markdown

{readme}"""


def needed(library: Path) -> dict:
    """Where the shared libraries of LIBRARIES are that a library needs, by their names."""
    told = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r"(lib(?:%s)\.so\S*) => (\S+)" % "|".join(LIBRARIES), told))
    return {name: Path(place).resolve() for name, place in found.items()}


def licence_of(package: str) -> bytes:
    path = Path("/usr/share/doc") / package / "copyright"
    if not path.is_file():
        sys.exit(f"package: the licence of {package} is not in {path}: apt-get install {package}")
    return path.read_bytes()


def stripped(library: Path) -> bytes:
    tool = "x86_64-w64-mingw32-strip" if library.suffix == ".dll" else "strip"
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / library.name
        # Of Windows, the time is written into the file unless the environment states one.
        subprocess.run([tool, "-o", target, library], check=True, env={"SOURCE_DATE_EPOCH": "315532800", **os.environ})
        return target.read_bytes()


def linux_files(library: Path, info: str) -> dict:
    """The shared library, those that it needs, and their licences."""
    files = {"thaw/libthaw.so": stripped(library)}
    for name, place in needed(library).items():
        files[f"thaw/_libraries/{name}"] = stripped(place)
        package = LIBRARIES[re.match(r"lib(\w+)\.so", name)[1]]
        files[f"{info}/licenses/{package}.txt"] = licence_of(package)
    for package in (package for archive, package in ARCHIVES.items() if os.path.exists(archive)):
        files[f"{info}/licenses/{package}.txt"] = licence_of(package)
    return files


def windows_files(library: Path, info: str) -> dict:
    """thaw.dll, into which all that it needs is linked, and the licences of that."""
    return {"thaw/thaw.dll": stripped(library), **{f"{info}/licenses/{package}.txt": licence_of(package) for package in WINDOWS}}


def content(version: str, build: Path, library: Path) -> dict:
    """Every file of the wheel but its list."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "scripts/bindings", "python", folder, "--build", build], check=True)
        files = {f"thaw/{path.name}": path.read_bytes() for path in sorted(Path(folder).iterdir())}
    for path in sorted((ROOT / "bindings/python/thaw").iterdir()):
        if path.suffix in (".py", ".pyi", ".typed"):
            files[f"thaw/{path.name}"] = path.read_bytes()
    info = f"thaw-{version}.dist-info"
    files.update((windows_files if library.suffix == ".dll" else linux_files)(library, info))
    files[f"{info}/licenses/thaw.txt"] = (ROOT / "LICENSE").read_bytes()
    licence = (ROOT / "LICENSE").read_text().splitlines()[0]
    readme = (ROOT / "bindings/python/README.md").read_text()
    files[f"{info}/METADATA"] = METADATA.format(version=version, licence=licence, readme=readme).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: thaw\nRoot-Is-Purelib: false\nTag: py3-none-{tag(library)}\n".encode()
    return files


def tag(library: Path) -> str:
    return "win_amd64" if library.suffix == ".dll" else re.sub(r"[-.]", "_", sysconfig.get_platform())


def make(version: str, build: Path, library: Path, folder: Path, date: tuple) -> Path:
    files = content(version, build, library.resolve())
    info = f"thaw-{version}.dist-info"
    record = ""
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"thaw-{version}-py3-none-{tag(library)}.whl"
    with zipfile.ZipFile(target, "w") as package:
        # The list comes last, as in every wheel.
        for name, data in sorted(files.items(), key=lambda file: (file[0].endswith("RECORD"), file[0])):
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in name or ".dll" in name else 0o644) << 16
            package.writestr(entry, data, compresslevel=9)
    return target


def report(target: Path) -> str:
    with zipfile.ZipFile(target) as package:
        library = max(file.file_size for file in package.infolist() if file.filename.endswith(("thaw.so", "thaw.dll")))
        return f"{os.path.relpath(target)}: {target.stat().st_size} bytes, {len(package.namelist())} files, the library {library} bytes"
