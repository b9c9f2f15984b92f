package datasets_test

import (
	"errors"
	"fmt"
	"strings"

	"metalab/datasets"
)

func ExampleLoad() {
	p, err := datasets.Load("E1k.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	best, _ := p.BestKnown()
	fmt.Println(p.Name(), p.Kind(), p.Size(), best.Value, best.Proven)
	// Output: E1k.0 tsp 1000 2.3360648e+07 false
}

func ExampleReadTSP() {
	file := `NAME: square
TYPE: TSP
DIMENSION: 4
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
1 0 0
2 0 10
3 10 10
4 10 0
EOF`
	p, err := datasets.ReadTSP(strings.NewReader(file), "square")
	if err != nil {
		fmt.Println(err)
		return
	}
	length, err := p.Length([]int32{0, 1, 2, 3})
	fmt.Println(p.Metric, length, err)
	fmt.Println("exchanging the second and third city adds", p.SwapDelta([]int32{0, 1, 2, 3}, 1, 2))
	_, err = p.Length([]int32{0, 1, 1, 3})
	fmt.Println(err)
	// Output:
	// EUC_2D 40 <nil>
	// exchanging the second and third city adds 8
	// datasets: tour of square: 1 is there twice (entries 1 and 2) and 2 is missing
}

func ExampleSyntaxError() {
	_, err := datasets.ReadQAP(strings.NewReader("2\n0 1 1 0\n0 x 3 0\n"), "mine.dat")
	var e *datasets.SyntaxError
	fmt.Println(errors.As(err, &e), e.Line)
	fmt.Println(err)
	// Output:
	// true 3
	// datasets: mine.dat:3: second matrix: expected an entry, a whole number, found “x”
}

func ExampleQAP_Delta() {
	q, err := datasets.Taillard(12)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := []int32{7, 0, 5, 1, 10, 9, 2, 4, 8, 6, 11, 3} // the optimum of QAPLIB's tai12a
	cost, err := q.Cost(p)
	fmt.Println(cost, err, q.Delta(p, 0, 1) > 0)
	// Output: 224416 <nil> true
}
