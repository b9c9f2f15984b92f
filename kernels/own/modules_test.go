package own_test

import (
	"testing"

	"metalab/kernels/own"
	"metalab/solvers/moves"
)

// BenchmarkOpen opens problems whose kernels were not compiled yet, and those whose were.
func BenchmarkOpen(b *testing.B) {
	for _, c := range trials() {
		for _, again := range []bool{false, true} {
			name := c.name + "/first"
			if again {
				name = c.name + "/again"
			}
			b.Run(name, func(b *testing.B) {
				machine(b)
				p := c.problem(b)
				for b.Loop() {
					if !again {
						own.Forget()
					}
					e, err := own.NewEngine(own.Interpreter(4000))(&moves.Problem{Instance: p})
					if err != nil {
						b.Fatal(err)
					}
					e.Close()
				}
			})
		}
	}
}
