package moves

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// FormOf returns the form of an instance's solutions. Bits are 0 and 1, but those of a permuted
// perceptron are -1 and 1.
func FormOf(inst datasets.Instance) (record.Form, error) {
	n := inst.Size()
	switch inst := inst.(type) {
	case *own.Problem:
		return inst.Form(), nil
	case *datasets.QAP, *datasets.TSP:
		return record.Form{Kind: record.FormPermutation, N: n}, nil
	case *datasets.PPP, *datasets.Cut:
		return record.Form{Kind: record.FormBits, N: n}, nil
	case *datasets.Colouring:
		return record.Form{Kind: record.FormValues, N: n, K: inst.K}, nil
	case *datasets.Weierstrass:
		return record.Form{Kind: record.FormReals, N: n, Low: -1, High: 1}, nil
	}
	return record.Form{}, fmt.Errorf("moves: solutions of an instance of %T have no form here", inst)
}
