package reference_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/reference"
	"metalab/kernel/wire"
	"metalab/solvers"
)

const root = "../.."

var (
	linked   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headings = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fences   = regexp.MustCompile("(?ms)^```.*?^```$")
)

// anchorOf is the name of a heading by GitHub's rule.
func anchorOf(heading string) string {
	s := strings.ReplaceAll(strings.ToLower(heading), " ", "-")
	return regexp.MustCompile(`[^\pL\pN_-]`).ReplaceAllString(s, "")
}

// lacking says what a reader does not reach from the index: links that lead nowhere, pages to which
// none leads, verbs and parameters without a place.
func lacking(pages []reference.Page) (out []string) {
	byPath, anchors := map[string]reference.Page{}, map[string]bool{}
	for _, p := range pages {
		byPath[p.Path] = p
		for _, m := range headings.FindAllStringSubmatch(fences.ReplaceAllString(p.Text, ""), -1) {
			anchors[p.Path+"#"+anchorOf(m[1])] = true
		}
	}
	reached, places := map[string]bool{"index.md": true}, map[string]bool{}
	for todo := []string{"index.md"}; len(todo) > 0; todo = todo[1:] {
		for _, m := range linked.FindAllStringSubmatch(byPath[todo[0]].Text, -1) {
			to, anchor, found := strings.Cut(m[1], "#")
			if strings.Contains(to, ":") {
				continue
			}
			if strings.HasPrefix(to, "/") {
				if _, err := os.Stat(filepath.Join(root, to)); err != nil {
					out = append(out, todo[0]+" leads to "+m[1]+", which is not there")
				}
				continue
			}
			if to = path.Join(path.Dir(todo[0]), to); m[1][0] == '#' {
				to = todo[0]
			}
			if _, ok := byPath[to]; !ok || found && !anchors[to+"#"+anchor] {
				out = append(out, todo[0]+" leads to "+m[1]+", which is not there")
				continue
			}
			if todo[0] == "parameters.md" {
				places[to+"#"+anchor] = true
			}
			if !reached[to] {
				reached[to] = true
				todo = append(todo, to)
			}
		}
	}
	for _, p := range pages {
		if !reached[p.Path] {
			out = append(out, "nothing leads to "+p.Path)
		}
	}
	for _, v := range wire.Verbs {
		if !reached["verbs/"+v.Name+".md"] {
			out = append(out, "the verb "+v.Name+" is not reached")
		}
	}
	for _, v := range solvers.Variants() {
		page := "solvers/" + v.Solver + "/" + v.Name + ".md"
		for _, name := range declared(v) {
			if !places[page+"#"+name] {
				out = append(out, "the parameter "+name+" of "+v.Solver+"/"+v.Name+" is not reached")
			}
		}
	}
	return out
}

// declared are the names of a variant's parameters for an instance of its first kind.
func declared(v solvers.Variant) (names []string) {
	for _, name := range []string{
		"E1k.0", "tai10a", "ppp-73x73-1", "weierstrass-5", "queen8_8", "G1",
	} {
		inst, _, err := datasets.Generate(name)
		if err != nil || !slices.Contains(v.Kinds, inst.Kind()) {
			continue
		}
		a, err := v.New(inst)
		if err != nil {
			return []string{err.Error()}
		}
		var t solvers.Params
		a.Declare(&t)
		for _, p := range t.List() {
			names = append(names, p.Name)
		}
		return names
	}
	return []string{"of " + v.Solver}
}

func pages(t *testing.T) []reference.Page {
	all, err := reference.Pages(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every page, verb and parameter is reached from the index by links, and no link is dead.
func TestReached(t *testing.T) {
	all := pages(t)
	for _, l := range lacking(all) {
		t.Error(l)
	}
	if len(all) < len(wire.Verbs)+30 {
		t.Errorf("there are %d pages, for %d verbs", len(all), len(wire.Verbs))
	}
}

// What is taken away is missed.
func TestLacking(t *testing.T) {
	all := pages(t)
	at := func(path string) int {
		i := slices.IndexFunc(all, func(p reference.Page) bool { return p.Path == path })
		if i < 0 {
			t.Fatalf("there is no page %s", path)
		}
		return i
	}
	for _, c := range []struct {
		page, old, with, want string
	}{
		{"verbs.md", "](verbs/step.md)", "](verbs/go.md)", "the verb step is not reached"},
		{"solvers/acs/seq.md", "\n### q0\n", "\n### q1\n", "leads to #q0, which is not there"},
		{
			"parameters.md", "acs/seq.md#q0", "acs/seq.md#beta",
			"the parameter q0 of acs/seq is not reached",
		},
		{"index.md", "](lab.md)", "](exit.md)", "nothing leads to lab.md"},
		{"json.md", "## Point\n", "## Dot\n", "#point, which is not there"},
	} {
		changed := slices.Clone(all)
		i := at(c.page)
		changed[i].Text = strings.ReplaceAll(changed[i].Text, c.old, c.with)
		if changed[i].Text == all[i].Text {
			t.Errorf("%s does not hold %q", c.page, c.old)
		}
		got := strings.Join(lacking(changed), "\n")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s with %q: %q, want %q", c.page, c.with, got, c.want)
		}
	}
}

// Pages say what there is to say, and the same each time.
func TestPages(t *testing.T) {
	all := pages(t)
	text := map[string]string{}
	for _, p := range all {
		text[p.Path] = p.Text
		if p.Title == "" || p.About == "" || strings.TrimSpace(p.Text) == "" {
			t.Errorf("%s: title %q, about %q, %d bytes", p.Path, p.Title, p.About, len(p.Text))
		}
	}
	for path, want := range map[string][]string{
		"verbs/step.md":       {"stall=500", "step a until gap<1", "`step_wall_s`", "required"},
		"verbs/plot.md":       {"## Figures", "`tour`"},
		"verbs/quit.md":       {"The prompt carries this verb out by itself"},
		"solvers/acs/seq.md":  {"### q0", "range: 0 to 1", "the trails stay", "Dorigo"},
		"solvers/ils/best.md": {"migration_topology"},
		"solvers/acs/gpu.md":  {"cpu, cuda", "it races as published"},
		"parameters.md":       {"## q0", "## ants"},
		"lab.md":              {"## Run.Step\n", "## Open\n", "func Open("},
		"records.md":          {"crc32c", "`started_at`"},
		"environment.md":      {"## METALAB_DATA\n"},
		"formats.md":          {".tour", "SCHEMA.md"},
	} {
		for _, w := range want {
			if !strings.Contains(text[path], w) {
				t.Errorf("%s does not hold %q", path, w)
			}
		}
	}
	for i, p := range pages(t) {
		if p != all[i] {
			t.Errorf("%s is not the same when it is made again", p.Path)
		}
	}
}

// The variables of the environment that programs read are all on their page.
func TestVariables(t *testing.T) {
	name := regexp.MustCompile(`\bMETALAB_[A-Z_]*[A-Z]\b`)
	known := map[string]bool{}
	// Those that programs set for each other, and those of tools for developers.
	for _, n := range strings.Fields("HOST HANDOFF WORKER WIDGETS EMULATE KERNEL DRIVER_LOADED " +
		"DRIVER_INIT_FAILED SAID ON_FAKE GOLDEN_OUT TABLES LONG SHAPES CHAOS") {
		known["METALAB_"+n] = true
	}
	for _, v := range reference.Variables {
		known[v.Name] = true
	}
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "notebooks" ||
			d.Name() == "testdata" || d.Name() == "reference") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		b, err := os.ReadFile(path)
		for _, n := range name.FindAllString(string(b), -1) {
			if !known[n] && !seen[n] {
				t.Errorf("%s has %s, which is not in the table of variables", path, n)
			}
			seen[n] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range reference.Variables {
		if strings.HasPrefix(v.Name, "METALAB_") && !seen[v.Name] {
			t.Errorf("%s is on the page, and no source reads it", v.Name)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	all, err := reference.Write(root, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		b, err := os.ReadFile(filepath.Join(dir, p.Path))
		if err != nil || string(b) != p.Markdown() {
			t.Errorf("%s: %d bytes, %v", p.Path, len(b), err)
		}
	}
	if _, err := reference.Pages(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("pages of a folder without sources: %v", err)
	}
}
