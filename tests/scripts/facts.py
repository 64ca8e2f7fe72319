#!/usr/bin/env python3
"""Every fact of docs/formats/facts has its proof (scripts/facts), and what takes one away is seen: each fault is planted
once in a fact that is sound."""

import copy
import dataclasses
import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(os.environ.get("THAW_ROOT", Path(__file__).resolve().parents[2]))
loader = importlib.machinery.SourceFileLoader("facts", str(ROOT / "scripts/facts"))
facts_script = importlib.util.module_from_spec(importlib.util.spec_from_loader("facts", loader))
sys.modules["facts"] = facts_script  # its data classes look for themselves there
loader.exec_module(facts_script)
FAILURES = []


def expect(what, holds):
    if not holds:
        FAILURES.append(what)


def sound_one(facts):
    return next(one for one in facts if one.paths and one.corrections and one.acts and one.acts[0][0].isupper())


def changed(facts, which, **members):
    return [dataclasses.replace(one, **members) if one is which else one for one in facts]


def seen(facts, proofs, told):
    problems = facts_script.check(facts, proofs)
    return len(problems) == 1 and told in problems[0]


def facts_that_lose_their_proof(facts, proofs):
    one = sound_one(facts)
    path, _, kind = one.paths[0].rpartition("=")
    for what, members, told in (
            ("a field that is not there", {"paths": [f"{path}X={kind}"]}, "there is no field"),
            ("a field of another type", {"paths": [f"{path}=f64"]}, "not f64"),
            ("a test that is not there", {"acts": ["Sound.DoesNotExist"]}, "there is no test Sound"),
            ("a script that is not there", {"acts": ["sound.py"]}, "there is no test tests/scripts/sound.py"),
            ("a finding that is not there", {"acts": ["mdx.sound"]}, "there is no code mdx.sound"),
            ("an option that is not there", {"acts": ["--sound"]}, "there is no option --sound"),
            ("a correction that is not there", {"corrections": ["a sound that nobody published"]}, "0 rows of corrections.md"),
            ("a correction that could be several", {"corrections": ["mdx.md"]}, "rows of corrections.md"),
            ("a fact that nothing acts on", {"acts": [], "corrections": [], "note": ""}, "nothing acts on it")):
        expect(f"{what} is not seen", seen(changed(facts, one, **members), proofs, told))
    expect("a fact that is there twice is not seen", seen([*facts, one], proofs, "there twice"))


def proofs_that_go(facts, proofs):
    """What facts refer to is renamed elsewhere."""
    test = sound_one(facts).acts[0]
    users = sum(test in one.acts for one in facts)
    without = dataclasses.replace(proofs, tests=proofs.tests - {test})
    expect("a test that was renamed is not seen", len(facts_script.check(facts, without)) == users > 0)
    fewer = copy.copy(proofs.corrections)
    fewer.pop(0)
    gone = facts_script.check(facts, dataclasses.replace(proofs, corrections=fewer))
    expect("a correction that was removed is not seen", any("0 rows of corrections.md" in one for one in gone))
    expect("samples without fields are not seen",
           len(facts_script.check(facts, dataclasses.replace(proofs, paths={}))) > 500)


def main():
    facts = facts_script.facts_of(ROOT)
    proofs = facts_script.proofs_of(ROOT, os.environ["THAW"], Path(os.environ["THAW_SAMPLES"]))
    problems = facts_script.check(facts, proofs)
    for problem in problems:
        print(problem, file=sys.stderr)
    expect(f"{len(problems)} proofs are not there", not problems)
    # What is without proof or served in part is known; more of it is a question to answer, not to note.
    expect("more facts are without proof", sum(one.unproved for one in facts) <= 2)
    expect("more facts are served in part", sum(one.in_part for one in facts) <= 10)
    if not problems:
        facts_that_lose_their_proof(facts, proofs)
        proofs_that_go(facts, proofs)
    page = facts_script.page_of(facts)
    expect("the page lacks facts", page.count("\n| ") == len(facts) + len(facts_script.DOCUMENTS))
    for failure in FAILURES:
        print(f"FAILED: {failure}", file=sys.stderr)
    facts_script.count(facts)
    return 1 if FAILURES else 0


sys.exit(main())
