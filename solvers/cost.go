package solvers

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers/record"
)

// Cost returns the value of a solution by the instance's own cost function, independent of the
// algorithm that claims it.
func Cost(inst datasets.Instance, s record.Solution) (float64, error) {
	if absent(inst) {
		return 0, fmt.Errorf("solvers: cost: %w", errNoInstance)
	}
	switch inst := inst.(type) {
	case interface {
		CostOf(s record.Solution) (float64, error)
	}:
		return inst.CostOf(s)
	case interface {
		Length(tour []int32) (int64, error)
	}:
		v, err := inst.Length(s.Perm)
		return float64(v), err
	case interface {
		Cost(p []int32) (int64, error)
	}:
		v, err := inst.Cost(s.Perm)
		return float64(v), err
	case interface {
		Cost(v []int8) (int64, error)
	}:
		v, err := inst.Cost(s.Bits)
		return float64(v), err
	case interface {
		Cost(x []float64) (float64, error)
	}:
		return inst.Cost(s.Real)
	}
	return 0, fmt.Errorf("solvers: an instance of type %T has no cost function", inst)
}

// SenseOf returns which values of an instance's objective are better: smaller ones, but of cuts,
// and where a user's problem says otherwise.
func SenseOf(inst datasets.Instance) record.Sense {
	switch inst := inst.(type) {
	case interface{ Form() record.Form }:
		return inst.Form().Sense()
	case interface{ Maximises() bool }:
		return record.Sense(inst.Maximises())
	}
	return record.Minimise
}
