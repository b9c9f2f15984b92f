package eval_test

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Source that comes again, whole or in part, changed or not, in one input or several, always
// compiles.
func TestAgain(t *testing.T) {
	t.Parallel()
	pieces := [][]string{
		{"type K struct{ w []int64 }", "type K struct{ w []int64; n int }"},
		{
			"func (k *K) Cost(x []uint8) int64 { return int64(len(x)) + N }",
			"func (k *K) Cost(x []uint8) int64 { return h(x) + N }",
		},
		{
			"func (k *K) Delta(x []uint8, i int) int64 { return k.Cost(x) }",
			"func (k *K) Delta(x []uint8, i int) int64 { return 2 * k.Cost(x) }",
		},
		{"func h(x []uint8) int64 { return int64(len(x)) }", "func h(x []uint8) int64 { return 3 }"},
		{"const N = 4", "const N = 5"},
		{"// Data of k.\ntype D struct{ K; m map[string]*K }", "type D struct{ k K }"},
		{
			"func (d D) Sum() int64 { return N }",
			"// Sum counts.\nfunc (d D) Sum() (n int64) { return h(nil) }",
		},
		{"func newK() *K { return &K{} }", "func newK() *K { k := &K{}; k.w = nil; return k }"},
	}
	for seed := range uint64(6) {
		draws := rand.New(rand.NewPCG(seed, 1))
		s, _ := session(t)
		var typed []string
		try := func(src string) {
			typed = append(typed, src)
			if _, err := s.Eval(t.Context(), src); err != nil {
				t.Fatalf("seed %d: %v after\n%s", seed, err, strings.Join(typed, "\n---\n"))
			}
		}
		all := func() string {
			var b []string
			for _, p := range pieces {
				b = append(b, p[draws.IntN(4)/3])
			}
			if draws.IntN(2) == 0 {
				draws.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
			}
			return strings.Join(b, "\n")
		}
		try(all())
		for range 6 {
			switch draws.IntN(4) {
			case 0:
				try(all())
			case 1:
				try(all() + "\nvar v = newK()\nv.Cost(nil)")
			case 2:
				try("k := newK(); k.Delta([]uint8{1}, 0)")
			case 3:
				p := pieces[draws.IntN(len(pieces)-1)+1]
				try(p[draws.IntN(2)])
				if draws.IntN(2) == 0 {
					try(all())
				}
			}
		}
	}
}
