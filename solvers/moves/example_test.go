package moves_test

import (
	"context"
	"fmt"
	"log"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/moves"
	"metalab/solvers/record"
)

// Robust tabu search on a published assignment problem that needs no file.
func Example() {
	q, err := datasets.Taillard(15)
	if err != nil {
		log.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: q, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(context.Background(), 40); err != nil {
		log.Fatal(err)
	}
	best, _ := q.BestKnown()
	fmt.Println(q.Name(), r.Last().Best, "of", best.Value)
	// Output: tai15a 388214 of 388214
}

// A neighbourhood is a numbered list of moves.
func ExampleOn() {
	p, secret, err := datasets.NewPPP(73, 73, 1)
	if err != nil {
		log.Fatal(err)
	}
	w, err := moves.On(p)
	if err != nil {
		log.Fatal(err)
	}
	if err := w.Load(record.Solution{Bits: secret}); err != nil {
		log.Fatal(err)
	}
	for _, nb := range w.Neighbourhoods() {
		fmt.Println(nb.Name(), nb.Size(), nb.Move(nb.Size()-1).At)
	}
	m := w.Neighbourhoods()[1].Move(1000)
	d := w.Delta(m)
	w.Apply(m)
	fmt.Println("from the secret's 0 to", w.Cost(), "as foretold:", w.Cost() == d)
	// Output:
	// hamming1 73 [72 -1 -1]
	// hamming2 2628 [71 72 -1]
	// hamming3 62196 [70 71 72]
	// from the secret's 0 to 868 as foretold: true
}
