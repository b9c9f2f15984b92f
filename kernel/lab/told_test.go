package lab_test

import (
	"io"
	"os"
	"strings"
	"testing"

	"metalab/kernel/lab"
)

const fixedSquare = `NAME: square
TYPE: TSP
DIMENSION: 4
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
1 0 0
2 10 0
3 10 10
4 0 10
FIXED_EDGES_SECTION
1 3
-1
EOF
`

// What there is to know of an instance is told once: by Load, and by Open only where it was not.
func TestNotesAreToldOnce(t *testing.T) {
	session(t)
	if err := os.WriteFile("square.tsp", []byte(fixedSquare), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, f := range []func(){
		func() { lab.Open("a", "ils", lab.Load("square.tsp")) },
		func() { lab.Open("b", "ils", "square.tsp") },
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		old := os.Stdout
		os.Stdout = w
		func() {
			defer func() { os.Stdout = old; w.Close() }()
			f()
		}()
		said, err := io.ReadAll(r)
		if n := strings.Count(string(said), "fixed edge"); err != nil || n != 1 {
			t.Errorf("way %d: the fixed edge is told %d times (%v):\n%s", i, n, err, said)
		}
		r.Close()
	}
}
