// Package papers holds what the papers say of parameters: for each preset that carries a paper's
// name every parameter with its value and the place where that stands. A test compares the presets
// of all variants with it, and fails where a parameter is in neither list.
//
// [Names] are the names that papers have for algorithms, and what they stand for: open, solvers and
// help take them. A test fails when one of them names what there is not.
//
// # How to add a paper
//
// Write a file with a [Paper], name it in [All], import the package of its variants in the test,
// and take its solver off the test's list of those that are elsewhere. A preset needs a [Setting]
// for each parameter that the paper states, and a sentence in Open for each one that it does not:
// why the preset has what it has. Parameters of class schedule change no result and are left out.
// What the paper calls its algorithms is a line each of [Names].
package papers

import (
	"metalab/datasets"
	"metalab/solvers/record"
)

// A Setting is what a paper says of a parameter.
type Setting struct {
	Param string
	Value func(n int) record.Value // on an instance of n cities, or of that size
	Where string                   // the section, figure or table
}

// A Preset is one that has a paper's parameters.
type Preset struct {
	Variants []string      // as "acs/alt"
	Name     string        // of the preset
	Kind     datasets.Kind // of the instances that it is about; empty: tours
	Settings []Setting
	// by parameter that the paper does not state: what it is here and why
	Open       map[string]string
	Iterations string // how many the paper made, and where that stands
}

// A Paper is a publication whose text the table was made from.
type Paper struct {
	Name    string // authors and year
	Title   string
	DOI     string
	Presets []Preset
}

// All are the papers.
var All = []Paper{
	antColonySystem, maxMinAntSystem, geneticApproach, localSearchOperators, localSearchOnGPUs,
}

// The values that do not depend on the size.
func number(x float64) func(int) record.Value {
	return func(int) record.Value { return record.Num(x) }
}

func word(s string) func(int) record.Value {
	return func(int) record.Value { return record.Text(s) }
}

func truth(b bool) func(int) record.Value {
	return func(int) record.Value { return record.Bool(b) }
}

// asMany is a value as great as the size.
func asMany(n int) record.Value { return record.Num(float64(n)) }
