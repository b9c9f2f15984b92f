package solvers

import (
	"slices"
	"sync"

	"metalab/datasets"
)

// about holds what packages of algorithms add about variants to what [Register] knows. It holds on
// every backend, built in or not.
var about struct {
	sync.RWMutex
	forms map[string][]form // by solver and variant
}

// A form is a variant's support for a backend.
type form struct {
	backend string
	kinds   []datasets.Kind // of instances that it takes; none: all that the variant takes
}

// Offer states that variants of a solver have a form for a backend that a build may lack, such as
// "cuda". The package with that form registers it.
func Offer(backend, solver string, variants ...string) {
	OfferOn(backend, nil, solver, variants...)
}

// OfferOn is like Offer, for a form that accepts only instances of the given kinds.
func OfferOn(backend string, kinds []datasets.Kind, solver string, variants ...string) {
	about.Lock()
	defer about.Unlock()
	if about.forms == nil {
		about.forms = map[string][]form{}
	}
	for _, v := range variants {
		key := solver + "/" + v
		about.forms[key] = append(about.forms[key], form{backend, kinds})
	}
}

// Offered reports whether a variant has a form for a backend, here or in another build.
func Offered(solver, variant, backend string) bool {
	return slices.ContainsFunc(formsOf(solver, variant), func(f form) bool {
		return f.backend == backend
	})
}

// OfferedOn reports whether a variant has a form for a backend that accepts instances of a kind.
func OfferedOn(solver, variant, backend string, kind datasets.Kind) bool {
	return slices.ContainsFunc(formsOf(solver, variant), func(f form) bool {
		return f.backend == backend && (len(f.kinds) == 0 || slices.Contains(f.kinds, kind))
	})
}

// OfferedKinds returns the kinds of instances that a variant's form for a backend accepts. It
// returns none where the form accepts all kinds, or where no such form exists.
func OfferedKinds(solver, variant, backend string) (kinds []datasets.Kind) {
	for _, f := range formsOf(solver, variant) {
		if f.backend == backend {
			kinds = append(kinds, f.kinds...)
		}
	}
	return kinds
}

func formsOf(solver, variant string) []form {
	about.RLock()
	defer about.RUnlock()
	return about.forms[solver+"/"+variant]
}
