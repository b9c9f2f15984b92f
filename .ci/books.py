"""usage: books.py FOLDER

Prepares the notebooks in a folder for the pages of the site, in place: below a cell of code stands
a link that opens it in the prompt of a page, or why there is none, and links to the records and
experiments of its paper; below figures that show a run stands the run with a slider over its
iterations, from FOLDER/scrubs, where scrubs.py had it made. See .ci/site."""
import glob, json, os, re, sys, urllib.parse

from beside import beside, experiments


def prompted(text, what="lines"):
    """A link that opens the prompt with these lines, or cells. Its tab is one for all links, so
    that runs and files stay there."""
    return (f'<a href="prompt.html#{what}={urllib.parse.quote(text)}" target="metalab-prompt">'
            "open in the prompt</a>")


def fenced(text):
    """Lines of the prompt in Markdown are in blocks that are called lab."""
    return re.sub(r"^```lab\n(.*?)^```$", lambda m: f"```\n{m[1]}```\n\n{prompted(m[1])}", text,
                  flags=re.M | re.S)


def scrub(book, name):
    """The output that goes through a run; none where the run was not made."""
    path = os.path.join("scrubs", book, f"{name}.html")
    if not os.path.exists(path):
        return []
    with open(path) as f:
        figure = f.read()
    what = "go through the run, iteration by iteration"
    html = f"<details data-figure><summary>{what}</summary>{figure}</details>"
    return [{"output_type": "display_data", "metadata": {}, "data": {"text/html": html}}]


def link(to, text):
    return f'<a href="{to}">{text}</a>'


def links_of(text, inputs, why, records):
    """What stands below a cell of code."""
    out = [prompted("\n\n".join(inputs), "cells")] if inputs else []
    if why and "records/" not in text:
        out.append(f"not in a page: {why}")
    for name in experiments(text):
        if os.path.exists(f"pages/experiment-{name}.html"):
            out.append(link(f"records/experiment-{name}.html",
                            f"experiment {name}, to go through and to make its units again"))
    names = list(dict.fromkeys(re.findall(r"records/(\w+)\.run", text)))
    for name in names:
        out.append(link(f"records/{name}.html", "make this run again in your browser"))
    if not names and re.search(r"lab\.(Paper|Glance)\b", text):
        for name in records:
            out.append(link(f"records/{name}.html",
                            "a run of this paper's algorithm, to make again and to go through"))
    return out


def prepared(book, name):
    """A notebook with all of that."""
    # Widgets need a server's scripts: the page has the picture that stands beside them.
    book["metadata"].pop("widgets", None)
    cells = book["cells"]
    for o in [o for c in cells for o in c.get("outputs", [])]:
        o.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
    records = sorted(set(re.findall(r"records/(\w+)\.run", json.dumps(cells))))
    below = {i: links_of("".join(cells[i]["source"]), inputs, why, records)
             for i, inputs, why in beside(cells, ".")}
    book["cells"] = []
    for i, c in enumerate(cells):
        book["cells"].append(c)
        if c["cell_type"] == "code":
            shown = re.findall(r"records/(\w+)\.run", "".join(c["source"]))
            for key in [str(i), *dict.fromkeys(shown)]:
                c["outputs"] += scrub(name, key)
        else:
            c["source"] = fenced("".join(c["source"]))
        if below.get(i):
            text = f'<span class="to-prompt">{" · ".join(below[i])}</span>'
            book["cells"].append({"cell_type": "markdown", "id": f"beside-{i}", "metadata": {},
                                  "source": text})
    return book


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.chdir(sys.argv[1])
    for path in glob.glob("[0-9]*.ipynb"):
        with open(path) as f:
            book = json.load(f)
        with open(path, "w") as f:
            json.dump(prepared(book, path[:-6]), f)
