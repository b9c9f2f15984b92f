#!/usr/bin/env python3
"""usage: .ci/beside.py NOTEBOOK

Says with what the prompt of a page is opened beside each cell of code of a notebook: lines of the
prompt, of %lab or of the cell's metadata, and else the Go of the cell itself. Before them stand
those of the cells before, on which a cell builds. Of a cell that cannot run in a page it says why
not. .ci/site makes links of it; by itself it prints a list as JSON."""
import json, os, re, sys

EXPERIMENTS = "experiments are kept on the disk of a machine"
# What a page does not have, by how it is called in Go.
ABSENT = [
    (r"lab\.(Declare|DeclareProblem|CheckProblem)\b",
     "a page has no compiler for a solver or problem of one's own"),
    (r"lab\.(Experiment|Sweep|Tune|Chart|Targets|Budgets)\b"
     r"|lab\.Do\(\"(sweep|chart|tune|experiment)\b",
     EXPERIMENTS),
    (r"lab\.GPU\b|\bexec\.", "a page has neither a GPU nor other programs"),
]
GOES_ON = "it goes on with what a page cannot make"

# Packages that are no part of what Go at the prompt finds without an import.
IMPORTS = {"os": "os", "filepath": "path/filepath", "json": "encoding/json", "rand": "math/rand/v2",
           "stats": "metalab/solvers/stats"}


def source(cell):
    return "".join(cell["source"])


def experiments(text):
    """The names of the experiments that a cell's Go asks for."""
    found = re.findall(r"lab\.(?:Experiment|Chart|Targets|Budgets)\(\"(\w+)\"", text)
    return list(dict.fromkeys(found))


def go_of(text, folder, had):
    """The Go of a cell as an input, with the files and imports that it needs and that had lacks."""
    lines = [l for l in text.split("\n") if l.strip() not in ("", "%%")]
    code, before = "\n".join(lines), []
    for name in re.findall(r"\"(\w[\w.-]*\.csv)\"|lab\.Do\(\"cities (\w[\w.-]*\.csv)", code):
        name = name[0] or name[1]
        path = os.path.join(folder, name)
        if os.path.exists(path) and name not in had:
            had.add(name)
            with open(path) as f:
                content = json.dumps(f.read(), ensure_ascii=False)
            before.append(f"os.WriteFile(\"{name}\", []byte({content}), 0o600)")
    all_of_it = "\n".join(before) + code
    imports = []
    for name, path in IMPORTS.items():
        if re.search(rf"\b{name}\.\w", all_of_it) and path not in had:
            had.add(path)
            imports.append(f'import "{path}"')
    return ["\n".join(imports + before + lines)] if lines else []


def beside(cells, folder):
    """For each cell of code (index, inputs, why): what is typed at the prompt, or why nothing."""
    so_far, had, missing, out = [], set(), set(), []
    for i, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        text = source(cell)
        lines = [l.strip() for l in text.split("\n") if l.strip() and l.strip() != "%%"]
        own = [l.removeprefix("%lab").strip() for l in lines if l.startswith("%lab ")]
        if len(own) < len(lines):
            own = cell["metadata"].get("prompt", [])
        why = ""
        if not own:
            why = next((w for r, w in ABSENT if re.search(r, text)), "")
            if not why and any(re.search(m, text) for m in missing):
                why = GOES_ON
            if "records/" in text:
                why = why or "its record has a page of its own"
        if why:
            missing |= {f'Get\\("{m}"' for m in re.findall(r"lab\.Open\(\"(\w+)\"", text)}
            missing |= {f'"{m}"' for m in re.findall(r"lab\.Declare\w*\(\"(\w+)\"", text)}
            missing |= {re.escape(f'"{m}"') for m in re.findall(r"\"([\w-]+\.\w+)\"", text)}
            missing |= {rf"\b{m}\b"
                        for m in re.findall(r"^(?:func|type|const|var) (\w+)", text, re.M)}
            out.append((i, [], why))
            continue
        own = own or go_of(text, folder, had)
        if not own:
            out.append((i, [], "there is nothing in it"))
            continue
        # What is opened here is there, also where a run of its name was missing.
        missing -= {f'Get\\("{m}"' for m in re.findall(r"lab\.Open\(\"(\w+)\"", text)}
        so_far += own
        out.append((i, list(so_far), ""))
    return out


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1]) as f:
        book = json.load(f)
    print(json.dumps([{"cell": i, "inputs": inputs, "why": why}
                      for i, inputs, why in beside(book["cells"], os.path.dirname(sys.argv[1]))]))
