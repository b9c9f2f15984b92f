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

// Tabucol colours the graph of the queen's moves on a board of 9 x 9 with ten colours.
func Example_colouring() {
	g, err := datasets.Load("queen9_9")
	if err != nil {
		log.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: g, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(context.Background(), 10); err != nil {
		log.Fatal(err)
	}
	best, err := r.Best(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(best.Value, "conflicts; the first row:", best.Solution.Perm[:9])
	// Output: 0 conflicts; the first row: [1 5 9 4 6 2 8 3 0]
}

// A search on a rugged function of four real numbers. The cost that the run keeps is the
// instance's to the bit.
func Example_weierstrass() {
	w, err := datasets.NewWeierstrass(4, 2, 0.25, 100)
	if err != nil {
		log.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Solver: "tabu", Instance: w, Seed: 1,
		Params: record.Values{"neighbours": record.Num(1000), "radius": record.Num(0.25)},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(context.Background(), 30); err != nil {
		log.Fatal(err)
	}
	best, err := r.Best(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	again, err := w.Cost(best.Solution.Real)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f at %.2f, as foretold: %v\n", best.Value, best.Solution.Real, again == best.Value)
	// Output: -5.555 at [-0.42 -0.45 0.96 0.73], as foretold: true
}

// Climbing a hundred times from random assignments, as in the paper.
func Example_climbing() {
	q, err := datasets.Taillard(12)
	if err != nil {
		log.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{Solver: "hill", Instance: q, Seed: 1, Preset: "paper"})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	why, err := r.StepUntil(context.Background(), -1, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(q.Name(), r.Last().Best)
	fmt.Println(why)
	// Output:
	// tai12a 224416
	// all 100 climbs are made
}

// The neighbours of a perceptron's vector in waves by all cores: how large the waves are is
// found by the clock in the first scans, or said, and changes no result.
func Example_waves() {
	p, _, err := datasets.NewPPP(73, 73, 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, threads := range []float64{0, 4096} {
		r, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: p, Seed: 1, Params: record.Values{
			"neighbourhood": record.Text("hamming2"), "scans": record.Num(20), "wave": record.Num(threads),
			"block": record.Num(128),
		}})
		if err != nil {
			log.Fatal(err)
		}
		if err := r.Step(context.Background(), 3); err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Last().Best)
		r.Close()
	}
	// Output:
	// 10
	// 10
}
