package binding_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/eval/bind/binding"
)

const (
	testlab = "metalab/kernel/eval/internal/testlab"
	file    = "../../internal/testbind/testlab_bind.go"
)

// TestCurrent fails when a generated file is not what the generator writes now.
func TestCurrent(t *testing.T) {
	t.Parallel()
	if err := binding.Check(".", testlab, file); err != nil {
		t.Error(err)
	}
}

func TestStale(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stale := filepath.Join(t.TempDir(), "stale.go")
	if err := os.WriteFile(stale, []byte(strings.Replace(string(text), `"Load":`, `"Loaded":`, 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	if err := binding.Check(".", testlab, stale); err == nil ||
		!strings.Contains(err.Error(), "go generate") {
		t.Errorf("got %v", err)
	}
}

// TestRefused gives the generator packages that cannot be bound.
func TestRefused(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"sync/atomic": "generic type",
		"slices":      "generic function",
		"no/such":     "no/such",
	} {
		_, err := binding.Generate(".", path, "x")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", path, err, want)
		}
	}
}

// TestConstants binds a package full of them: it must be Go, and exact.
func TestConstants(t *testing.T) {
	t.Parallel()
	text, err := binding.Generate(".", "math", "x")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`constant.MakeFromLiteral("18446744073709551615", token.INT, 0)`,
		`"Pi":`, `{Typ: "untyped float"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in the binding of math", want)
		}
	}
}
