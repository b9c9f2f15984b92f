package datasets

import (
	"strconv"
	"strings"
)

// Generate makes the instance with a generated name:
//
//	E1k.0, C3k.2, E1M.0    DIMACS uniform and clustered, see DIMACS
//	V1k.0, N31k.2          like the pins of a chip and the towns of a country, in the same sizes
//	rand-200-7             200 uniform cities from seed 7, see Uniform
//	tai50a                 Taillard's uniform QAP of any size, see Taillard
//	ppp-73x73-1            permuted perceptron, 73 rows x 73 columns, seed 1, see NewPPP
//	weierstrass-10         Weierstrass function in 10 dimensions, see NewWeierstrass; with all its
//	                       numbers weierstrass-10-b3-h0.5-t40, with -max for the largest coordinate
//	queen8_8, myciel5      graphs to be coloured, see Queens and Mycielski
//	gnp-125-50-1           random graph, 125 vertices, half of the edges, seed 1, see RandomGraph
//	queen8_8-k10           a graph to be coloured with 10 colours
//	G1, G81                max-cut: the graphs of the G-set, see GSet
//	gset-like-800-6-1      max-cut: a random graph like those, see LikeGSet; -pm: weights -1 and 1
//	torus-100x8            max-cut on a torus; torus-100x8-1 with weights -1 and 1, see Torus
//	glass-30x30-1          a spin glass in two dimensions, see Glass
//
// ok is false if the name has none of these forms. The error is about a name of such a form with a
// number out of range.
func Generate(name string) (inst Instance, ok bool, err error) {
	for _, f := range []func(string) (Instance, bool, error){
		dimacsByName, uniformByName, taillardByName, pppByName, weierstrassByName, graphByName,
		spinsByName,
	} {
		if inst, ok, err = f(name); ok {
			if err != nil {
				return nil, true, &nameError{clip(name), err}
			}
			return inst, true, nil
		}
	}
	return nil, false, nil
}

// nameError is what is wrong with a number in a name.
type nameError struct {
	name string
	err  error
}

func (e *nameError) Error() string {
	what := strings.TrimPrefix(e.err.Error(), "datasets: ")
	return "datasets: " + e.name + ": " + strings.TrimPrefix(what, e.name+": ")
}

func (e *nameError) Unwrap() error { return e.err }

// made turns the result of a constructor into that of a name's function. It
// keeps a nil pointer from becoming an Instance that is not nil.
func made[T Instance](v T, err error) (Instance, bool, error) {
	if err != nil {
		return nil, true, err
	}
	return v, true, nil
}

// number reads a plain decimal number without sign or leading zeros.
func number(s string) (int, bool) {
	if len(s) == 0 || len(s) > 10 || (s[0] == '0' && len(s) > 1) {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c-'0' > 9 {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}
