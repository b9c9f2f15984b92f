package reply

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Repeating is a repeat in progress.
type Repeating struct {
	Seeds int `json:"seeds"` // requested number
	// finished seeds, with earlier ones and fractions of those in progress
	Done       Num    `json:"done"`
	LeftS      Num    `json:"left_s"` // estimated seconds left; 0 while unknown
	Budget     string `json:"budget"` // of each seed
	Background bool   `json:"background,omitempty"`
	Last       string `json:"last,omitempty"` // the result of the latest seed, in words
}

// String describes the progress.
func (r *Repeating) String() string {
	out := fmt.Sprintf("%d of %d seeds, %s each", int(r.Done), r.Seeds, r.Budget)
	if r.Last != "" {
		out += "; " + r.Last
	}
	return out
}

// A Seeded is the result of one seed.
type Seeded struct {
	Seed      uint64 `json:"seed"`
	Iteration int64  `json:"iteration"`
	Best      Num    `json:"best"`
	Gap       Num    `json:"gap"`
	WallS     Num    `json:"wall_s"`
	CPUS      Num    `json:"cpu_s"`
	Why       string `json:"why,omitempty"`
	Digest    string `json:"digest"`
}

// Quartiles holds minimum, quartiles and maximum.
type Quartiles struct {
	Min    Num `json:"min"`
	Lower  Num `json:"lower"`
	Median Num `json:"median"`
	Upper  Num `json:"upper"`
	Max    Num `json:"max"`
}

// A Series is a run over several seeds under one setting.
type Series struct {
	Budget string `json:"budget"` // of each seed
	// parameters that differ from the run's present ones, such as "q0=0.9"
	Changed []string  `json:"changed"`
	Results []Seeded  `json:"results"`
	IterQ   Quartiles `json:"iteration_quartiles"`
	BestQ   Quartiles `json:"best_quartiles"`
	GapQ    Quartiles `json:"gap_quartiles"`
	WallQ   Quartiles `json:"wall_s_quartiles"`
	CPUQ    Quartiles `json:"cpu_s_quartiles"`
}

// A RepeatReply is the result of a repeat: all seeds of its series, including earlier ones.
type RepeatReply struct {
	Status
	Series
	Wanted     int  `json:"wanted"`               // requested seeds
	Had        int  `json:"had,omitempty"`        // earlier ones among them
	Apart      int  `json:"apart,omitempty"`      // seeds of other series, under other settings
	Fresh      bool `json:"fresh,omitempty"`      // earlier seeds were run again
	Background bool `json:"background,omitempty"` // it continues; there are no results yet

	// changes of the run that the seeds do not repeat: they have its present parameters from iteration
	// 1 on
	Unmade []Change `json:"unmade,omitempty"`
}

// A SeedsReply holds the results of all repeats of a run.
type SeedsReply struct {
	Status
	Series []Series `json:"series"`
	Latest int      `json:"latest"` // the index of the series with the latest result
}

// A Side is a run in a comparison: its present state, and the results of its repeats.
type Side struct {
	Status
	Seeds  int       `json:"seeds"` // of its repeats; 1 if there are none
	Budget string    `json:"budget,omitempty"`
	IterQ  Quartiles `json:"iteration_quartiles"`
	BestQ  Quartiles `json:"best_quartiles"`
	GapQ   Quartiles `json:"gap_quartiles"`
	WallQ  Quartiles `json:"wall_s_quartiles"`
	CPUQ   Quartiles `json:"cpu_s_quartiles"`
	// parameters that differ from the first side's, such as "q0=0.9"
	Changed []string `json:"changed"`
}

// Repeated reports whether the side has the results of several seeds. A comparison then uses these,
// and not the present state of the run, which may have no iterations at all.
func (s *Side) Repeated() bool { return s.Budget != "" }

func (s *Side) median(q Quartiles, own Num) Num {
	if s.Repeated() {
		return q.Median
	}
	return own
}

// Iterations returns the number of iterations: the run's, or the median of the seeds'.
func (s *Side) Iterations() Num { return s.median(s.IterQ, Num(s.Iteration)) }

// Value returns the best value, CPU and Wall its cost in seconds, and Off its gap in percent: the
// run's, or the medians of the seeds'.
func (s *Side) Value() Num { return s.median(s.BestQ, s.Best) }

// Off returns the gap.
func (s *Side) Off() Num { return s.median(s.GapQ, s.Gap) }

// CPU returns the CPU time.
func (s *Side) CPU() Num { return s.median(s.CPUQ, s.CPUS) }

// Wall returns the wall time.
func (s *Side) Wall() Num { return s.median(s.WallQ, s.WallS) }

// A Cost says that two sides had equally many iterations at unequal cost.
type Cost struct {
	Less       string `json:"less"` // the side with the lower cost
	More       string `json:"more"`
	Iterations int64  `json:"iterations"`
	What       string `json:"what"` // the kind of cost: CPU time, or wall time if there is a GPU
	LessS      Num    `json:"less_s"`
	MoreS      Num    `json:"more_s"`
	Factor     Num    `json:"factor"`
	Words      string `json:"words"`
}

// Times returns the factor in words.
func (c *Cost) Times() string {
	f := float64(c.Factor)
	if f < 10 {
		f = math.Round(10*f) / 10
	} else {
		f = math.Round(f)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// Warning returns the sentence about it.
func (c *Cost) Warning() string {
	of := "iterations"
	if c.Iterations == 1 {
		of = "iteration"
	}
	return fmt.Sprintf("the same %d %s cost %s %s times the %s of %s: %s against %s",
		c.Iterations, of, c.More, c.Times(), c.What, c.Less, c.MoreS.seconds(), c.LessS.seconds())
}

// remedy returns what to type at the prompt to compare at equal cost.
func (c *Cost) remedy() string {
	unit := "cpu"
	if c.What == "time" {
		unit = "s"
	}
	digits := max(1, 1-int(math.Floor(math.Log10(float64(c.MoreS)))))
	b := strconv.FormatFloat(float64(c.MoreS), 'f', digits, 64)
	if strings.Contains(b, ".") {
		b = strings.TrimSuffix(strings.TrimRight(b, "0"), ".")
	}
	b += unit
	return fmt.Sprintf("repeat %s 10 %s; repeat %s 10 %s", c.Less, b, c.More, b)
}

// A Test compares two sides.
type Test struct {
	A      string `json:"a"`
	B      string `json:"b"`
	Name   string `json:"test"`
	P      Num    `json:"p"`
	Effect Num    `json:"effect"` // Vargha and Delaney's A12: the share of pairs in which a is below b
	Words  string `json:"words"`
}

// A CompareReply compares runs.
type CompareReply struct {
	Verb  string `json:"verb"`
	Sides []Side `json:"sides"`
	Tests []Test `json:"tests"`
	Costs []Cost `json:"costs,omitempty"` // pairs whose equal iterations cost unequally
	Note  string `json:"note,omitempty"`  // why there are no tests

	Overall string   `json:"overall,omitempty"` // whether any of several sides differ
	Assumed []string `json:"assumed,omitempty"` // the assumptions and limits of the tests
}
