package bundle

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A package loses what uses another one, and what uses that, and keeps the rest.
func TestTrim(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"a.go": `package p

import (
	"math"

	"x/mat"
)

// Of is gone.
func Of(m mat.Dense) float64 { return math.Abs(m.At(0, 0)) }

// Kept stays.
func Kept(v float64) float64 { return math.Sqrt(v) }

// A T is gone, with its methods.
type T struct{ m mat.Dense }

func (t *T) Get() int { return 1 }

func uses() { Of(mat.Dense{}) }
`,
		"b.go":      "package p\n\nfunc Beside() float64 { return Kept(2) }\n",
		"a_test.go": "package p\n",
	} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := trimPackage(from, to, []string{"x/mat"}); err != nil {
		t.Fatal(err)
	}
	all := ""
	entries, err := os.ReadDir(to)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(to, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all += e.Name() + "\n" + string(b)
	}
	for _, want := range []string{"func Kept", `"math"`, "func Beside"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in\n%s", want, all)
		}
	}
	for _, not := range []string{"mat.", "x/mat", "func Of", "type T", "Get", "uses", "_test"} {
		if strings.Contains(all, not) {
			t.Errorf("%s is in\n%s", not, all)
		}
	}
}
