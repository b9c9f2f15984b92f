package solvers

import (
	"slices"
	"sync"

	"metalab/datasets"
)

// What packages of algorithms say about variants beside what [Register] is told: it holds on
// every backend, and whether or not a backend is built in.
var about struct {
	sync.RWMutex
	forms map[string][]form // by solver and variant
}

// A form is what a variant has for a backend.
type form struct {
	backend string
	kinds   []datasets.Kind // of instances that it takes; none: all that the variant takes
}

// Offer says that variants of a solver have a form for a backend that a program may have been
// built without, as "cuda". The package that has the form registers it.
func Offer(backend, solver string, variants ...string) {
	OfferOn(backend, nil, solver, variants...)
}

// OfferOn is Offer of a form that takes instances of these kinds alone.
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

// OfferedOn reports whether there is one that takes instances of a kind.
func OfferedOn(solver, variant, backend string, kind datasets.Kind) bool {
	return slices.ContainsFunc(formsOf(solver, variant), func(f form) bool {
		return f.backend == backend && (len(f.kinds) == 0 || slices.Contains(f.kinds, kind))
	})
}

// OfferedKinds are the kinds that a variant's form for a backend takes; none: all, or there is no
// such form.
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
