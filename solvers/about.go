package solvers

import (
	"slices"
	"sync"
)

// What packages of algorithms say about variants beside what [Register] is told: it holds on
// every backend, and whether or not a backend is built in.
var about struct {
	sync.RWMutex
	forms map[string][]string // by solver and variant: the backends that it has a form for
}

// Offer says that variants of a solver have a form for a backend that a program may have been
// built without, as "cuda". The package that has the form registers it.
func Offer(backend, solver string, variants ...string) {
	about.Lock()
	defer about.Unlock()
	if about.forms == nil {
		about.forms = map[string][]string{}
	}
	for _, v := range variants {
		key := solver + "/" + v
		about.forms[key] = append(about.forms[key], backend)
	}
}

// Offered reports whether a variant has a form for a backend, here or in another build.
func Offered(solver, variant, backend string) bool {
	about.RLock()
	defer about.RUnlock()
	return slices.Contains(about.forms[solver+"/"+variant], backend)
}
