package datasets

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// A program that cannot fetch names only what it opens.
func TestNamesWithoutFetching(t *testing.T) {
	was := alone
	t.Cleanup(func() { alone = was })
	alone = errors.New("nothing is fetched")
	l := newLoader([]Option{Folders(), Cache(t.TempDir())})
	names := l.names()
	if len(names) < 50 || slices.Contains(names, "C10M.0") || slices.Contains(names, "pr1002") {
		t.Errorf("%d names: %v", len(names), names)
	}
	for _, name := range names {
		kind, size, ok := generatedForm(name)
		if !ok || size > mostInPage {
			t.Errorf("%s is named: %s, size %d", name, kind, size)
		}
		if size > 2000 {
			continue // it takes seconds
		}
		if _, err := Load(name, Folders(), Cache(t.TempDir())); err != nil {
			t.Errorf("%s is named: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"pr1002":  "pr1002 is not generated, and nothing is fetched, or take E1k.0, which is generated",
		"kroA100": "or take rand-200-7, which is generated",
		"tai100b": "or take tai100a, which is generated",
		"E2k.0":   `no instance "E2k.0"; did you mean E1k.0, `,
		"nosuch":  "here are those that are generated, as E1k.0 and rand-200-7, and files that are added",
	} {
		_, err := Load(name, Folders(), Cache(t.TempDir()))
		if err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "looked in") {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	for _, e := range Catalogue(Folders(), Cache(t.TempDir())) {
		if e.Place == PlaceFetch {
			t.Errorf("%s is in the catalogue", e.Name)
		}
	}
}
