package bench

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"metalab/datasets"
	"metalab/solvers"
)

// A sampled is what the rows of one search have together, in all tables of a paper.
type sampled struct {
	owner     string    // the table whose verdict counts; empty: the one that asks
	number    int       // of the row there
	published []float64 // the figures, each once, that stand beside
	seeds     []int
	values    []float64
}

// with are the figures of the search, and those of a row that lacks some, as of a twin.
func (s *sampled) with(values []float64) []float64 {
	if len(s.values) < len(values) {
		return values
	}
	return s.values
}

// add adds the figures of a row: a figure of a seed counts once, and seeds that race count once per
// run.
func (s *sampled) add(k *Kept) {
	for i, seed := range k.Seeds {
		known := false
		for j, other := range s.seeds {
			known = known || other == seed && s.values[j] == k.Values[i]
		}
		if !known {
			s.seeds, s.values = append(s.seeds, seed), append(s.values, k.Values[i])
		}
	}
}

// samples are the searches of a paper that have kept figures of today's versions, by what search
// says of a row.
var samples = func() func(paper string) map[string]*sampled {
	var mu sync.Mutex
	have := map[string]map[string]*sampled{}
	return func(paper string) map[string]*sampled {
		mu.Lock()
		defer mu.Unlock()
		if have[paper] == nil {
			have[paper] = sample(paper)
		}
		return have[paper]
	}
}()

func sample(paper string) map[string]*sampled {
	out := map[string]*sampled{}
	for _, t := range TablesOf(paper) {
		if t.Margin == (Margin{}) {
			continue
		}
		m := MeasuredOf(t.Name)
		for i := range t.Rows {
			r := &t.Rows[i]
			if !r.runs() || !r.Peer.Known || r.Group != "" || !r.Measure.quality() {
				continue
			}
			for k := range m.Rows {
				if !m.Rows[k].matches(r) || m.Rows[k].Revision != r.Revision() {
					continue
				}
				at := search(r)
				if out[at] == nil {
					out[at] = &sampled{owner: t.Name, number: i + 1}
				}
				out[at].add(&m.Rows[k])
				if !slices.Contains(out[at].published, r.Peer.Figure) {
					out[at].published = append(out[at].published, r.Peer.Figure)
				}
			}
		}
	}
	return out
}

// samplesOf is what all rows of an outcome's search have; nothing where it is not kept.
func samplesOf(t Table, o *Outcome) sampled {
	if t.Paper == "" {
		return sampled{number: o.Number}
	}
	s := samples(t.Paper)[search(&o.Row)]
	if s == nil {
		return sampled{number: o.Number}
	}
	own := *s
	if own.owner == t.Name {
		own.owner = ""
	} else {
		own.number = o.Number
	}
	return own
}

// bestBefore tells whether the best of a search was judged before: in this table, on a CPU where it
// is the same seed for seed, or in another of the paper, which it names.
func bestBefore(t Table, out []Outcome, o *Outcome) (twin bool, table string) {
	at := func(list []Outcome, number int) *Outcome {
		i := slices.IndexFunc(list, func(x Outcome) bool { return x.Number == number })
		if i < 0 {
			return nil
		}
		return &list[i]
	}
	base := at(out, o.Base)
	if base == nil || t.Paper == "" {
		return false, ""
	}
	for i := range out {
		b := &out[i]
		if b.Row.Measure == Least && b.Number < o.Number && len(b.Of) > 0 {
			if x := at(out, b.Base); x != nil && (twins(base, x) || search(&x.Row) == search(&base.Row)) {
				return true, ""
			}
		}
	}
	for _, other := range TablesOf(t.Paper) {
		if other.Name == t.Name {
			return false, ""
		}
		if other.Margin == (Margin{}) {
			continue
		}
		m := MeasuredOf(other.Name)
		for i := range other.Rows {
			r := &other.Rows[i]
			if r.Measure != Least || r.Published == 0 || !r.Peer.Known || r.Instance != base.Row.Instance {
				continue
			}
			for k := range other.Rows {
				x := &other.Rows[k]
				if r.takes(x) && search(x) == search(&base.Row) &&
					slices.ContainsFunc(m.Rows, func(k Kept) bool { return k.matches(x) }) {
					return true, other.Name
				}
			}
		}
	}
	return false, ""
}

// standIn is an instance on which parameters are resolved, whatever a row's own is: of a number of
// cities that no row names.
const standIn = "rand-1009-1"

var parameters = struct {
	sync.Mutex
	of map[string]string
}{of: map[string]string{}}

// search names the search of a row: its settings with the values that its preset gives, so that one
// whose row names a parameter's value and one whose preset has it are the same.
func search(r *Row) string {
	plain := *r
	plain.Params, plain.Preset = nil, ""
	key := fmt.Sprint(r.Solver, "/", r.Variant, " ", r.Preset)
	for _, name := range slices.Sorted(maps.Keys(r.Params)) {
		key += " " + name + "=" + r.Params[name].String()
	}
	parameters.Lock()
	defer parameters.Unlock()
	params, ok := parameters.of[key]
	if !ok {
		params = key
		if inst, err := datasets.Load(standIn); err == nil {
			_, list, err := solvers.Resolve(solvers.Config{
				Solver: r.Solver, Variant: r.Variant, Instance: inst, Preset: r.Preset, Params: r.Params,
			})
			if err == nil {
				var words []string
				for _, p := range list {
					words = append(words, fmt.Sprint(p.Name, "=", p.Value))
				}
				params = strings.Join(words, " ")
			}
		}
		parameters.of[key] = params
	}
	return r.Instance + " | " + plain.Settings() + " | " + params
}
