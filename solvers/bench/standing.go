package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Standing is how the kept figures of a table stand beside the published ones. Searches that are
// the same on two backends count once, and so does a mean over instances, as one row.
type Standing struct {
	Table    Table
	Rows     int // that can be measured
	Measured int // of them
	Stale    int // measured by an earlier version of the algorithm: their verdicts do not count
	Least    int // the fewest seeds of a measured row
	Most     int // and the most

	// Results are the published ones that a verdict can be had on, of which Judged have a figure of
	// five seeds and more beside them, on whichever machine; Open names the others.
	Results, Judged int
	Open            []string

	// Counts counts the verdicts by word. Silent counts figures without a verdict, such as times.
	// Could counts those that show no difference and could well have, see Verdict.Could, among all
	// intervals and counts that show none.
	Counts           map[string]int
	Silent           int
	Could, NoneShown int
	// By holds the least and the greatest difference of rows that are better or worse, by unit: the
	// ends of their intervals that are nearer to the published figure.
	By []Difference

	Machines []string
	Dates    []string // the first and the last, or the only one

	Not []string // why rows are not measured, each reason once
}

// A Difference is a range of differences in one unit.
type Difference struct {
	Unit      string
	Low, High float64
}

// NotShown counts the verdicts that show neither that a figure agrees nor that it differs.
func (s *Standing) NotShown() int { return s.Counts[NotShown] + s.Counts[NoDifference] }

// Standing is that of the kept figures of a table.
func (t Table) Standing() (Standing, error) {
	s := Standing{Table: t, Counts: map[string]int{}}
	out, err := Recall(t, "")
	if err != nil {
		return s, err
	}
	names, judged := t.judged(out)
	s.Results = len(names)
	for i, is := range judged {
		if is {
			s.Judged++
		} else {
			s.Open = append(s.Open, names[i])
		}
	}
	kept := MeasuredOf(t.Name)
	staleGroups := map[string]bool{}
	for i := range out {
		o := &out[i]
		if !o.Row.runs() {
			if o.Row.Not != "" {
				add(&s.Not, o.Row.Not)
			}
			if o.Row.derived() {
				s.count(o.Verdict)
			}
			continue
		}
		s.Rows++
		n := len(o.Values)
		if n == 0 {
			continue
		}
		if s.Measured++; s.Measured == 1 {
			s.Least = n
		}
		s.Least, s.Most = min(s.Least, n), max(s.Most, n)
		if o.Made > 0 {
			made := kept.Made[o.Made-1]
			add(&s.Machines, made.Machine)
			add(&s.Dates, made.Date)
		}
		switch {
		case o.stale():
			s.Stale++
			staleGroups[o.Row.Group] = true
		case o.Verdict.Word != "":
			s.count(o.Verdict)
		case o.Row.Group == "":
			s.Silent++
		}
	}
	for _, m := range Means(t, out) {
		if !staleGroups[m.Group] {
			s.count(m.Verdict)
		}
	}
	slices.Sort(s.Dates)
	if len(s.Dates) > 2 {
		s.Dates = []string{s.Dates[0], s.Dates[len(s.Dates)-1]}
	}
	return s, nil
}

// count adds a verdict.
func (s *Standing) count(v Verdict) {
	if v.Word == "" || v.Twin {
		return
	}
	s.Counts[v.Word]++
	if v.Word != Better && v.Word != Worse {
		if v.Unit != "" || v.Counts {
			switch v.Word {
			case Agrees, NoDifference, NotShown:
				s.NoneShown++
				if v.Could {
					s.Could++
				}
			}
		}
		return
	}
	if v.Counts {
		return
	}
	d := min(math.Abs(v.Low), math.Abs(v.High))
	at := slices.IndexFunc(s.By, func(b Difference) bool { return b.Unit == v.Unit })
	if at < 0 {
		s.By = append(s.By, Difference{v.Unit, d, d})
		return
	}
	s.By[at].Low, s.By[at].High = min(s.By[at].Low, d), max(s.By[at].High, d)
}

// add appends a value that a list does not have.
func add(list *[]string, v string) {
	if !slices.Contains(*list, v) {
		*list = append(*list, v)
	}
}

// String is the difference in words, as "0.31 to 2.10 points".
func (d Difference) String() string {
	if math.IsInf(d.Low, 0) {
		return "not reached"
	}
	by := short(d.Low)
	if d.High != d.Low {
		by += " to " + short(d.High)
	}
	if math.IsInf(d.High, 0) {
		by = short(d.Low) + ", not reached"
	}
	return strings.TrimSpace(by + " " + d.Unit)
}

// Verdicts counts the verdicts on the stored figures of a table, such as "3 agree, 1 better"; "" if
// there are none.
func Verdicts(t Table) string {
	if t.Margin == (Margin{}) || len(MeasuredOf(t.Name).Rows) == 0 {
		return ""
	}
	s, err := t.Standing()
	if err != nil {
		return ""
	}
	var parts []string
	for _, v := range []struct{ is, words string }{
		{Agrees, "agree"},
		{Better, "better"},
		{Worse, "worse"},
		{Within, "differ within the margin"},
		{OnEnd, "differ on an end of the margin"},
		{Differs, "differ by a test"},
		{NoDifference, "with no difference found"},
		{NotShown, "not shown"},
		{Apart, "not comparable"},
	} {
		if n := s.Counts[v.is]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v.words))
		}
	}
	if s.Stale > 0 {
		parts = append(parts, fmt.Sprintf("%d of an earlier version", s.Stale))
	}
	return strings.Join(parts, ", ")
}

// Standings are those of the tables of all papers, in their order.
func Standings() ([]Standing, error) {
	var list []Standing
	for _, t := range Tables() {
		if t.Paper == "" {
			continue
		}
		s, err := t.Standing()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cmp.Or(t.Name, t.Title), err)
		}
		list = append(list, s)
	}
	return list, nil
}
