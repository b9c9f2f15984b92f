package datasets_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"metalab/datasets"
)

// The catalogue says of a generated instance what the instance says of itself.
func TestCatalogueOfGenerated(t *testing.T) {
	t.Parallel()
	kinds := map[datasets.Kind]int{}
	for _, e := range datasets.Catalogue(datasets.Folders(), datasets.Cache("")) {
		if e.Path != "" || e.Kind == "" || e.Size == 0 || e.HasBest && e.Best.Source == "" {
			t.Errorf("%+v", e)
		}
		kinds[e.Kind]++
		if e.Size > 3162 {
			continue // would take long to make
		}
		inst, ok, err := datasets.Generate(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		if ok != (e.Place == datasets.PlaceGenerated) || !ok && e.Place != datasets.PlaceFetch {
			t.Errorf("%s: place %s, generated is %v", e.Name, e.Place, ok)
		}
		if !ok {
			continue
		}
		best, known := inst.BestKnown()
		if e.Kind != inst.Kind() || e.Size != inst.Size() || e.HasBest != known || e.Best != best {
			t.Errorf("%+v\nis %s of size %d, best %v %+v", e, inst.Kind(), inst.Size(), known, best)
		}
	}
	for _, k := range datasets.Kinds() {
		if kinds[k] == 0 {
			t.Errorf("no %s", k)
		}
		delete(kinds, k)
	}
	if len(kinds) > 0 {
		t.Errorf("kinds that Kinds does not list: %v", kinds)
	}
}

// writeFiles writes files into a new folder.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Of files the catalogue reads the heads, and what these do not tell is empty.
func TestCatalogueOfFiles(t *testing.T) {
	t.Parallel()
	const plane = "TYPE : TSP\nEDGE_WEIGHT_TYPE: EUC_2D\n"
	const matrix = "EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
	dir := writeFiles(t, map[string]string{
		"mine.tsp":        "NAME: mine\nDIMENSION : 7\n" + plane + "NODE_COORD_SECTION\n1 0 0\n",
		"packed.tsp.gz":   gzipped(t, plane+"DIMENSION: 8 \nNODE_COORD_SECTION\n"),
		"mine.atsp":       "TYPE: ATSP\nDIMENSION: 9\n" + matrix,
		"oneway.atsp":     "TYPE: ATSP\nDIMENSION\t: 10\n" + matrix,
		"flat.atsp":       "TYPE: ATSP\nDIMENSION: 11\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n",
		"mine.dat":        "\n 12\n\n0 1\n",
		"assign.dat":      "\n 12\n\n0 1\n",
		"graph.col":       "c a comment\np edge 13 2\ne 1 2\n",
		"le450_5a.col":    "p edge 450 5714\ne 1 2\n",
		"le450_5b.col":    "p edge 450 3\ne 1 2\n",
		"le450_5c-k4.col": "p edge 450 9803\ne 1 2\n",
		"cut.tsp":         plane + "DIMENSION: 1",
		"empty.col":       "c nothing\n",
		"word.dat":        "twelve 1 2\n",
		"pr1002.tsp":      "DIMENSION: 5\n" + plane + "NODE_COORD_SECTION\n",
		"kroa100.tsp":     "DIMENSION: 100\n" + plane + "NODE_COORD_SECTION\n",
		"tai10a.dat":      "11\n0\n",
	})
	cache := writeFiles(t, map[string]string{
		"berlin52.tsp": "DIMENSION: 52\n" + plane, "berlin52.tsp.sha256": "0", "fetched.dat": "14 0\n",
		"mine.tsp": "DIMENSION: 99\n" + plane,
	})
	list := func() map[string]datasets.Entry {
		m := map[string]datasets.Entry{}
		all := datasets.Catalogue(datasets.Folders(dir), datasets.Cache(cache))
		for _, e := range all {
			m[e.Name] = e
		}
		if len(m) != len(all) || !slices.IsSortedFunc(all, func(a, b datasets.Entry) int {
			return bytes.Compare([]byte(a.Name), []byte(b.Name))
		}) {
			t.Error("names are not sorted, or there twice")
		}
		return m
	}
	entries := list()
	for name, want := range map[string]struct {
		kind  datasets.Kind
		size  int
		best  bool
		place datasets.Place
		file  string
	}{
		"packed":      {"tsp", 8, false, "METALAB_DATA", dir + "/packed.tsp.gz"},
		"oneway":      {"atsp", 10, false, "METALAB_DATA", dir + "/oneway.atsp"},
		"flat":        {"tsp", 11, false, "METALAB_DATA", dir + "/flat.atsp"},
		"assign":      {"qap", 12, false, "METALAB_DATA", dir + "/assign.dat"},
		"graph":       {"colouring", 13, false, "METALAB_DATA", dir + "/graph.col"},
		"le450_5a":    {"colouring", 450, true, "METALAB_DATA", dir + "/le450_5a.col"},
		"le450_5b":    {"colouring", 450, false, "METALAB_DATA", dir + "/le450_5b.col"},
		"le450_5c-k4": {"colouring", 450, false, "METALAB_DATA", dir + "/le450_5c-k4.col"},
		"cut":         {"", 0, false, "METALAB_DATA", dir + "/cut.tsp"},
		"empty":       {"", 0, false, "METALAB_DATA", dir + "/empty.col"},
		"word":        {"", 0, false, "METALAB_DATA", dir + "/word.dat"},
		"mine":        {"atsp", 9, false, "METALAB_DATA", dir + "/mine.atsp"}, // the first in order
		"pr1002":      {"tsp", 5, false, "METALAB_DATA", dir + "/pr1002.tsp"}, // another one
		"kroA100":     {"tsp", 100, true, "METALAB_DATA", dir + "/kroa100.tsp"},
		"berlin52":    {"tsp", 52, true, "cache", cache + "/berlin52.tsp"},
		"fetched":     {"qap", 14, false, "cache", cache + "/fetched.dat"},
		"tai10a":      {"qap", 10, true, "generated", ""}, // as Load has it
		"a280":        {"tsp", 280, true, "to be fetched", ""},
	} {
		e, ok := entries[name]
		if !ok || e.Kind != want.kind || e.Size != want.size || e.HasBest != want.best ||
			e.Place != want.place || e.Path != want.file {
			t.Errorf("%s: %+v, want %+v", name, e, want)
		}
	}
	if err := os.WriteFile(dir+"/later.dat", []byte("15 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir + "/graph.col"); err != nil {
		t.Fatal(err)
	}
	entries = list()
	if _, old := entries["graph"]; old || entries["later"].Size != 15 {
		t.Errorf("a file that came, and one that went: %+v, %+v", entries["later"], entries["graph"])
	}
}

// The heads of the published files say what the table says.
func TestCatalogueOfPublished(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	_, rows := knownRows(t)
	files := 0
	for _, e := range datasets.Catalogue(datasets.Folders(filepath.SplitList(dir)...)) {
		for _, row := range rows {
			if row[0] != e.Name || e.Place != datasets.PlaceData {
				continue
			}
			if files++; string(e.Kind) != row[1] || !e.HasBest {
				t.Errorf("%+v, want %v", e, row)
			}
		}
	}
	if files < 100 {
		t.Errorf("%d published instances have files", files)
	}
}
