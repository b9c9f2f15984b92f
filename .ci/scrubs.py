#!/usr/bin/env python3
"""usage: .ci/scrubs.py NOTEBOOK FOLDER PAGES

Prints lines of the prompt that make the runs which figures of a notebook show, and write of each a
figure with a slider over its iterations into FOLDER, as CELL.html. The last cells are those of its
paper's record: that is written as NAME.html. .ci/site puts the figures below their cells.
Experiments that are named in cells are made too, and become PAGES/experiment-NAME.html."""
import json, os, re, sys

from beside import EXPERIMENTS, beside, experiments, go_of, source

# What shows a run, by how it is called in Go: what stands before or in the brackets is the run.
SHOWS = [r"(lab\.Get\(\"\w+\"\)|\b[a-z]\w*)\.Plot\(", r"lab\.Watch\((lab\.Get\(\"\w+\"\)|\w+)\)",
         r"lab\.Plot\(\"\w+\", (lab\.Get\(\"\w+\"\)|\w+)[,)]"]

# What makes an experiment.
MAKES = (r"lab\.(Sweep|Tune)\(|lab\.Do\(\"(sweep|tune) "
         r"|lab\.Experiment\(\"\w+\", (\"solvers=|plan\b)")


def shown(cell, typed):
    """The run that a cell's figure shows, as Go, after what was typed; empty: it shows none."""
    kinds = {k for o in cell.get("outputs", []) for k in o.get("data", {})}
    if "image/png" not in kinds and "image/svg+xml" not in kinds:
        return ""
    found = [m for r in SHOWS for m in re.findall(r, source(cell)) if m != "lab"]
    if not found or found[0].startswith("lab."):
        return found[0] if found else ""
    # Where lines of the prompt stand for the cell, its variable is a run's name.
    return found[0] if re.search(rf"\b{found[0]}\b.*:=", typed) else f'lab.Get("{found[0]}")'


def written(run, path):
    """Go that writes a run as a figure into a file."""
    return f"os.WriteFile({json.dumps(path)}, []byte({run}.Scrub().HTML()), 0o600)"


def script(cells, folder, to, pages):
    out, done, lines, all_of_it = [], 0, ['import "os"'], list(beside(cells, folder))
    asks = [source(cells[i]) for i, _, why in all_of_it if why == EXPERIMENTS]
    if any("over=" in text for text in asks):
        asks = []  # they need workers, which only the notebook starts
    names = list(dict.fromkeys(n for text in asks for n in experiments(text)))
    for i, inputs, why in all_of_it:
        text = source(cells[i])
        if names and why == EXPERIMENTS and re.search(MAKES, text):
            out += lines + go_of(text, folder, set())
            lines = []
        run = shown(cells[i], "\n".join(inputs)) if inputs else ""
        if run:
            # What stands between is made too; what comes after the last figure is not.
            out += lines + inputs[done:] + [written(run, os.path.join(to, f"{i}.html"))]
            done, lines = len(inputs), []
    for name in sorted(set(re.findall(r"records/(\w+)\.run", json.dumps(cells)))):
        out += lines + [f"load records/{name}.run as recorded_{name}",
                        written(f'lab.Get("recorded_{name}")', os.path.join(to, f"{name}.html"))]
        lines = []
    for name in names:
        out.append(f"export {name} {os.path.join(pages, f'experiment-{name}.html')} "
                   "link=../index.html")
    return "\n".join(out) + "\n" if out else ""


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[1]) as f:
        book = json.load(f)
    sys.stdout.write(script(book["cells"], os.path.dirname(sys.argv[1]), *sys.argv[2:]))
