package solvers

import (
	"fmt"
	"slices"
	"sync"
)

// What packages of algorithms say about variants beside what [Register] is told: it holds on
// every backend, and whether or not a backend is built in.
var about struct {
	sync.RWMutex
	presets map[string]string   // by solver, variant and preset; the variant is empty for all others
	forms   map[string][]string // by solver and variant: the backends that it has a form for
}

// DescribePreset says in a sentence what a preset of a solver is for: of these variants, or
// of all that are not described by themselves. It panics when that was said before.
//
// Package ants alone uses it still; others say it in Variant.Presets.
func DescribePreset(solver, preset, doc string, variants ...string) {
	if len(variants) == 0 {
		variants = []string{""}
	}
	about.Lock()
	defer about.Unlock()
	if about.presets == nil {
		about.presets = map[string]string{}
	}
	for _, v := range variants {
		key := solver + "/" + v + "/" + preset
		if about.presets[key] != "" {
			panic(fmt.Sprintf("solvers: preset %s of %s/%s is described twice", preset, solver, v))
		}
		about.presets[key] = doc
	}
}

// described is what DescribePreset said about a preset of a variant.
func described(solver, variant, preset string) string {
	about.RLock()
	defer about.RUnlock()
	if doc := about.presets[solver+"/"+variant+"/"+preset]; doc != "" {
		return doc
	}
	return about.presets[solver+"//"+preset]
}

// Named returns presets of which the table says the names alone: the algorithm is a Presetter,
// and DescribePreset says what they are for.
//
// Package ants alone uses it still; others say all in Variant.Presets.
func Named(names ...string) []Preset {
	out := make([]Preset, len(names))
	for i, n := range names {
		out[i].Name = n
	}
	return out
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
