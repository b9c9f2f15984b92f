package api_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"metalab/solvers/internal/api"
)

// The list is what the sources say.
func TestListed(t *testing.T) {
	t.Parallel()
	want, err := api.List("../../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("api.txt")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	was, is := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			t.Fatalf("line %d of api.txt is %q, the sources say %q: "+
				"go generate ./solvers/internal/api, where the change is meant", i+1, was[i], is[i])
		}
	}
	t.Fatalf("api.txt has %d lines, the sources %d", len(was), len(is))
}

// The list has declarations without bodies, and nothing that is not exported.
func TestFace(t *testing.T) {
	t.Parallel()
	text, err := api.List("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\npackage metalab/solvers/record\n", "\nfunc Register(v Variant)\n",
		"\nfunc (r *Run) Close()\n", "\ntype Algorithm interface {\n", "\nfunc Open(",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("there is no %q", want)
		}
	}
	for _, bad := range []string{"\nfunc init", "return ", "\nfunc newWriter"} {
		if strings.Contains(string(text), bad) {
			t.Errorf("there is %q", bad)
		}
	}
}
