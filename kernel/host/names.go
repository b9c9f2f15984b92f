package host

import (
	"fmt"
	"slices"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/solvers"
	"metalab/solvers/papers"
	"metalab/solvers/record"
)

// isSolver reports whether a solver has this name, even if a paper uses it too.
func isSolver(name string) bool {
	return slices.ContainsFunc(solvers.Variants(),
		func(v solvers.Variant) bool { return v.Solver == name })
}

// byName returns the algorithm to which a paper gives this name, unless a solver has the name.
func byName(name string) (papers.Named, bool) {
	if isSolver(name) {
		return papers.Named{}, false
	}
	return papers.ByName(name)
}

// Unname replaces a paper's name in a request by the solver, variant and preset that it stands for,
// and returns a sentence about that. Other parts of the request stay, unless they contradict the
// name.
func Unname(q *wire.OpenRequest) (sentence string, err error) {
	n, ok := byName(q.Solver)
	if !ok {
		if of := papers.ByAuthor(q.Solver); len(of) > 0 && !isSolver(q.Solver) {
			return "", wrong(fmt.Sprintf("open: %s is an author of %s: name one of these", q.Solver,
				inText(of)))
		}
		return "", nil
	}
	against := func(what string) error {
		return wrong(fmt.Sprintf("open: %s is %s, against %s; open %s/%s for that", n.Name,
			n.Text(), what,
			n.Solver, n.Variant))
	}
	if q.Variant != "" && q.Variant != n.Variant {
		return "", against("variant=" + q.Variant)
	}
	params := record.Values{}
	for name, v := range q.Params {
		params[name] = v
	}
	for name, v := range n.Params {
		if given, ok := q.Params[name]; ok && given != v {
			return "", against(name + "=" + given.String())
		}
		params[name] = v
	}
	q.Solver, q.Variant, q.Preset = n.Solver, n.Variant, or(q.Preset, n.Preset)
	if len(params) > 0 {
		q.Params = params
	}
	n.Preset = q.Preset
	return fmt.Sprintf("%s (%s): %s", n.Doc, n.Paper, n.Text()), nil
}

// inText are names in a sentence.
func inText(of []papers.Named) string {
	names := make([]string, len(of))
	for i, n := range of {
		names[i] = n.Name
	}
	return strings.Join(names, ", ")
}

// NearSolver returns "; did you mean acs?" if no solver, or no variant of it, has this name but one
// has a similar name; else it is empty.
func NearSolver(solver, variant string) string {
	var known []string
	for _, v := range solvers.Variants() {
		switch {
		case v.Solver != solver:
			known = append(known, v.Solver)
		case variant == v.Name:
			return ""
		}
	}
	if isSolver(solver) {
		known = nil
		for _, v := range solvers.Variants() {
			if v.Solver == solver {
				known = append(known, v.Name)
			}
		}
		solver = variant
	} else {
		for _, n := range papers.Names {
			known = append(known, n.Name)
		}
		known = append(known, papers.Authors()...)
	}
	if near := words.Near(solver, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// named returns the papers' names for an answer about solvers: all for an empty word; else the name
// that equals the word, those of the author, or those of the solver.
func named(word string) (names []papers.Named, author bool) {
	if word == "" {
		return papers.Names, false
	}
	if n, ok := byName(word); ok {
		return []papers.Named{n}, false
	}
	solver, variant, _ := strings.Cut(word, "/")
	if !isSolver(solver) {
		return papers.ByAuthor(word), slices.ContainsFunc(solvers.Variants(),
			func(v solvers.Variant) bool { return isOf(v, word) })
	}
	for _, n := range papers.Names {
		if n.Solver == solver && (variant == "" || n.Variant == variant) {
			names = append(names, n)
		}
	}
	return names, false
}

// isOf reports whether an author of the variant's source has this family name.
func isOf(v solvers.Variant, author string) bool {
	return strings.Contains(strings.ToLower(v.Source), ". "+strings.ToLower(author)+",")
}

// wireNames are names as replies have them.
func wireNames(of []papers.Named) []reply.SolverName {
	out := make([]reply.SolverName, len(of))
	for i, n := range of {
		out[i] = reply.SolverName{
			Name: n.Name, Solver: n.Solver, Variant: n.Variant, Preset: n.Preset, Params: n.Params,
			Text: n.Text(), Paper: n.Paper, Authors: n.Authors(), Doc: n.Doc,
		}
	}
	return out
}
