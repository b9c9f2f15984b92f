package exchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metalab/datasets"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

const (
	// prefix stands before the name of a parameter that is that of a fixed column.
	prefix = "param_"

	// noneOwn says that a problem of somebody's own has no parameter.
	noneOwn = "none"

	minimise, maximise = "minimise", "maximise"

	ownKind = string(datasets.KindOwn)
)

// isFixed reports whether a column is none of a parameter.
func isFixed(name string) bool {
	return slices.Contains(columns, name) || slices.Contains(about, name)
}

// senseWord is the word for a sense.
func senseWord(max bool) string {
	if max {
		return maximise
	}
	return minimise
}

// senseOf reads a word for a sense; nil: it is none.
func senseOf(word string) *record.Sense {
	s := record.Minimise
	switch strings.ToLower(word) {
	case minimise, "minimize", "min":
	case maximise, "maximize", "max":
		s = record.Maximise
	default:
		return nil
	}
	return &s
}

// aboutOf is what a file says of the instance of a unit, beside its sense.
func aboutOf(u *experiment.Unit) (kind, sum, own string) {
	sum = u.Instance.SHA256
	if strings.HasPrefix(sum, byName) {
		sum = ""
	}
	return u.Instance.Kind, sum, ownText(u)
}

// ownText are the parameters of a unit that are its problem's own, with their values; empty: it is
// not known which are.
func ownText(u *experiment.Unit) string {
	if u.Instance.Own == nil {
		return ""
	}
	var out []string
	for _, n := range u.Instance.Own {
		if v, ok := u.Params[n]; ok {
			out = append(out, n+"="+v.String())
		} else {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return noneOwn
	}
	return strings.Join(out, " ")
}

// ownOf reads what ownText writes.
func ownOf(text string) (names []string, values record.Values) {
	values = record.Values{}
	switch text = strings.TrimSpace(text); text {
	case "":
		return nil, values
	case noneOwn:
		return []string{}, values
	}
	for w := range strings.FieldsSeq(text) {
		n, v, given := strings.Cut(w, "=")
		names = append(names, n)
		if given {
			values[n] = record.Parse(v)
		}
	}
	return names, values
}

// ours is where a CSV file that this package wrote has what other files have not.
type ours struct {
	at     map[string]int // fixed columns
	varied map[string]int // parameters
}

// oursOf finds the columns of a file that CSV wrote, also of before it wrote what the instance is;
// nil: it is of another program.
func oursOf(names []string, m Mapping) *ours {
	o := &ours{at: map[string]int{}, varied: map[string]int{}}
	var others []string // columns of other names for fields
	for _, c := range m.Columns {
		others = append(others, c)
	}
	for i, n := range names {
		n = strings.TrimSpace(n)
		if isFixed(n) {
			o.at[n] = i
			continue
		}
		if rest, ok := strings.CutPrefix(n, prefix); ok && isFixed(rest) {
			n = rest
		}
		if n != "" && !slices.Contains(others, n) {
			o.varied[uncell(n)] = i
		}
	}
	had := func(n string) bool { _, ok := o.at[n]; return ok }
	all := func(of []string) bool {
		return !slices.ContainsFunc(of, func(n string) bool { return !had(n) })
	}
	if !all(columns) {
		return nil
	}
	if !all(about) { // an older file: a parameter may have the name of a later column
		for _, n := range about {
			if i, ok := o.at[n]; ok {
				o.varied[n] = i
				delete(o.at, n)
			}
		}
	}
	return o
}

// fill reads what a line of such a file says of a run beside its fields.
func (o *ours) fill(f *Foreign, c *csvReader, row []string) error {
	if o == nil {
		return nil
	}
	text := func(column string) string {
		if i, ok := o.at[column]; ok {
			return uncell(strings.TrimSpace(row[i]))
		}
		return ""
	}
	wrong := func(column, want string) error {
		line, at := c.in.FieldPos(o.at[column])
		return &ReadError{
			c.file, line, at, fmt.Errorf("%s is %s, want %s", column, clipped(text(column)), want),
		}
	}
	f.Left = text("state") != string(experiment.Done) && text("state") != string(experiment.Failed)
	f.Number, _ = strconv.Atoi(text("unit"))
	f.Own, f.Params = ownOf(text("own"))
	f.Varied = record.Values{}
	for n, i := range o.varied {
		if s := uncell(strings.TrimSpace(row[i])); s != "" {
			f.Varied[n] = record.Parse(s)
			f.Params[n] = f.Varied[n]
		}
	}
	budget, ok := budgetOf(text("budget"))
	if !ok {
		return wrong("budget", `one as "100 iterations or 2.5 CPU s"`)
	}
	f.Budget = &budget
	f.Result.Why, f.Result.Device = text("why"), text("device")
	if _, told := o.at["kind"]; !told || f.Sense == nil {
		return nil
	}
	f.Data = &record.InstanceRef{
		Name: f.Instance, Kind: text("kind"), SHA256: text("sha256"), Maximise: bool(*f.Sense),
		Own: f.Own,
	}
	if s := text("size"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return wrong("size", "a whole number of at least 0")
		}
		f.Data.Size = n
	}
	if finite(f.Optimum) {
		best := f.Sense.Cost(f.Optimum)
		f.Data.Best = &best
	}
	return nil
}

// budgetOf reads what Budget.String writes.
func budgetOf(text string) (b record.Budget, ok bool) {
	rest, until, conditional := strings.Cut(" or "+text, " or until ")
	b.Until = until
	if conditional && until == "" {
		return b, false
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(rest, " or "), " or ") {
		if part == "" {
			continue
		}
		number, unit, _ := strings.Cut(part, " ")
		v, err := strconv.ParseFloat(number, 64)
		if err != nil || !finite(v) || v <= 0 {
			return b, false
		}
		switch unit {
		case "iteration", "iterations":
			b.Iterations, err = strconv.ParseInt(number, 10, 64)
		case "evaluations":
			b.Evaluations, err = strconv.ParseInt(number, 10, 64)
		case "s":
			b.Wall = v
		case "CPU s":
			b.CPU = v
		default:
			return b, false
		}
		if err != nil {
			return b, false
		}
	}
	return b, true
}
