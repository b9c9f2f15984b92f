package genetic

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// An Engine keeps the tours of ga/tournament in rows, and makes them in place of this package,
// as on a device, with the same results. Tours are of internal cities. Its methods are called from
// one goroutine at a time.
type Engine interface {
	// Room reserves memory for so many tours and so many simultaneous births, if there are fewer rows;
	// existing rows stay. It may also reserve further memory for the births.
	Room(tours, births int) error

	// Put writes a tour into a row, Tour reads one.
	Put(row int32, tour []int32) error
	Tour(row int32, tour []int32) error

	// Start makes first tours, which have no parents, and fills out, one for each: random ones, or
	// with job.Nearest those of the nearest neighbour from random cities. They begin at the
	// instance's first city unless job.Drawn.
	Start(ctx context.Context, job Job, births []Birth, out []Made) error

	// Reproduce makes tours and fills out, one for each. It writes to their rows alone. It may look at
	// ctx at the start only.
	Reproduce(ctx context.Context, job Job, births []Birth, out []Made) error

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

// A Problem holds the data for an engine.
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
	Nearest   bool // first tours go to the nearest neighbour

	// Parts are the parts of the population, such as its groups, to which births belong: tours of one
	// are seldom parents in another. An engine may build each elsewhere, with the same results.
	Parts []int32
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
	Seed        uint64 // of its draws
	To, A, B    int32  // rows: where it goes, and its parents
	Place       int32  // in the population: the agent of its draws
	Cross       Cross
	From, Until int32 // with ARX, the places at which the parents change over
	Improve     int32 // 1: the moves of elite=improved instead of a mutation
}

// A Made describes a new tour.
type Made struct {
	Length int64
	Hash   uint64 // arith.HashPerm
}

var crosses = map[string]Cross{
	"": None, crossSCX: SCX, crossBCSCX: BCSCX, crossARX: ARX,
}

// TournamentOn describes ga/tournament on a backend with engines from engine, for solvers.Register.
// It accepts symmetric instances.
func TournamentOn(backend string, engine func(*Problem) (Engine, error)) solvers.Variant {
	v := tournamentVariant
	v.Backend, v.Kinds = backend, []datasets.Kind{datasets.KindTSP}
	v.New = func(inst datasets.Instance) (solvers.Algorithm, error) {
		t, err := asTSP(inst)
		if err != nil {
			return nil, err
		}
		g := newTournament(t)
		g.far = &remote{make: engine}
		return remoteTournament{g}, nil
	}
	return v
}

// remote holds the tours of a population if an engine has them: an individual then names a row, and
// has no tour. Two may name the same row.
type remote struct {
	make   func(*Problem) (Engine, error)
	engine Engine
	best   int32 // the row of the best tour; -1: common.best has it
	err    error // of a failed copy; the next iteration returns it

	used   []bool // by row
	free   []int32
	births []Birth
	parts  []int32 // of births
	made   []Made
}

// begin makes the engine, on several devices several.
func (f *remote) begin(g *tournament) (err error) {
	f.best = -1
	p := &Problem{Space: g.space, Near: g.list, Seed: g.env.Seed, Env: g.env}
	if len(g.env.Devices) < 2 {
		f.engine, err = f.make(p)
		return err
	}
	p.Near = sync.OnceValue(g.list) // devices may ask for them at the same time
	x, err := newSpread(p, f.make)
	if err != nil {
		return err
	}
	f.engine = x
	return nil
}

// put writes a tour of a part of the population into a row.
func (f *remote) put(part, row int32, tour []int32) error {
	if x, ok := f.engine.(*spread); ok {
		return x.put(part, row, tour)
	}
	return f.engine.Put(row, tour)
}

// group returns the number of the group that has a place among of places.
func (g *tournament) group(place, of int) int32 {
	groups := max(1, min(g.groups, of/4))
	return int32(((place+1)*groups - 1) / of)
}

// vacant lists at least n rows that hold no tour of the population, nor the best one, and makes
// room for them if need be.
func (f *remote) vacant(g *tournament, n int) error {
	clear(f.used)
	count := 0
	if f.best >= 0 {
		count += f.use(f.best)
	}
	count += f.useAll(g.next) + f.useAll(g.members)
	return f.spare(count, n)
}

// use marks a row, and returns how many rows are marked by that.
func (f *remote) use(row int32) int {
	if int(row) >= len(f.used) {
		f.used = append(f.used, make([]bool, int(row)+1-len(f.used))...)
	}
	if f.used[row] {
		return 0
	}
	f.used[row] = true
	return 1
}

func (f *remote) useAll(members []individual) (count int) {
	for i := range members {
		count += f.use(members[i].row)
	}
	return count
}

// spare lists n rows that are not marked, where count are.
func (f *remote) spare(count, n int) error {
	if err := f.engine.Room(count, n); err != nil {
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

// reproduce is tournament.reproduce by the engine.
func (f *remote) reproduce(ctx context.Context, g *tournament, it int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.vacant(g, len(g.plan)); err != nil {
		return err
	}
	f.births, f.parts = f.births[:0], f.parts[:0]
	f.expect(g, func(place int) int32 { return g.group(place, len(g.members)) })
	if err := f.breed(ctx, g, it); err != nil {
		return err
	}
	f.settle(g, 0)
	return nil
}

// expect adds the tours of g's plan to the births, in rows that are free; part says to which part
// that of a place belongs.
func (f *remote) expect(g *tournament, part func(place int) int32) {
	for i := range g.plan {
		b := &g.plan[i]
		birth := Birth{
			Seed: g.env.Seed, To: f.free[len(f.births)], A: g.next[b.a].row, B: g.next[b.b].row,
			Place: int32(b.place), Cross: crosses[b.cross], From: int32(b.from), Until: int32(b.to),
		}
		if b.first {
			birth.Improve = 1
		}
		f.births, f.parts = append(f.births, birth), append(f.parts, part(b.place))
	}
}

// breed has the births made, as the parameters of g say.
func (f *remote) breed(ctx context.Context, g *tournament, it int64) error {
	f.made = slices.Grow(f.made[:0], len(f.births))[:len(f.births)]
	return f.engine.Reproduce(ctx, Job{
		Iteration: uint64(it), Mutation: g.mutation, Gaining: g.move == moveGaining, Moves: g.moves,
		Drawn: g.origin == originDrawn, Parts: f.parts,
	}, f.births, f.made)
}

// settle stores the tours of g's plan, the first of which is birth at.
func (f *remote) settle(g *tournament, at int) {
	for i := range g.plan {
		b, m := &g.plan[i], f.made[at+i]
		b.out = individual{
			row: f.births[at+i].To, length: m.Length, hash: m.Hash, child: b.cross != "",
		}
		b.better = b.cross != "" && b.out.length < min(g.next[b.a].length, g.next[b.b].length)
	}
}

// lead is common.lead.
func (f *remote) lead(g *tournament) int {
	at := shortest(g.members)
	if g.best == nil && f.best < 0 || g.members[at].length < g.bestLen {
		f.best, g.bestLen = g.members[at].row, g.members[at].length
	}
	return at
}

// diversity is the function of that name.
func (f *remote) diversity(g *tournament, at int) (float64, error) {
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

// fetch copies a tour from the engine.
func (f *remote) fetch(row int32, tour []int32) {
	if f.err != nil {
		return
	}
	if err := f.engine.Tour(row, tour); err != nil {
		f.err = fmt.Errorf("genetic: the tour of row %d: %w", row, err)
	}
}

// pull copies the best tour from the engine.
func (f *remote) pull(g *tournament) {
	if f.best < 0 || f.err != nil {
		return
	}
	tour := make([]int32, g.space.N)
	if f.fetch(f.best, tour); f.err == nil {
		g.common.best, f.best = tour, -1
	}
}

// remoteTournament is tournament whose tours an engine has.
type remoteTournament struct{ *tournament }

func (g remoteTournament) Time(on bool) bool {
	e, ok := g.tournament.far.engine.(Tuned)
	return ok && e.Time(on)
}

func (g remoteTournament) Spans() []solvers.Span {
	if e, ok := g.tournament.far.engine.(Tuned); ok {
		return e.Spans()
	}
	return nil
}

func (g remoteTournament) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if e, ok := g.tournament.far.engine.(Tuned); ok {
		return e.Turn(ctx)
	}
	return func() {}, false, nil
}

// Parts implements solvers.Spreader.
func (g remoteTournament) Parts() int { return max(1, min(g.groups, g.population/4)) }

func (g remoteTournament) Best() float64 {
	if g.tournament.far.best >= 0 {
		return float64(g.tournament.bestLen)
	}
	return g.tournament.Best()
}

func (g remoteTournament) Solution() record.Solution {
	g.tournament.far.pull(g.tournament)
	return g.tournament.Solution()
}

func (g remoteTournament) Trace() [][]int32 {
	out, tour := make([][]int32, len(g.tournament.members)), make([]int32, g.tournament.space.N)
	for i := range g.tournament.members {
		g.tournament.far.fetch(g.tournament.members[i].row, tour)
		if g.tournament.far.err != nil {
			return nil
		}
		out[i] = g.tournament.space.ToInstance(tour)
	}
	return out
}

// Snapshot copies one tour at a time: all of them may be gigabytes. If the state is lost with its
// device, Snapshot says so, so that nobody restores an old one by mistake.
func (g remoteTournament) Snapshot(w *solvers.Writer) {
	f := g.tournament.far
	if f.pull(g.tournament); f.err == nil {
		writeHead(w, g.tournament.members, g.tournament.best, g.tournament.bestLen)
	}
	tour := make([]int32, g.tournament.space.N)
	for i := range g.tournament.members {
		if f.fetch(g.tournament.members[i].row, tour); f.err != nil {
			break
		}
		w.Int32s("tour", tour)
	}
	if f.err != nil {
		w.Bytes("lost", []byte(f.err.Error()))
	}
}

// Restore gives the tours to the engine one by one.
func (g remoteTournament) Restore(r *solvers.Reader) error {
	f, have := g.tournament.far, 0
	keep := func(i int, m *individual, tour []int32) error {
		if i >= have { // rows for the whole population and its children
			births := g.tournament.births()
			have = max(g.tournament.population+births, i+1+i/2)
			if err := f.engine.Room(have-births, births); err != nil {
				return err
			}
		}
		m.row = int32(i)
		population := g.tournament.population
		return f.put(g.tournament.group(min(i, population-1), population), m.row, tour)
	}
	members, best, length, err := readPopulation(r, g.tournament.space, keep)
	if err != nil {
		return err
	}
	t := g.tournament
	t.members, t.best, t.bestLen = resize(members, t.population), best, length
	g.tournament.next, g.tournament.plan, f.best = nil, nil, -1
	return nil
}

func (g remoteTournament) Close() {
	if g.tournament.far.engine != nil {
		g.tournament.far.engine.Close()
	}
}
