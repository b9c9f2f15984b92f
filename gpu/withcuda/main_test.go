package main

import (
	"slices"
	"testing"
)

func TestWithTag(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want []string }{
		{[]string{"build", "./..."}, []string{"build", "-tags", "cuda", "./..."}},
		{[]string{"test", "-tags", "noasm", "./..."}, []string{"test", "-tags", "noasm,cuda", "./..."}},
		{[]string{"vet", "-tags=a,b"}, []string{"vet", "-tags=a,b,cuda"}},
		{[]string{"version"}, []string{"version", "-tags", "cuda"}},
	} {
		if got := withTag(c.in); !slices.Equal(got, c.want) {
			t.Errorf("withTag(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestCflags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ root, have, want string }{
		{"/m", "", "-I/m/gpu/internal/driver/include -O2 -g"},
		{"/m", "-O0", "-I/m/gpu/internal/driver/include -O0"},
		{"/m", "-I/m/gpu/internal/driver/include -O1", "-I/m/gpu/internal/driver/include -O1"},
		{"/a b", "-O0", `"-I/a b/gpu/internal/driver/include" -O0`},
	} {
		if got := cflags(c.root, c.have); got != c.want {
			t.Errorf("cflags(%q, %q) = %q, want %q", c.root, c.have, got, c.want)
		}
	}
}
