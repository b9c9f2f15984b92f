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

// isSolver reports whether a solver has the name itself, whatever papers call so.
func isSolver(name string) bool {
	return slices.ContainsFunc(solvers.Variants(),
		func(v solvers.Variant) bool { return v.Solver == name })
}

// byName is the algorithm that a paper calls so, where no solver has the name itself.
func byName(name string) (papers.Named, bool) {
	if isSolver(name) {
		return papers.Named{}, false
	}
	return papers.ByName(name)
}

// unname puts in the place of a paper's name in a request what it stands for, and returns a
// sentence about that. What was asked for beside the name stays, unless it contradicts it.
func unname(q *wire.OpenRequest) (sentence string, err error) {
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

// nearSolver is "; did you mean acs?" where no solver, or no variant of it, is called so, and one
// is called nearly so; else empty.
func nearSolver(solver, variant string) string {
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

// named are the names that a question about solvers is answered with: of all papers where no word
// was given, else the one that is the word, those of the author, or those of the solver.
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

// isOf reports whether somebody of this family name is an author of what a variant is made after.
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
