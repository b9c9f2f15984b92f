package bench

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"metalab/solvers"
	"metalab/solvers/bench/revision"
)

// Measured is what was measured of a table: a file of the folder measured.
type Measured struct {
	Table string
	Made  []Made
	Rows  []Kept
}

// Made says where and how figures were measured.
type Made struct {
	Date    string // as "2026-11-22"
	Machine string
	Go      string // the version that built the program
	Command string
}

var gpuName = regexp.MustCompile(`(?:^|; GPU )(?:(?:one|two|three|four|eight|\d+) )?(?:NVIDIA )?` +
	`([A-Z]+\d+)`)

// GPU is the GPU that the machine's name begins with, or names after a processor, as "H100"; empty
// where it names none.
func (m Made) GPU() string {
	if g := gpuName.FindStringSubmatch(m.Machine); g != nil {
		return g[1]
	}
	return ""
}

// Kept is a row of a table that was measured.
type Kept struct {
	Made     int // 1 + index in Measured.Made
	What     string
	Instance string
	Settings string // see Row.Settings: a row that has others now has no kept figures
	Revision int    // of the variant's algorithm
	Seeds    []int
	Values   []float64 // by seed; +Inf: the aim was not reached
}

//go:embed measured
var measuredFiles embed.FS

var measured = sync.OnceValue(func() map[string]Measured {
	out := map[string]Measured{}
	list, err := measuredFiles.ReadDir("measured")
	if err != nil {
		panic(err) // it is embedded
	}
	for _, f := range list {
		if path.Ext(f.Name()) != ".txt" {
			continue // the page
		}
		text, err := measuredFiles.ReadFile("measured/" + f.Name())
		if err != nil {
			panic(err)
		}
		m, err := ParseMeasured(f.Name(), string(text))
		if err != nil {
			panic(err) // the files are embedded, and a test has read them
		}
		out[m.Table] = m
	}
	return out
})

// recalled are the kept figures of all tables: their own, and those of rows that measure the same
// as one of another table of the paper. So what was measured for a table that was published for one
// chip stands beside that of another chip as well.
var recalled = sync.OnceValue(func() map[string]Measured {
	out := maps.Clone(measured())
	for _, p := range Papers() {
		tables := TablesOf(p.Name)
		type source struct {
			row  Kept
			made Made
		}
		have := map[string]source{}
		same := func(instance, settings string) string { return instance + " | " + settings }
		for _, t := range tables {
			m := measured()[t.Name]
			for _, k := range m.Rows {
				at := same(k.Instance, k.Settings)
				if old, ok := have[at]; !ok || len(k.Seeds) > len(old.row.Seeds) {
					have[at] = source{k, m.Made[k.Made-1]}
				}
			}
		}
		for _, t := range tables {
			m := measured()[t.Name]
			m.Table, m.Rows, m.Made = t.Name, slices.Clone(m.Rows), slices.Clone(m.Made)
			for i := range t.Rows {
				r := &t.Rows[i]
				if !r.runs() || slices.ContainsFunc(m.Rows, func(k Kept) bool { return k.matches(r) }) {
					continue
				}
				s, ok := have[same(r.Instance, r.Settings())]
				if !ok {
					continue
				}
				if s.row.Made = slices.Index(m.Made, s.made) + 1; s.row.Made == 0 {
					m.Made = append(m.Made, s.made)
					s.row.Made = len(m.Made)
				}
				s.row.What = r.What
				m.Rows = append(m.Rows, s.row)
			}
			if len(m.Rows) > 0 {
				out[t.Name] = m
			}
		}
	}
	return out
})

// MeasuredOf returns the kept figures of a table, and those that other tables of the paper have of
// the same settings; none if there are none.
func MeasuredOf(table string) Measured { return recalled()[table] }

// measuredColumns are the columns of a file.
const measuredColumns = "made | what | instance | settings | revision | seeds | values"

// ParseMeasured reads what Measured.String writes. Its errors name the file and the line.
func ParseMeasured(name, text string) (Measured, error) {
	var m Measured
	head := true
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		fail := func(format string, args ...any) (Measured, error) {
			return Measured{}, fmt.Errorf("bench: measured/%s: line %d: %s", name, i+1,
				fmt.Sprintf(format, args...))
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		cells := strings.Split(line, "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		switch {
		case line == "":
		case head && key == "table":
			m.Table = value
		case head && key == "made":
			f := strings.Split(value, " | ")
			if len(f) != 4 {
				return fail("made is %q, want date | machine | go | command", value)
			}
			m.Made = append(m.Made, Made{f[0], f[1], f[2], f[3]})
		case head && strings.Join(cells, " | ") == measuredColumns:
			head = false
		case head:
			return fail("%q, want table:, made:, or the columns %s", line, measuredColumns)
		case len(cells) != 7:
			return fail("%d cells, want 7: %s", len(cells), measuredColumns)
		default:
			k := Kept{What: cells[1], Instance: cells[2], Settings: cells[3]}
			var err error
			if k.Made, err = strconv.Atoi(cells[0]); err != nil || k.Made < 1 || k.Made > len(m.Made) {
				return fail("made is %q, want 1 to %d", cells[0], len(m.Made))
			}
			if k.Revision, err = strconv.Atoi(cells[4]); err != nil {
				return fail("revision is %q, want a whole number", cells[4])
			}
			if k.Seeds, err = parseSeeds(cells[5]); err != nil {
				return fail("%v", err)
			}
			for w := range strings.FieldsSeq(cells[6]) {
				v, err := strconv.ParseFloat(w, 64)
				if err != nil || math.IsNaN(v) {
					return fail("%q is no figure", w)
				}
				k.Values = append(k.Values, v)
			}
			if len(k.Values) != len(k.Seeds) || len(k.Values) == 0 {
				return fail("%d figures of %d seeds", len(k.Values), len(k.Seeds))
			}
			m.Rows = append(m.Rows, k)
		}
	}
	if m.Table == "" || len(m.Rows) == 0 {
		return Measured{}, fmt.Errorf("bench: measured/%s: there is no table", name)
	}
	return m, nil
}

// String is the text of the file.
func (m *Measured) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "table: %s\n", m.Table)
	for _, w := range m.Made {
		fmt.Fprintf(&b, "made:  %s | %s | %s | %s\n", w.Date, w.Machine, w.Go, w.Command)
	}
	fmt.Fprintf(&b, "\n%s\n", measuredColumns)
	for _, k := range m.Rows {
		fmt.Fprintf(&b, "%d | %s | %s | %s | %d | %s |", k.Made, k.What, k.Instance, k.Settings,
			k.Revision, formatSeeds(k.Seeds))
		for _, v := range k.Values {
			b.WriteString(" " + formatValue(v))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// formatValue writes whole numbers as they are, since lengths of tours are compared, and others in
// six digits.
func formatValue(v float64) string {
	short := strconv.FormatFloat(v, 'g', 6, 64)
	if read, _ := strconv.ParseFloat(short, 64); read != v && v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return short
}

// maxSeed bounds the seeds of a file, so that a range of seeds has a length that can be held.
const maxSeed = 1_000_000

// parseSeeds reads "1-3,7".
func parseSeeds(s string) ([]int, error) {
	var out []int
	for part := range strings.SplitSeq(s, ",") {
		from, to, two := strings.Cut(part, "-")
		if !two {
			to = from
		}
		a, err1 := strconv.Atoi(from)
		b, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || a < 1 || b < a || b > maxSeed ||
			len(out) > 0 && a <= out[len(out)-1] {
			return nil, fmt.Errorf("seeds are %q, want as 1-3,7, rising, from 1 to %d", s, maxSeed)
		}
		for n := a; n <= b; n++ {
			out = append(out, n)
		}
	}
	return out, nil
}

// formatSeeds writes "1-3,7".
func formatSeeds(seeds []int) string {
	var parts []string
	for i := 0; i < len(seeds); {
		j := i
		for j+1 < len(seeds) && seeds[j+1] == seeds[j]+1 {
			j++
		}
		part := strconv.Itoa(seeds[i])
		if j > i {
			part += "-" + strconv.Itoa(seeds[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// Settings are a row's solver, parameters, stop and measure in words, in a fixed order.
func (r *Row) Settings() string {
	var w []string
	add := func(name string, value any, is bool) {
		if is {
			w = append(w, fmt.Sprintf("%s=%v", name, value))
		}
	}
	if r.Solver != "" {
		w = append(w, r.Solver+"/"+r.Variant)
	}
	add("do", r.Function, r.Function != "")
	add("backend", r.Backend, r.Backend != "" && r.Backend != "cpu")
	add("cores", "all", r.AllCores)
	add("preset", r.Preset, r.Preset != "")
	for _, name := range slices.Sorted(maps.Keys(r.Params)) {
		add(name, r.Params[name].String(), true)
	}
	for _, s := range r.Sized {
		add(s.Name, fmt.Sprintf("%gn", s.Factor), true)
	}
	add("iterations", r.Stop.Iterations, r.Stop.Iterations > 0)
	add("cpu", r.Stop.CPU, r.Stop.CPU > 0)
	add("wall", r.Stop.Wall, r.Stop.Wall > 0)
	add("until", r.Stop.Gap, r.Stop.Gap > 0)
	add("as", r.As, r.As != AsLong{})
	add("before", r.Before, r.Before > 0)
	add("times", r.Times, r.Times > 0)
	add("measure", strings.ReplaceAll(string(r.Measure), " ", "-"), true)
	add("reading", r.Reading, r.Reading != "")
	add("span", r.Span, r.Span != "")
	add("tours", "n", r.PerSize)
	return strings.Join(w, " ")
}

// Revision is that of the algorithm of the row's variant today, also where it is not linked into
// the program; 0 of a row without one.
func (r *Row) Revision() int {
	if r.Variant != "" {
		return revision.Of(r.Solver + "/" + r.Variant)
	}
	v, err := solvers.Find(r.Solver, "", "cpu")
	if err != nil {
		return 0
	}
	return v.Revision
}

// matches tells whether the kept figures are of a row.
func (k *Kept) matches(r *Row) bool {
	return r.runs() && k.What == r.What && k.Instance == r.Instance && k.Settings == r.Settings()
}

// Recall returns the rows that words name, all for "", with stored figures, and measures nothing.
func Recall(t Table, rows string) ([]Outcome, error) {
	all, err := List(t, "")
	if err != nil {
		return nil, err
	}
	m := MeasuredOf(t.Name)
	for i := range all {
		o := &all[i]
		for _, k := range m.Rows {
			if k.matches(&o.Row) {
				o.Seeds, o.Values, o.Made, o.Revision = k.Seeds, k.Values, k.Made, k.Revision
			}
		}
	}
	test(t, all)
	rule(t, all)
	out := slices.DeleteFunc(all, func(o Outcome) bool { return !o.Row.matches(rows, o.Number) })
	if len(out) == 0 {
		return nil, errNoRow(t, rows)
	}
	return out, nil
}

// Merge adds the figures of a row, which replace those of the same seeds unless they are of another
// revision, which all go. It returns an error if the table has no such row.
func (m *Measured) Merge(t Table, w Made, k Kept) error {
	if !slices.ContainsFunc(t.Rows, func(r Row) bool { return k.matches(&r) }) {
		return fmt.Errorf("bench: %s has no row %q on %q with %s", t.Name, k.What, k.Instance, k.Settings)
	}
	k.Made = slices.Index(m.Made, w) + 1
	if k.Made == 0 {
		m.Made = append(m.Made, w)
		k.Made = len(m.Made)
	}
	at := slices.IndexFunc(m.Rows, func(o Kept) bool {
		return o.What == k.What && o.Instance == k.Instance && o.Settings == k.Settings
	})
	if at < 0 {
		m.Rows = append(m.Rows, k)
		return nil
	}
	old := m.Rows[at]
	if old.Revision == k.Revision {
		for i, seed := range old.Seeds {
			if !slices.Contains(k.Seeds, seed) {
				k.Seeds, k.Values = append(k.Seeds, seed), append(k.Values, old.Values[i])
			}
		}
	}
	order := make([]int, len(k.Seeds))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(k.Seeds[a], k.Seeds[b]) })
	seeds, values := make([]int, len(order)), make([]float64, len(order))
	for i, j := range order {
		seeds[i], values[i] = k.Seeds[j], k.Values[j]
	}
	k.Seeds, k.Values = seeds, values
	m.Rows[at] = k
	return nil
}

// Tidy drops rows that the table no longer has in their measured form, orders the others like the
// table, and drops what belongs to no row.
func (m *Measured) Tidy(t Table) {
	var rows []Kept
	for _, r := range t.Rows {
		for _, k := range m.Rows {
			if k.matches(&r) {
				rows = append(rows, k)
				break
			}
		}
	}
	var made []Made
	for i := range rows {
		w := m.Made[rows[i].Made-1]
		at := slices.Index(made, w)
		if at < 0 {
			made, at = append(made, w), len(made)
		}
		rows[i].Made = at + 1
	}
	m.Rows, m.Made = rows, made
}
