package site_test

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalab/notebooks/internal/site"
)

const root = "../../.."

// folder writes files, by their names, into a folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// bodies are the cells of all notebooks, in a line each.
func bodies(t *testing.T) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))
	if err != nil || len(all) == 0 {
		t.Fatalf("%d notebooks: %v", len(all), err)
	}
	files := map[string]string{}
	for _, path := range all {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb") + ".html"
		files[name] = `<h1 id="One">One of them<a class="anchor-link" href="#One">&#182;</a></h1>` +
			`<p>What it is about.</p><pre>var x = [][]int{{&lt; {{< not a shortcode >}}</pre>` +
			`<a href="../README.md">the first page</a> <a href="../kernel/wire">a folder</a>`
	}
	return folder(t, files)
}

func TestRelink(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ source, text, want string }{
		{"README.md", "[x](notebooks/lab.md#a)", "[x](lab.html#a)"},
		{"README.md", "[x](notebooks)", "[x](notebooks.html)"},
		{"README.md", "[`x`](notebooks/00_first_steps.ipynb)", "[`x`](00_first_steps.html)"},
		{"README.md", "![x](notebooks/tuning.png)", "![x](tuning.png)"},
		{"README.md", "[x](LICENSE)", "[x](files/LICENSE.txt)"},
		{"README.md", "[x](notebooks/capitals.csv)", "[x](files/notebooks/capitals.csv)"},
		{"README.md", "[`x` and y](kernel/wire), [z](#z)", "`x` and y, [z](#z)"},
		{"README.md", "[x](https://x.org/README.md)", "[x](https://x.org/README.md)"},
		{"README.md", "[x](nowhere.md)", "[x](nowhere.md)"},
		{"README.md", "```\n[x](notebooks/lab.md)\n```\n", "```\n[x](notebooks/lab.md)\n```\n"},
		{"README.md", "[x](notebooks/lab.md \"title\")", "[x](lab.html \"title\")"},
		{"README.md", `<img src="notebooks/tuning.png">`, `<img src="tuning.png">`},
		{"notebooks/index.md", "[x](../README.md#a)", "[x](index.html#a)"},
		{"notebooks/guide/a.md", "[x](../lab.md)", "[x](../lab.html)"},
		{"notebooks/guide/a.md", "[x](../../README.md)", "[x](../index.html)"},
		{
			"reference/verbs/x.md", "[x](/solvers/experiment/sqlite/SCHEMA.md)",
			"[x](../../solvers/experiment/sqlite/SCHEMA.html)",
		},
		{
			"solvers/experiment/sqlite/SCHEMA.md", "[x](../exchange/TRIED.md)",
			"[x](../exchange/TRIED.html)",
		},
	} {
		got, err := site.Relink(root, bodies(t), c.source, c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.source, c.text, got, c.want)
		}
	}
}

// The pages of the repository, made by Hugo: all links of README, guide and reference lead to
// pages, each page is reached, the search has all of them, and the archive all files.
func TestSite(t *testing.T) {
	if _, err := exec.LookPath("hugo"); err != nil {
		t.Skip(err)
	}
	project, out := t.TempDir(), t.TempDir()
	o := site.Options{Root: root, Bodies: bodies(t), Folder: project}
	pages, err := site.Prepare(o)
	if err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), "hugo", "--quiet", "--source", project,
		"--destination", out).CombinedOutput()
	if err != nil {
		t.Fatalf("hugo: %v\n%s", err, said)
	}
	if err := os.WriteFile(filepath.Join(out, "prompt.html"), []byte("<p>"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := site.Finish(out, pages); err != nil {
		t.Fatal(err)
	}
	problems, err := site.Crawl(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		// The notebooks' own headings are not in these pages.
		if !strings.Contains(p, "has no place") || !strings.Contains(p, "_") {
			t.Error(p)
		}
	}
	for _, p := range pages {
		if _, prose := site.Heading(uncoded(p.Text)); !p.HTML && p.About != prose &&
			!strings.HasPrefix(p.Source, "reference/") || p.About == "" {
			t.Errorf("%s is described as %q, and not by its prose, %q", p.Source, p.About, prose)
		}
	}
	searched(t, out, pages)
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	first := read("00_first_steps.html")
	for _, want := range []string{
		"[][]int{{&lt; {{< not a shortcode >}}", `<a href="index.html">the first page</a>`,
		"<a >a folder</a>", `aria-current="page">00 One of them</a>`, `rel="next"`, `rel="prev"`,
		`<meta name="description" content="What it is about.">`, "metalab v",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("00_first_steps.html does not hold %q", want)
		}
	}
	if index := read("index.html"); !strings.Contains(index, "Try it in this browser") ||
		!strings.Contains(index, `href="prompt.html#lines=`) {
		t.Error("the first page does not lead to the prompt")
	}
	if list := read("notebooks.html"); !strings.Contains(list, `prompt.html#lines=open%20acs`) {
		t.Error("notebooks.html does not open its lines in the prompt")
	}
	var index []site.Entry
	text, ok := strings.CutPrefix(read("site/index.js"), "window.metalabIndex = ")
	if err := json.Unmarshal([]byte(text), &index); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for _, p := range pages {
		if !slices.ContainsFunc(index, func(e site.Entry) bool { return e.URL == p.URL }) {
			t.Errorf("the search has no %s", p.URL)
		}
	}
	if !slices.ContainsFunc(index, func(e site.Entry) bool {
		return e.URL == "reference/parameters.html#q0" && e.Title == "q0" && e.Text != ""
	}) {
		t.Error("the search has no q0")
	}
	if rules := read("guide/stop_rules.html"); !strings.Contains(rules, `<span class="c1"># `) {
		t.Error("guide/stop_rules.html does not tell comments from lines")
	}
	llms := read("llms.txt")
	for _, want := range []string{
		"# metalab\n\n> ", "- [step](reference/verbs/step.md): ",
		"(00_first_steps.ipynb)", "(index.md)",
	} {
		if !strings.Contains(llms, want) {
			t.Errorf("llms.txt does not hold %q", want)
		}
	}
	z, err := zip.OpenReader(filepath.Join(out, site.Archive))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	unpacked := t.TempDir()
	if err := os.CopyFS(unpacked, z); err != nil {
		t.Fatal(err)
	}
	apart, err := site.Crawl(filepath.Join(unpacked, "metalab"))
	if err != nil || strings.Join(apart, "\n") != strings.Join(problems, "\n") {
		t.Errorf("the archive, unpacked: %v\n%s", err, strings.Join(apart, "\n"))
	}
}

// uncoded is Markdown without its blocks of code.
func uncoded(text string) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			b.WriteString("\n")
		} else if !code {
			b.WriteString(line)
		}
	}
	return b.String()
}

// searched looks for what readers type, with lunr under Node: the page that answers is among the
// first.
func searched(t *testing.T, out string, pages []*site.Page) {
	t.Helper()
	const lunr = "/usr/share/javascript/lunr/lunr.min.js"
	node, err := exec.LookPath("node")
	if _, e := os.Stat(lunr); err != nil || e != nil {
		t.Logf("nothing is looked for: %v, %v", err, e)
		return
	}
	cases := []struct {
		text, want string
		first      int // how far down it may stand
	}{
		{"stop after no improvement", "guide/stop_rules.html", 1},
		{"time limit", "guide/stop_rules.html", 5},
		{"python", "guide/read_a_record.html", 5},
		{"penalty", "guide/own_problem.html", 1},
		{"warm start", "guide/start_from_a_tour.html", 1},
		{"checkpoint", "guide/resume.html", 3},
		{"end a search when I want", "guide/stop_rules.html", 3}, // as the index of the guide says
		{"stall", "guide/stop_rules.html", 5},
		{"step", "reference/verbs/step.html", 1},
		{"q0", "reference/parameters.html#q0", 1},
		{"Run.Step", "reference/lab.html#runstep", 1},
		{"xyzzyplugh", "", 0},
		{" . ", "", 0},
		{"after", "", 1 << 20}, // a word of no index
	}
	var texts []string
	for _, c := range cases {
		texts = append(texts, c.text)
	}
	asked, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	const script = `const fs = require("fs"), vm = require("vm")
const [lunr, out, asked] = process.argv.slice(1)
globalThis.window = globalThis
for (const name of ["index.js", "search.js"])
  vm.runInThisContext(fs.readFileSync(out + "/site/" + name, "utf8"))
const search = metalabSearch(require(lunr), metalabIndex)
console.log(JSON.stringify(JSON.parse(asked).map(text => search(text).map(d => d.u))))`
	said, err := exec.CommandContext(t.Context(), node, "-e", script, lunr, out,
		string(asked)).Output()
	if err != nil {
		t.Fatal(err)
	}
	var found [][]string
	if err := json.Unmarshal(said, &found); err != nil || len(found) != len(cases) {
		t.Fatalf("%d of %d answers: %v", len(found), len(cases), err)
	}
	for i, c := range cases {
		at := slices.Index(found[i], c.want)
		switch {
		case c.want == "" && len(found[i]) > c.first, c.want != "" && (at < 0 || at >= c.first):
			t.Errorf("%q has %q at %d, want it among the first %d: %q", c.text, c.want, at, c.first,
				found[i][:min(len(found[i]), 8)])
		}
	}
	for source := range site.Synonyms {
		if !slices.ContainsFunc(pages, func(p *site.Page) bool { return p.Source == source }) {
			t.Errorf("there are words for %s, and no such page", source)
		}
	}
}

// The navigation has the groups of the guide's index, every page of the guide in one of them, and
// no name twice.
func TestNavigation(t *testing.T) {
	t.Parallel()
	pages, err := site.Collect(root, bodies(t))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	enter := func(items []site.Item) {
		for _, i := range items {
			if other, ok := seen[i.Title]; ok {
				t.Errorf("%q leads to %s and to %s", i.Title, other, i.URL)
			}
			seen[i.Title] = i.URL
		}
	}
	for _, g := range site.Navigation(pages) {
		enter(g.Items)
		var parts []string
		for _, p := range g.Parts {
			parts = append(parts, p.Title)
			enter(p.Items)
			if len(p.Items) == 0 {
				t.Errorf("%s, %s is empty", g.Title, p.Title)
			}
		}
		if g.Title != "Guide" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(root, "notebooks", "guide", "index.md"))
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for line := range strings.Lines(string(b)) {
			if h, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
				want = append(want, h)
			}
		}
		if !slices.Equal(parts, want) || len(parts) < 5 {
			t.Errorf("the guide has the parts %q, want %q", parts, want)
		}
		if len(g.Items) != 1 || g.Items[0].URL != "guide/index.html" {
			t.Errorf("the index of the guide names no %v", g.Items)
		}
	}
}

// Crawl says what is wrong.
func TestCrawl(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		"index.html": `<a href="a/b.html#x">b</a> <a href="https://x.org/y">y</a>` +
			`<a href="#t" id=t>t</a>`,
		"a/b.html":      `<p id=x><a href="../index.html">up</a> <a href="../prompt.html#lines=x">p</a>`,
		"prompt.html":   `<script src="is-not-looked-at.js"></script>`,
		"a/picture.png": "x",
	}
	for _, c := range []struct{ page, text, want string }{
		{"index.html", good["index.html"], ""},
		{
			"a/b.html", `<p id=x><a href=c.html>`,
			"a/b.html leads to c.html: there is no a/c.html, prompt.html is not reached from index.html",
		},
		{
			"index.html", `<a href="a/b.html#y">`,
			`index.html leads to a/b.html#y: a/b.html has no place "y", a/b.html is not reached from ` +
				`index.html, prompt.html is not reached from index.html`,
		},
		{
			"a/b.html", `<p id=x><img src="picture.jpg"><a href="../prompt.html">`,
			"a/b.html leads to picture.jpg: there is no a/picture.jpg",
		},
		{
			"a/b.html", `<p id=x><a href="/index.html"><a href="../prompt.html">`,
			"a/b.html leads to /index.html: it holds in one place alone",
		},
		{
			"a/b.html", `<p id=x><a href="../a/"><a href="../prompt.html">`,
			"a/b.html leads to ../a/: it is a folder, which a disk does not show as a page",
		},
		{
			"a/b.html", `<p id=x><a href="../../x.html"><a href="../prompt.html">`,
			"a/b.html leads to ../../x.html: there is no ../x.html",
		},
		{"more.html", "<p>", "more.html is not reached from index.html"},
	} {
		files := map[string]string{}
		for name, text := range good {
			files[name] = text
		}
		files[c.page] = c.text
		got, err := site.Crawl(folder(t, files))
		if err != nil {
			t.Fatal(err)
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s with %s: %q, want %q", c.page, c.text, s, c.want)
		}
	}
	if _, err := site.Crawl(t.TempDir()); err == nil {
		t.Error("a folder without pages has no problem")
	}
}

func TestHeading(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Twenty letters here. ", 20)
	for _, c := range []struct{ text, title, about string }{
		{"# A title\n\nWhat it is. More.\n", "A title", "What it is. More."},
		{"# `a` and [b](c.md)\n\n![picture](x.png)\n\nSaid *here*.", "a and b", "Said here."},
		{"# A\n\n| a | b |\n|---|---|\n\nBelow.", "A", "Below."},
		{"# A\n\n" + long, "A", strings.TrimSpace(long[:189])},
		{"# A\nAt once.", "A", "At once."},
		{"# A\n\n```sh not run\n# b\n\nmetalab\n```\n\nBelow code.", "A", "Below code."},
		{"# A\n\n```lab\nstep a\n```\n\nType:\n\n```go\nx\n```\n\nIt is made. More:", "A", "It is made."},
		{"# A\n\n## Why\n\n* a list\n\n1. a list\n\n> said\n\nBecause: so.", "A", "Because: so."},
		{"# A\n\n```lab\nstep a\n```\n", "A", "A"},
		{"no heading", "", ""},
	} {
		title, about := site.Heading(c.text)
		if title != c.title || about != c.about {
			t.Errorf("%.40q: %q, %q, want %q, %q", c.text, title, about, c.title, c.about)
		}
	}
}

// A block of lines opens what a page can carry out, and no more.
func TestPrompted(t *testing.T) {
	t.Parallel()
	const open = "```lab\nopen acs E1k.0 as a\nstep a 5\n```\n"
	for _, c := range []struct{ text, want string }{
		{open, `lab {to="open%20acs%20E1k.0%20as%20a%0Astep%20a%205"}`},
		{
			open + "Then\n\n```lab\nset a q0=1\n```\n",
			`lab {to="open%20acs%20E1k.0%20as%20a%0Astep%20a%205%0Aset%20a%20q0%3D1"}`,
		},
		{"```lab\nstep a 5\n```\n", `lab {to=""}`},
		{"```lab gpu\nopen acs E1k.0 as a\n```\n", `lab {to=""}`},
		{"```lab\nopen acs E1k.0 as a on=cuda\n```\n", `lab {to=""}`},
		{"```lab\nopen acs E1k.0 as a; tune a q0\n```\n", `lab {to=""}`},
		{"```csv file=x.tsp\n1\n```\n```lab\nopen acs x.tsp as a\n```\n", `lab {to=""}`},
		{"```go\nopen\n```\n", "```go\n"},
	} {
		got := site.Prompted(c.text)
		if !strings.Contains(got, c.want) {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}

// Links are taken for what they are in any text: nothing is lost where none leads to a file.
func FuzzRelink(f *testing.F) {
	for _, s := range []string{"[a](b)", "```\n[a](b.md)\n", "](", "[](", `href="`, "[a](b \"c\")"} {
		f.Add(s)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		got := site.RelinkIn(dir, "x/y.md", text)
		if want := text; got != want && !strings.Contains(text, "..") && !strings.Contains(text, "./") {
			t.Errorf("%q becomes %q", text, got)
		}
	})
}
