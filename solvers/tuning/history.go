package tuning

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"metalab/solvers/record"
	"metalab/solvers/stats"
)

// A Trial is a configuration with what came of it.
type Trial struct {
	Number int           // from 1 on; 1 is the setting as it is
	Values record.Values // of the tuned parameters; trial 1 has those of the first instance
	Round  int           // of the race, or 0
	Parent int           // the number of the trial that it was drawn near, or 0
	Made   int           // on so many of the first blocks
	Best   []float64     // on each of these; +Inf where the unit failed
	Error  []float64     // in percent above the best known value, or above the best of all trials
	Rank   float64       // mean rank among the trials that ran on at least as many blocks
	Mean   float64       // of Error
	Left   bool          // at the end: not dropped
	Final  float64       // of those that are left: mean rank among these, which decides
}

// A History is what a tuning tried. It is the same for the same plan and results.
type History struct {
	Plan   Plan
	Blocks []Block // blocks on which any trial ran
	Trials []Trial
	Winner int // the number of a trial
	Units  int // that the trials take, those that were there before too

	// Against compares the winner with the setting as it is over the blocks that both have: by
	// Wilcoxon's test. It is nil where the winner is the setting as it is, or where there are
	// fewer than two such blocks.
	Against *stats.Report
}

// Won is the winner.
func (h *History) Won() *Trial { return &h.Trials[h.Winner-1] }

// Line is the winner as it is opened at the prompt, on the first instance.
func (h *History) Line() string { return h.LineOn(h.Plan.Instances[0]) }

// LineOn is Line with another instance.
func (h *History) LineOn(instance string) string {
	s := h.Plan.Setting
	out := []string{"open", s.Solver + "/" + s.Variant, instance, "as a"}
	if s.Backend != "" && s.Backend != "cpu" {
		out = append(out, "on="+s.Backend)
	}
	if s.Preset != "" && s.Preset != "default" {
		out = append(out, "preset="+s.Preset)
	}
	all := h.values()
	for _, n := range slices.Sorted(maps.Keys(all)) {
		out = append(out, n+"="+all[n].String())
	}
	return strings.Join(out, " ")
}

// Preset is the winner as a line of a variant's table of presets, in Go.
func (h *History) Preset() string {
	var pairs []string
	all := h.values()
	for _, n := range slices.Sorted(maps.Keys(all)) {
		v := all[n]
		if w, ok := v.Word(); ok {
			pairs = append(pairs, fmt.Sprintf("%q, %q", n, w))
			continue
		}
		pairs = append(pairs, fmt.Sprintf("%q, %v", n, v))
	}
	return fmt.Sprintf("{Name: \"tuned\", Doc: %q, Values: solvers.Fixed(record.Of(%s))},",
		fmt.Sprintf("Tuned on %s, %v each.", strings.Join(h.Plan.Instances, ", "), h.Plan.Budget),
		strings.Join(pairs, ", "))
}

// values are those of the winner, with what the setting fixes.
func (h *History) values() record.Values {
	all := maps.Clone(h.Plan.Setting.Params)
	if all == nil {
		all = record.Values{}
	}
	maps.Copy(all, h.Won().Values)
	return all
}

// String is the history in words.
func (h History) String() string {
	w, own := h.Won(), &h.Trials[0]
	left := 0
	for _, t := range h.Trials {
		if t.Left {
			left++
		}
	}
	lines := []string{fmt.Sprintf("%d trials on up to %d blocks, %d units; %d trials are left. Trial "+
		"%d is the best: mean error %.4g%% over %d blocks, mean rank %.3g.",
		len(h.Trials), len(h.Blocks), h.Units, left, w.Number, w.Mean, w.Made, w.Rank)}
	if w == own {
		lines = append(lines, "It is the setting as it is.")
	} else {
		lines = append(lines, fmt.Sprintf("The setting as it is: mean error %.4g%% over %d blocks.",
			own.Mean, own.Made))
	}
	if h.Against != nil {
		lines = append(lines, h.Against.Pairs[0].Words,
			"The winner was chosen on these blocks: its advantage is smaller on others.")
	}
	return strings.Join(append(lines, h.Line(), h.Preset()), "\n")
}

// An Importance says how much a parameter matters.
type Importance struct {
	Name  string
	Share float64 // of the variance of the trials' errors that its value explains by itself, 0 to 1
}

// Importance returns the parameters, the most important first: the correlation ratio over groups of
// trials of like values, four for numbers, corrected for chance. Trials that failed are left out.
func (h *History) Importance() []Importance {
	var out []Importance
	for i := range h.Plan.Space {
		d := &h.Plan.Space[i]
		groups := map[int][]float64{}
		for _, t := range h.Trials {
			if math.IsInf(t.Mean, 0) || math.IsNaN(t.Mean) {
				continue
			}
			g := slices.Index(d.Values, t.Values[d.Name]) // -1: that of the setting as it is
			if len(d.Values) == 0 {
				g = min(3, int(4*d.place(t.Values[d.Name])))
			}
			groups[g] = append(groups[g], t.Mean)
		}
		out = append(out, Importance{d.Name, explained(groups)})
	}
	slices.SortStableFunc(out, func(a, b Importance) int { return cmp.Compare(b.Share, a.Share) })
	return out
}

// explained is the share of variance between groups, less what chance alone has (epsilon squared).
func explained(groups map[int][]float64) float64 {
	var all []float64
	keys := slices.Sorted(maps.Keys(groups))
	for _, g := range keys {
		all = append(all, groups[g]...)
	}
	n, k := float64(len(all)), float64(len(keys))
	if n <= k || k < 2 {
		return 0
	}
	within, total := 0.0, squares(all)
	for _, g := range keys {
		within += squares(groups[g])
	}
	if total <= float64(len(all))*1e-20*(1+mean(all)*mean(all)) { // nothing but rounding
		return 0
	}
	return max(0, 1-within/(n-k)/(total/(n-1)))
}

// squares is the sum of squares about the mean.
func squares(v []float64) (s float64) {
	m := mean(v)
	for _, x := range v {
		s += (x - m) * (x - m)
	}
	return s
}

func mean(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(len(v))
}
