package solvers

import (
	"fmt"
	"slices"

	"metalab/solvers/record"
)

// lacking lists what this program's runs record and an old record may not hold.
type lacking struct {
	since  int64 // up to here the record need not have points
	points int
	evals  bool

	atLeast bool // there may be more points than were seen to be lacking
}

// see takes note of an iteration of the run; has says whether the record holds its point.
func (l *lacking) see(p *record.Point, has, counted bool) {
	if l == nil {
		return
	}
	if !has && p.Iter > l.since && (p.Improved || Kept(p.Iter)) {
		l.points++
	}
	l.evals = l.evals || !counted && p.Evals > 0
}

// Lacks names what a run of this program records and rec does not hold, as far as that shows
// without running its iterations again. Points of new bests between the points of the schedule may
// be missing too. r is the run opened from rec.
func (r *Run) Lacks(rec *record.Record) []string {
	l := &lacking{evals: r.Last().Evals > 0 && rec.End > 0 && !counted(rec), atLeast: true}
	has := rec.Points
	for i := nextKept(0); i <= rec.End && i > 0; i = nextKept(i) {
		for len(has) > 0 && has[0].Iter < i {
			has = has[1:]
		}
		if len(has) == 0 || has[0].Iter != i {
			l.points++
		}
	}
	return l.words(rec)
}

// words names what the record lacks.
func (l *lacking) words(rec *record.Record) (out []string) {
	if l.points > 0 {
		all := fmt.Sprint(l.points + len(rec.Points))
		if l.atLeast {
			all = "at least " + all
		}
		out = append(out, fmt.Sprintf("%d of its %s points", l.points, all))
	}
	if l.evals {
		out = append(out, "the evaluations")
	}
	sets, old := 0, 0
	for _, c := range rec.Journal {
		if c.Kind == record.KindSet && c.Name != DevicesName {
			if sets++; c.Old.IsZero() {
				old++
			}
		}
	}
	if old > 0 {
		out = append(out, fmt.Sprintf("what %d of its %d changes replaced", old, sets))
	}
	return out
}

// onlySeeds are the seeds of a's repeats that b has not under the same setting.
func onlySeeds(a, b *record.Record) (out []uint64) {
	for i := range a.Repeats {
		x := &a.Repeats[i]
		for _, p := range x.Seeds {
			if !slices.ContainsFunc(b.Repeats, func(y record.Series) bool {
				return x.Same(&y) && y.Has(p.Seed) != nil
			}) {
				out = append(out, p.Seed)
			}
		}
	}
	return out
}
