package ils

import (
	"slices"

	"metalab/solvers"
	"metalab/solvers/record"
)

// A row declares a parameter of the search S.
type row[S any] struct {
	field any     // where the value is: a *string, *int, *float64 or *bool
	then  func(S) // what a change does to the state between two iterations; nil: nothing
	record.Param
}

// declare declares the parameters in their order.
func declare[S any](t *solvers.Params, rows []row[S]) {
	for _, r := range rows {
		switch field := r.field.(type) {
		case *string:
			t.Enum(field, r.Param)
		case *int:
			t.Int(field, r.Param)
		case *float64:
			t.Float(field, r.Param)
		case *bool:
			t.Truth(field, r.Param)
		}
	}
}

// changed does what the changes of the parameters of these names do to the state, one by one.
func changed[S any](s S, rows []row[S], names []string) {
	for _, name := range names {
		i := slices.IndexFunc(rows, func(r row[S]) bool { return r.Name == name })
		if i >= 0 && rows[i].then != nil {
			rows[i].then(s)
		}
	}
}
