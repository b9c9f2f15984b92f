package eval_test

import (
	"context"
	"fmt"

	"metalab/kernel/eval"
	_ "metalab/kernel/eval/internal/testbind"
)

func Example() {
	s, err := eval.New(eval.Config{Packages: []string{"metalab/kernel/eval/internal/testlab"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, src := range []string{
		`a := testlab.Open("a", "acs", testlab.Load("x"), testlab.Seed(42))`,
		`a.Step(100)`,
		`func gap(p testlab.Point, best float64) float64 { return p.Best/best - 1 }`,
		`gap(a.Step(25), 4)`,
		`a.Stpe(1)`,
	} {
		values, err := s.Eval(context.Background(), src)
		if err != nil {
			fmt.Println("error:", err)
		}
		for _, v := range values {
			fmt.Println(v)
		}
	}
	for _, c := range s.Complete("a.St", 4) {
		fmt.Println(c.Text, c.About)
	}
	// Output:
	// it 100 best 10.000
	// 1
	// error: 1:3: a.Stpe undefined (type *testlab.Run has no field or method Stpe)
	// Step func(n int) Point — Step makes n iterations and returns the last row.
}
