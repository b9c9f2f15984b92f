package genetic

import (
	"context"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// An Engine keeps the tours of rivals in rows, and makes them in place of the code of this package,
// as on a device, with the same results. Tours are of internal cities. Its methods are called from
// one goroutine at a time.
type Engine interface {
	// Room makes room for so many rows, if there are fewer; those that there are stay.
	Room(rows int) error

	// Put writes a tour into a row, Tour reads one.
	Put(row int32, tour []int32) error
	Tour(row int32, tour []int32) error

	// Start makes random tours in rows 0, 1, ... and fills out, one for each. With turned, they
	// begin at the instance's first city.
	Start(ctx context.Context, turned bool, out []Made) error

	// Bear makes tours and fills out, one for each. It writes to their rows alone. It may look at
	// ctx at the start only.
	Bear(ctx context.Context, job Job, births []Birth, out []Made) error

	// Differ counts the edges of tours, in rows, that the tour of another row does not have.
	Differ(row int32, rows []int32) (edges int64, err error)

	// Close frees what the garbage collector does not free.
	Close()
}

// A Tuned engine tells how long its parts take by its device's clock, and waits for its turn there.
type Tuned interface {
	Engine
	solvers.Timer
	solvers.Sharer
}

// A Problem is what an engine needs to know when it is made.
type Problem struct {
	Space *tours.Space
	Near  func() tours.Neighbours // the lists for moves that gain, made when they are asked for
	Seed  uint64
	Env   *solvers.Env
}

// A Job is a generation.
type Job struct {
	Iteration uint64
	Mutation  float64
	Gaining   bool // mutations make moves that gain
	Moves     int  // of a mutation
	Drawn     bool // children begin at a random city, else at the instance's first
}

// A Cross is a crossover.
type Cross int32

// The crossovers. With None a tour is a copy of its first parent, which may mutate.
const (
	None Cross = iota
	SCX
	BCSCX
	ARX
)

// A Birth is a tour to make.
type Birth struct {
	To, A, B    int32 // rows: where it goes, and its parents
	Place       int32 // in the population: the agent of its draws
	Cross       Cross
	From, Until int32 // with ARX, the places at which the parents change over
	Improve     int32 // 1: the moves of elite=improved instead of a mutation
}

// Made is what is known of a tour that was made.
type Made struct {
	Length int64
	Hash   uint64 // arith.HashPerm
}

var crosses = map[string]Cross{
	"": None, crossSCX: SCX, crossBCSCX: BCSCX, crossARX: ARX,
}

// RivalsOn describes ga/rivals on a backend whose engine is made by engine, for solvers.Register.
// It takes symmetric instances.
func RivalsOn(backend string, engine func(*Problem) (Engine, error)) solvers.Variant {
	v := rivalsVariant
	v.Backend, v.Kinds = backend, []datasets.Kind{datasets.KindTSP}
	v.New = func(inst datasets.Instance) (solvers.Algorithm, error) {
		t, err := asTSP(inst)
		if err != nil {
			return nil, err
		}
		g := newRivals(t)
		g.far = &remote{make: engine}
		return remoteRivals{g}, nil
	}
	return v
}

// remote is where the tours of a population are if an engine has them: an individual names a row
// then, and has no tour. Two may name the same row.
type remote struct {
	make   func(*Problem) (Engine, error)
	engine Engine
	loaded bool  // the engine has the population
	best   int32 // the row of the best tour; -1: common.best has it
	err    error // of a copy that could not be made; the next iteration returns it

	used   []bool // by row
	free   []int32
	births []Birth
	made   []Made
}

// begin makes the engine.
func (f *remote) begin(g *rivals) (err error) {
	f.best = -1
	f.engine, err = f.make(&Problem{
		Space: g.space, Near: g.list, Seed: g.env.Seed, Env: g.env,
	})
	return err
}

// load gives the engine the population, if it has another.
func (f *remote) load(g *rivals) error {
	if f.err != nil || f.loaded || len(g.members) == 0 {
		return f.err
	}
	if err := f.engine.Room(len(g.members) + len(g.members)/2); err != nil {
		return err
	}
	for i := range g.members {
		if err := f.engine.Put(int32(i), g.members[i].tour); err != nil {
			return err
		}
	}
	for i := range g.members {
		g.members[i].tour, g.members[i].row = nil, int32(i)
	}
	f.loaded, f.best = true, -1
	return nil
}

// first makes the first population: random tours by the engine, others here.
func (f *remote) first(ctx context.Context, g *rivals) (members []individual, n int64, err error) {
	if g.start != startRandom || g.given != nil {
		return g.first(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	rows := g.population
	if err := f.engine.Room(rows + rows/2); err != nil {
		return nil, 0, err
	}
	f.made = make([]Made, rows)
	if err := f.engine.Start(ctx, g.origin == originSame, f.made); err != nil {
		return nil, 0, err
	}
	members = make([]individual, rows)
	for i, m := range f.made {
		members[i] = individual{row: int32(i), length: m.Length, hash: m.Hash}
	}
	f.loaded, f.best = true, -1
	return members, int64(rows), nil
}

// vacant lists at least n rows that hold no tour of the population, nor the best one, and makes
// room for them if need be.
func (f *remote) vacant(g *rivals, n int) error {
	clear(f.used)
	count := 0
	use := func(row int32) {
		if int(row) >= len(f.used) {
			f.used = append(f.used, make([]bool, int(row)+1-len(f.used))...)
		}
		if !f.used[row] {
			f.used[row] = true
			count++
		}
	}
	if f.best >= 0 {
		use(f.best)
	}
	for i := range g.next {
		use(g.next[i].row)
	}
	for i := range g.members {
		use(g.members[i].row)
	}
	if err := f.engine.Room(count + n); err != nil {
		return err
	}
	f.free = f.free[:0]
	for row := int32(0); len(f.free) < n; row++ {
		if int(row) >= len(f.used) || !f.used[row] {
			f.free = append(f.free, row)
		}
	}
	return nil
}

// bear is rivals.reproduce by the engine.
func (f *remote) bear(ctx context.Context, g *rivals, it int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.vacant(g, len(g.plan)); err != nil {
		return err
	}
	f.births = f.births[:0]
	for i := range g.plan {
		b := &g.plan[i]
		birth := Birth{
			To: f.free[i], A: g.next[b.a].row, B: g.next[b.b].row, Place: int32(b.place),
			Cross: crosses[b.cross], From: int32(b.from), Until: int32(b.to),
		}
		if b.first {
			birth.Improve = 1
		}
		f.births = append(f.births, birth)
	}
	if len(f.made) < len(g.plan) {
		f.made = make([]Made, len(g.plan))
	}
	err := f.engine.Bear(ctx, Job{
		Iteration: uint64(it), Mutation: g.mutation, Gaining: g.move == moveGaining, Moves: g.moves,
		Drawn: g.origin == originDrawn,
	}, f.births, f.made[:len(g.plan)])
	if err != nil {
		return err
	}
	for i := range g.plan {
		b := &g.plan[i]
		b.out = individual{
			row: f.births[i].To, length: f.made[i].Length, hash: f.made[i].Hash, child: b.cross != "",
		}
		b.better = b.cross != "" && b.out.length < min(g.next[b.a].length, g.next[b.b].length)
	}
	return nil
}

// lead is common.lead.
func (f *remote) lead(g *rivals) int {
	at := shortest(g.members)
	if g.best == nil && f.best < 0 || g.members[at].length < g.bestLen {
		f.best, g.bestLen = g.members[at].row, g.members[at].length
	}
	return at
}

// diversity is the function of that name.
func (f *remote) diversity(g *rivals, at int) (float64, error) {
	if g.space.N < 2 {
		return 0, nil
	}
	count := min(sampled, len(g.members))
	rows := make([]int32, count)
	for k := range rows {
		rows[k] = g.members[k*len(g.members)/count].row
	}
	other, err := f.engine.Differ(g.members[at].row, rows)
	return float64(other) / float64(count*g.space.N), err
}

// pull copies the best tour, and with all the population, from the engine.
func (f *remote) pull(g *rivals, all bool) {
	fetch := func(row int32) []int32 {
		tour := make([]int32, g.space.N)
		if err := f.engine.Tour(row, tour); err != nil && f.err == nil {
			f.err = fmt.Errorf("genetic: the tour of row %d: %w", row, err)
		}
		return tour
	}
	if f.best >= 0 && f.err == nil {
		if tour := fetch(f.best); f.err == nil {
			g.common.best, f.best = tour, -1
		}
	}
	if !all || !f.loaded {
		return
	}
	for i := range g.members {
		if m := &g.members[i]; m.tour == nil && f.err == nil {
			m.tour = fetch(m.row)
		}
	}
}

// forget drops the copies that pull made of the population.
func (f *remote) forget(g *rivals) {
	for i := range g.members {
		g.members[i].tour = nil
	}
}

// remoteRivals is rivals whose tours an engine has.
type remoteRivals struct{ *rivals }

func (g remoteRivals) Time(on bool) bool {
	e, ok := g.far.engine.(Tuned)
	return ok && e.Time(on)
}

func (g remoteRivals) Spans() []solvers.Span {
	if e, ok := g.far.engine.(Tuned); ok {
		return e.Spans()
	}
	return nil
}

func (g remoteRivals) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if e, ok := g.far.engine.(Tuned); ok {
		return e.Turn(ctx)
	}
	return func() {}, false, nil
}

func (g remoteRivals) Best() float64 {
	if g.far.best >= 0 {
		return float64(g.bestLen)
	}
	return g.rivals.Best()
}

func (g remoteRivals) Solution() record.Solution {
	g.far.pull(g.rivals, false)
	return g.rivals.Solution()
}

func (g remoteRivals) Trace() [][]int32 {
	g.far.pull(g.rivals, true)
	if g.far.err != nil {
		return nil
	}
	out := g.rivals.Trace()
	if g.far.loaded {
		g.far.forget(g.rivals)
	}
	return out
}

// Snapshot writes that the state is lost with its device, if it is, so that an old one is not
// restored by mistake.
func (g remoteRivals) Snapshot(w *solvers.Writer) {
	g.far.pull(g.rivals, true)
	if g.far.err != nil {
		w.Bytes("lost", []byte(g.far.err.Error()))
		return
	}
	g.rivals.Snapshot(w)
	if g.far.loaded {
		g.far.forget(g.rivals)
	}
}

func (g remoteRivals) Restore(r *solvers.Reader) error {
	g.far.loaded, g.far.best = false, -1
	return g.rivals.Restore(r)
}

func (g remoteRivals) Close() {
	if g.far.engine != nil {
		g.far.engine.Close()
	}
}
