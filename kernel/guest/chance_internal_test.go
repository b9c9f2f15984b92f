package guest

import (
	"strings"
	"testing"
)

func solverWith(imports, decls, step string) string {
	return "package main\n\nimport (\n\t\"metalab/kernel/lab\"\n" + imports + ")\n\n" + decls + `
type Walk struct {
	near  map[int]int
	tour  []int
	total float64
}

func (w *Walk) Step(it int64, r *lab.Rand) (float64, error) {
` + step + `
	return w.total, nil
}

func main() { lab.Declare("walk", func() lab.Solver { return &Walk{} }) }
`
}

// What makes runs that cannot be made again is found in the source, and nothing else is.
func TestChance(t *testing.T) {
	t.Parallel()
	const old, v2 = "\t\"math/rand\"\n", "\t\"math/rand/v2\"\n"
	for name, c := range map[string]struct {
		imports, decls, step string
		refused, note        string
	}{
		"its own random numbers": {step: "\tw.total = r.Float64() + float64(r.IntN(3))"},
		"math/rand": {
			imports: old, step: "\tw.total = rand.Float64()",
			refused: "(*Walk).Step uses rand.Float64 of math/rand,",
		},
		"math/rand/v2": {
			imports: v2, step: "\tw.total = float64(rand.IntN(3))",
			refused: "rand.IntN of math/rand/v2,",
		},
		"under another name": {
			imports: "\tmr \"math/rand\"\n", step: "\tw.total = mr.Float64()",
			refused: "uses mr.Float64 of math/rand,",
		},
		"in a function that is used": {
			imports: old, decls: "func draw() float64 { return rand.Float64() }\n",
			step: "\tw.total = draw()", refused: "draw uses rand.Float64",
		},
		"as a value": {
			imports: old, step: "\tf := rand.Intn\n\tw.total = float64(f(3))",
			refused: "rand.Intn",
		},
		"a generator outside": {
			imports: old, decls: "var rng = rand.New(rand.NewSource(1))\n",
			step: "\tw.total = rng.Float64()", refused: "outside of the solver is made by rand.New",
		},
		"a generator of its own draws": {
			imports: old,
			step:    "\tg := rand.New(rand.NewSource(int64(r.Uint32())))\n\tw.total = g.Float64()",
		},
		"a variable called rand": {imports: old, step: "\trand := r\n\tw.total = rand.Float64()"},
		"crypto/rand": {
			imports: "\t\"crypto/rand\"\n", step: "\trand.Read(nil)",
			refused: "of crypto/rand",
		},
		"a clock": {
			imports: "\t\"time\"\n",
			step:    "\tw.total = float64(time.Now().Unix())",
			note:    "uses time.Now: what depends on a clock",
		},
		"a duration": {imports: "\t\"time\"\n", step: "\tw.total = time.Second.Seconds()"},
		"a map": {
			step: "\tfor k := range w.near {\n\t\tw.total += float64(k)\n\t}",
			note: "ranges over a map, w.near,",
		},
		"a slice":    {step: "\tfor k := range w.tour {\n\t\tw.total += float64(k)\n\t}"},
		"goroutines": {step: "\tgo func() {}()", note: "starts goroutines"},
		"a variable outside": {
			decls: "var count int\n", step: "\tcount++",
			note: "changes count, a variable outside",
		},
		"a constant table outside": {decls: "var table = []float64{1}\n", step: "\tw.total = table[0]"},
		"maphash": {
			imports: "\t\"hash/maphash\"\n", step: "\tmaphash.MakeSeed()",
			note: "hash/fnv",
		},
	} {
		refused, notes := chance(solverWith(c.imports, c.decls, c.step))
		all := strings.Join(notes, "\n")
		if (refused != "") != (c.refused != "") || !strings.Contains(refused, c.refused) {
			t.Errorf("%s: refused with %q, want %q", name, refused, c.refused)
		}
		if (all != "") != (c.note != "") || !strings.Contains(all, c.note) {
			t.Errorf("%s: noted %q, want %q", name, all, c.note)
		}
	}
}
