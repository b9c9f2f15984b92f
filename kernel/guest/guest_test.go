package guest_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"metalab/datasets"
	"metalab/kernel/guest"
	"metalab/kernel/lab"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// TestMain: this very program is the workers' program too.
func TestMain(m *testing.M) {
	if os.Getenv(wire.EnvWorker) != "" {
		lab.Declare("walk", func() lab.Solver { return &Walk{T: 3000, Moves: 5, Rule: "metropolis"} })
		lab.Declare("swap", func() lab.Solver { return &Swap{} })
		lab.Declare("idle", func() lab.Solver { return &Idle{} })
		lab.Declare("moody", func() lab.Solver { return &Moody{Mood: "well"} })
	}
	goleak.VerifyTestMain(m)
}

// Walk is annealing by 2-opt moves at a fixed temperature.
type Walk struct {
	T     float64 `param:"temperature,0..100000" doc:"of the acceptance"`
	Moves int     `param:"moves,structural,1..50" doc:"moves of an iteration"`
	Rule  string  `param:"rule,metropolis|greedy" doc:"which moves are taken"`
	Often bool    `param:"often" doc:"twice as many moves"`
	Taken int     `measure:"taken"`

	p              *lab.Problem
	tour, best     []int
	cost, bestCost float64
	seen           map[int]int
	near           [][]int `state:"-"`
	history        *history
}

type history struct {
	last [4]float64
	prev *history
}

func (w *Walk) Init(p *lab.Problem, r *lab.Rand) error {
	if p.Kind != "tsp" {
		return fmt.Errorf("a walk needs a tsp, not %s", p.Kind)
	}
	w.p, w.tour, w.near, w.seen = p, r.Perm(p.N), p.Near(5), map[int]int{}
	w.cost = p.Length(w.tour)
	w.best, w.bestCost = slices.Clone(w.tour), w.cost
	return nil
}

func (w *Walk) Step(it int64, r *lab.Rand) (float64, error) {
	n := len(w.tour)
	w.Taken = 0
	moves := w.Moves
	if w.Often {
		moves *= 2
	}
	for range moves {
		i, j := r.IntN(n), r.IntN(n)
		if i > j {
			i, j = j, i
		}
		if j == i || (i == 0 && j == n-1) {
			continue
		}
		a, b, c, d := w.tour[(i+n-1)%n], w.tour[i], w.tour[j], w.tour[(j+1)%n]
		delta := w.p.Dist(a, c) + w.p.Dist(b, d) - w.p.Dist(a, b) - w.p.Dist(c, d)
		t := w.T
		if w.Rule == "greedy" {
			t = 0
		}
		if !r.Accept(delta, t) {
			continue
		}
		slices.Reverse(w.tour[i : j+1])
		w.cost += delta
		w.Taken++
		w.seen[b]++
		if w.cost < w.bestCost {
			w.bestCost = w.cost
			copy(w.best, w.tour)
		}
	}
	if it%3 == 0 {
		w.history = &history{last: [4]float64{w.cost}, prev: w.history}
		if w.history.prev != nil {
			w.history.prev.prev = nil
		}
	}
	return w.cost + 0*float64(w.seen[1]), nil
}

func (w *Walk) Best() (float64, []int) { return w.bestCost, w.best }

// Swap is for every kind of problem: it exchanges, or flips, two places.
type Swap struct {
	p          *lab.Problem
	now, best  []int
	v, bestV   float64
	lastValues []float64
}

func (s *Swap) Init(p *lab.Problem, r *lab.Rand) error {
	s.p, s.now = p, r.Perm(p.N)
	if p.Kind == "ppp" {
		for i := range s.now {
			s.now[i] = 2*r.IntN(2) - 1
		}
	}
	s.v = p.Cost(s.now)
	s.best, s.bestV = slices.Clone(s.now), s.v
	return nil
}

func (s *Swap) Step(_ int64, r *lab.Rand) (float64, error) {
	i, j := r.IntN(s.p.N), r.IntN(s.p.N)
	change := func() {
		if s.p.Kind == "ppp" {
			s.now[i] = -s.now[i]
			return
		}
		s.now[i], s.now[j] = s.now[j], s.now[i]
	}
	change()
	v := s.p.Cost(s.now)
	s.lastValues = []float64{s.v, v}
	if v > s.v {
		change()
	} else {
		s.v = v
	}
	if s.v < s.bestV {
		s.bestV = s.v
		copy(s.best, s.now)
	}
	return s.v, nil
}

func (s *Swap) Best() (float64, []int) { return s.bestV, s.best }
func (s *Swap) Values() []float64      { return s.lastValues }

// Moody does what solvers should not do, in iteration 20, and keeps its state itself.
type Moody struct {
	Mood string `param:"mood,well|slow|panic|error|exit|race|hang|clock|worse|nan|lie|twice" doc:"how"`
	swap Swap
	f    func()
}

func (m *Moody) Init(p *lab.Problem, r *lab.Rand) error {
	m.f = func() {}
	return m.swap.Init(p, r)
}

func (m *Moody) Step(it int64, r *lab.Rand) (float64, error) {
	v, err := m.swap.Step(it, r)
	switch {
	case m.Mood == "slow" && it%7 == 0:
		time.Sleep(100 * time.Millisecond)
		return v, err
	case m.Mood == "clock":
		return v + float64(time.Now().UnixNano()%1000), nil
	case it != 20:
		return v, err
	}
	switch m.Mood {
	case "panic":
		var x []int
		v += float64(x[it])
	case "error":
		return 0, errors.New("no more\nluck")
	case "exit":
		os.Exit(3)
	case "race":
		done := make(chan bool)
		go func() { panic("in a goroutine") }()
		<-done
	case "hang":
		for i := 0; ; i++ {
		}
	case "worse":
		m.swap.bestV += 1000
	case "nan":
		return v / 0 * 0, nil
	case "lie":
		m.swap.bestV -= 1e9
		v = m.swap.bestV
	case "twice":
		m.swap.best[0] = m.swap.best[1]
		m.swap.bestV, v = 0, 0
	}
	return v, err
}

func (m *Moody) Best() (float64, []int) { return m.swap.Best() }

func (m *Moody) Snapshot() ([]byte, error) {
	return []byte(fmt.Sprint(m.swap.v, m.swap.bestV, m.swap.now, m.swap.best)), nil
}

func (m *Moody) Restore(b []byte) error {
	s := strings.NewReplacer("[", " ", "]", " ").Replace(string(b))
	f := strings.Fields(s)
	n := (len(f) - 2) / 2
	for i, to := range []*float64{&m.swap.v, &m.swap.bestV} {
		if _, err := fmt.Sscan(f[i], to); err != nil {
			return err
		}
	}
	for i := range n {
		fmt.Sscan(f[2+i], &m.swap.now[i])
		fmt.Sscan(f[2+n+i], &m.swap.best[i])
	}
	return nil
}

// session declares solvers of this program; it returns what was noticed so far.
func session(t testing.TB, names ...string) (*guest.Session, func() string) {
	t.Helper()
	var mu sync.Mutex
	var notes []string
	s := guest.NewSession(t.TempDir()+"/declared", func(n string) {
		mu.Lock()
		notes = append(notes, n)
		mu.Unlock()
	})
	t.Cleanup(s.Close)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if _, _, err := s.Declare(t.Context(),
			wire.DeclareRequest{Solver: n, Program: self}); err != nil {
			t.Fatal(err)
		}
	}
	return s, func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(notes, "\n")
	}
}

func instance(t testing.TB, name string) datasets.Instance {
	t.Helper()
	inst, ok, err := datasets.Generate(name)
	if !ok || err != nil {
		t.Fatal(name, err)
	}
	return inst
}

func open(t *testing.T, solver, inst string, vs record.Values) *solvers.Run {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Name: "a", Solver: solver, Instance: instance(t, inst),
		Seed: 7, Params: vs,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// The laws hold through the pipe, and when a run goes from one code to another and back.
func TestLaws(t *testing.T) {
	s, _ := session(t, "walk")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, solver := range []string{"walk", "swap"} {
		for _, note := range []string{"one", "two"} {
			q := wire.DeclareRequest{
				Solver: solver, Program: self,
				Source: fmt.Appendf(nil, "package main\nimport \"metalab/kernel/lab\"\nfunc main() { "+
					"lab.Declare(%q, %s) }", solver, note),
			}
			if _, _, err := s.Declare(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []conform.Case{
		{
			Solver: "walk", Instance: instance(t, "rand-30-1"), Seed: 5, Iterations: 40, Trials: 12,
			Structural: []record.Values{{"moves": record.Num(9)}},
		},
		{Solver: "swap", Instance: instance(t, "tai12a"), Seed: 5, Trials: 4},
		{Solver: "swap", Instance: instance(t, "ppp-21x21-1"), Seed: 5, Trials: 4},
		{Solver: "swap", Instance: instance(t, "rand-20-1"), Seed: 5, Trials: 4},
	} {
		t.Run(c.Solver+" on "+c.Instance.Name(), func(t *testing.T) { conform.Check(t, c) })
	}
}
