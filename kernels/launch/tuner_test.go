package launch

import (
	"errors"
	"slices"
	"testing"
	"time"

	"metalab/solvers"
	"metalab/solvers/wave"
)

// stand is a device whose walks take a known time for each shape, with a tuner.
type stand struct {
	Tuner
	walk, search Stage

	now     time.Duration
	marks   map[int]time.Duration
	shape   wave.Config
	adopted []wave.Config
	walks   int
	took    map[int]time.Duration // by threads of a block
	refuses map[int]bool          // shapes that are not taken
	fails   map[int]bool          // shapes that cannot be launched
}

func (s *stand) Mark(i int) error { s.marks[i] = s.now; return nil }

func (s *stand) Between(from, to int) (time.Duration, error) {
	return s.marks[to] - s.marks[from], nil
}

var errStand = errors.New("too many resources requested")

func newStand(own int, took map[int]time.Duration) *stand {
	s := &stand{
		marks: map[int]time.Duration{}, took: took, refuses: map[int]bool{},
		fails: map[int]bool{},
	}
	s.Clock, s.Whole = s, true
	s.walk = Stage{
		Name: "construct", What: func() string { return "construction" },
		Own:    func() wave.Config { return Warps(100, own) },
		Shapes: func() []wave.Config { return WarpShapes(100, 32) },
	}
	s.Add(&s.walk)
	s.walk.Adopt = func(c wave.Config) error {
		if s.refuses[c.Block/Warp] {
			return errStand
		}
		s.shape = c
		s.adopted = append(s.adopted, c)
		return nil
	}
	s.Schedule(true, 3)
	return s
}

// iterate is an iteration as a family makes one: something, the walk, something.
func (s *stand) iterate(t *testing.T) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(s.Settle(&s.walk))
	check(s.First())
	s.now += 5 * time.Microsecond
	before := s.walks
	check(s.Launch(&s.walk, func() error {
		if s.fails[s.shape.Block/Warp] {
			return errStand
		}
		s.walks++
		s.now += s.took[s.shape.Block/Warp]
		return nil
	}))
	s.now += 2 * time.Microsecond
	check(s.Last())
	check(s.Read())
	if s.walks != before+1 {
		t.Fatalf("%d walks in an iteration", s.walks-before)
	}
}

func standTimes() map[int]time.Duration {
	out := map[int]time.Duration{}
	for _, c := range WarpShapes(100, 32) {
		out[c.Block/Warp] = 100 * time.Microsecond
	}
	out[7] = 100 * time.Microsecond // the program's own
	out[6], out[8] = 80*time.Microsecond, 90*time.Microsecond
	return out
}

func TestWalksAreTuned(t *testing.T) {
	t.Parallel()
	s := newStand(7, standTimes())
	s.refuses[3], s.fails[12] = true, true
	iterations := 0
	for s.iterate(t); s.walk.untried(); s.iterate(t) {
		iterations++
	}
	s.iterate(t)
	if s.shape != Warps(100, 6) || s.walks != iterations+2 {
		t.Errorf("%v after %d walks in %d iterations", s.shape, s.walks, iterations)
	}
	w := s.Waves()
	if len(w) != 1 || !w[0].Tuned || w[0].Config != Warps(100, 6) || w[0].What != "construction" {
		t.Fatalf("the table is %+v", w)
	}
	if first := w[0].Trials[0]; first.Config != Warps(100, 7) || len(first.Times) != 3 ||
		first.Median != 100*time.Microsecond {
		t.Errorf("first the program's own choice, three times: %+v", first)
	}
	for _, trial := range w[0].Trials {
		ants := trial.Config.Block / Warp
		if bad := ants == 3 || ants == 12; bad != errors.Is(trial.Err, errStand) ||
			bad != (len(trial.Times) == 0) {
			t.Errorf("%v: %+v", trial.Config, trial)
		}
		if ants > 6 && ants != 7 && ants != 8 && ants != 12 && len(trial.Times) != 2 {
			t.Errorf("%v was 1.25 times slower than the best and raced on: %v", trial.Config, trial.Times)
		}
	}
	// Another number of ants, or of trials, is another matter; the same is not.
	s.Schedule(true, 3)
	if s.walk.tuner == nil {
		t.Error("what was found is forgotten")
	}
	s.Again()
	s.iterate(t)
	if !s.walk.Trying() || s.shape != Warps(100, 7) {
		t.Errorf("nothing is tried: %v", s.shape)
	}
	// What is said is not tuned.
	s.Schedule(false, 3)
	s.iterate(t)
	if w := s.Waves(); s.walk.Trying() || w[0].Tuned || w[0].Trials != nil ||
		w[0].Config != Warps(100, 7) {
		t.Errorf("tuned although warps is given: %+v", w)
	}
	s.Schedule(true, 0)
	s.iterate(t)
	if s.walk.Trying() || s.shape != Warps(100, 7) {
		t.Error("tuned without trials")
	}
}

// To the letter of Algorithm 3 no shape is given up, the program's own is no trial, and the first
// that is not taken, or cannot be launched, ends the search: the best so far stands.
func TestTunedToTheLetter(t *testing.T) {
	t.Parallel()
	for _, launched := range []bool{false, true} {
		s := newStand(7, standTimes())
		s.took[5] = time.Second
		if launched {
			s.fails[12] = true
		} else {
			s.refuses[12] = true
		}
		s.Tune(true)
		for range 200 {
			s.iterate(t)
		}
		w := s.Waves()[0]
		shapes := WarpShapes(100, 32)
		end := slices.Index(shapes, Warps(100, 12))
		if !w.Tuned || w.Config != Warps(100, 6) || len(w.Trials) != end+1 || s.shape != w.Config {
			t.Fatalf("%d trials, %v is chosen and %v launched, tuned %v; want %d and %v", len(w.Trials),
				w.Config, s.shape, w.Tuned, end+1, Warps(100, 6))
		}
		for i, trial := range w.Trials {
			if trial.Config != shapes[i] || i < end && len(trial.Times) != 3 ||
				i == end && !errors.Is(trial.Err, errStand) {
				t.Errorf("trial %d is %+v, want %v with three times up to %d", i, trial, shapes[i], end)
			}
		}
		if s.Tune(false); s.walk.tuner != nil {
			t.Error("what was found to the letter stands when shapes are to race")
		}
	}
}

// A local search is tuned when the walk is: its trials are the iterations after it.
func TestSearchesAreTuned(t *testing.T) {
	t.Parallel()
	s := newStand(7, standTimes())
	s.search = Stage{
		Name: "local search", What: func() string { return "local search" }, After: &s.walk,
		Shapes: func() []wave.Config { return BlockShapes(40, 8, 4, 16, 2, 6, 10, 12) },
	}
	s.Add(&s.search)
	var launched []int
	for range 100 {
		if err := errors.Join(s.Settle(&s.walk), s.Settle(&s.search), s.First(),
			s.Launch(&s.walk, func() error {
				s.now += s.took[s.shape.Block/Warp]
				return nil
			})); err != nil {
			t.Fatal(err)
		}
		if err := s.Launch(&s.search, func() error {
			warps := s.search.Config().Block / Warp
			if s.walk.untried() != (warps == 0) {
				t.Fatalf("%d warps while the walk is tried: %v", warps, s.walk.Trying())
			}
			if warps == 16 {
				return errStand
			}
			launched = append(launched, warps)
			s.now += time.Duration(100+max(warps, 6)-min(warps, 6)) * time.Microsecond
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Last(), s.Read()); err != nil {
			t.Fatal(err)
		}
	}
	w := s.Waves()
	if len(w) != 2 || !w[0].Tuned || !w[1].Tuned || w[1].Config != Blocks(40, 6) ||
		launched[99] != 6 ||
		s.Loose() {
		t.Fatalf("%+v", w)
	}
	for _, trial := range w[1].Trials {
		if bad := trial.Config == Blocks(40, 16); bad != errors.Is(trial.Err, errStand) {
			t.Errorf("%+v", trial)
		}
	}
	if s.Again(); s.search.tuner != nil {
		t.Error("what was found is not forgotten")
	}
}

// Where none can be launched, the crew's own words are told; a crew that then finds another launch
// goes on.
func TestNoWalkIsTaken(t *testing.T) {
	t.Parallel()
	s := newStand(7, standTimes())
	for w := range s.took {
		s.refuses[w] = true
	}
	if err := s.Settle(&s.walk); !errors.Is(err, errStand) || s.walk.Trying() {
		t.Errorf("%v", err)
	}
	s.refuses[7] = false
	s.iterate(t)
	if s.shape != Warps(100, 7) {
		t.Errorf("%v", s.shape)
	}
}

func TestSpansOfIterations(t *testing.T) {
	t.Parallel()
	s := newStand(7, standTimes())
	s.Schedule(true, 0)
	s.iterate(t)
	if s.Spans() != nil || s.Loose() {
		t.Error("measured unasked")
	}
	s.Time(true)
	if !s.Loose() {
		t.Error("the first one's parts are not measured")
	}
	s.iterate(t)
	s.iterate(t)
	want := []solvers.Span{
		{Name: "construct", Time: 100 * time.Microsecond},
		{Name: "iteration", Time: 107 * time.Microsecond},
	}
	if got := s.Spans(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	s.Time(false)
	if s.iterate(t); s.Spans() != nil || s.Loose() {
		t.Error("still measured")
	}
}
