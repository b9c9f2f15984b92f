//go:build !js

package datasets_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
)

func TestLoadMindsNoCase(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"e1k.0": "E1k.0", "c1K.3": "C1k.3", "TAI12A": "tai12a", "Weierstrass-4": "weierstrass-4",
	} {
		inst, err := datasets.Load(name, datasets.Folders(), datasets.Cache(""), datasets.Offline())
		if err != nil || inst.Name() != want {
			t.Errorf("Load(%q) = %v, %v", name, inst, err)
		}
	}
}

func TestLoadUnknownName(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	cache := t.TempDir()
	_, err := datasets.Load("pr1020", s.options(cache)...)
	var miss *datasets.NotFoundError
	if !errors.As(err, &miss) || !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("error is %v", err)
	}
	if !slices.Contains(miss.Near, "pr1002") || len(miss.Near) > 5 || miss.Near[0] != "pr1002" {
		t.Errorf("near names %v", miss.Near)
	}
	for _, want := range []string{
		"METALAB_DATA", cache, strings.TrimPrefix(s.URL, "http://"), "did you mean pr1002",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("message lacks %s: %v", want, err)
		}
	}
	if !slices.Contains(miss.Looked, s.URL+"/tsp/pr1020.tsp.gz") {
		t.Errorf("looked in %v", miss.Looked)
	}
	n := len(s.requests())
	_, err = datasets.Load("pr1020", s.options(cache, datasets.Offline())...)
	if !errors.As(err, &miss) || !strings.Contains(err.Error(), "not online") ||
		len(s.requests()) != n {
		t.Errorf("offline: %v", err)
	}
	if _, err = datasets.Load("pr1002", s.options(cache, datasets.Offline())...); err == nil ||
		!strings.Contains(err.Error(), "it is published (TSPLIB95") ||
		strings.Contains(err.Error(), "mean pr1002") {
		t.Errorf("a published name offline: %v", err)
	}
	if _, err = datasets.Load("CRO6857", s.options(cache)...); err == nil ||
		!strings.Contains(err.Error(), "ask the authors") || len(s.requests()) != n {
		t.Errorf("CRO6857: %v", err)
	}
	for _, name := range []string{"", "..", "a b", "a?b", "-x", "ä", strings.Repeat("x", 200)} {
		if _, err := datasets.Load(name, s.options(cache)...); !errors.As(err, &miss) ||
			len(s.requests()) != n {
			t.Errorf("Load(%q): %v", name, err)
		}
	}
}

// near are the names that the error of a name that is not known offers.
func near(t *testing.T, name string) []string {
	t.Helper()
	_, err := datasets.Load(name, datasets.Offline())
	var miss *datasets.NotFoundError
	if !errors.As(err, &miss) {
		t.Fatalf("%q: %v", name, err)
	}
	return miss.Near
}

func TestNamesAndNear(t *testing.T) {
	t.Parallel()
	names := datasets.Names()
	for _, want := range []string{
		"pr1002", "E1k.0", "E1M.0", "C3k.4", "tai50a", "ppp-73x73-1", "weierstrass-10", "br17", "xqf131",
		"mona-lisa100K", "rand-200-7",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("no name %s", want)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("names are not sorted, or there twice")
	}
	for name, want := range map[string]string{
		"kroa10": "kroA100", "E1l.0": "E1k.0", "berlin": "berlin52", "att84": "att48", "tai50": "tai50a",
	} {
		if near := near(t, name); !slices.Contains(near, want) {
			t.Errorf("near to %q are %v, want %s among them", name, near, want)
		}
	}
	if near := near(t, "qqqqqqqqqqqq"); len(near) != 0 {
		t.Errorf("near to nothing: %v", near)
	}
}
