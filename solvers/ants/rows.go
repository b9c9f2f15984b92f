package ants

import (
	"context"
	"errors"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// Ways of choosing.
const (
	selectWheel = "rwm" // roulette wheel
	selectRace  = "wrs" // weighted reservoir sampling
)

const layoutRows = "Philox4x32-10; key: seed. selection=rwm: counter {iteration low, iteration high, ant, p / 4}, word p mod 4, " +
	"for position p of the tour: p = 0 the first city, as word * n / 2^32; later the choice. selection=wrs with lists of up to 32: that of mmas/wrs. " +
	"selection=wrs else: the draws of rwm for the first city and for the choice in a group; the clock of the group of lane l in segment b is word b mod 4 of the counter " +
	"{iteration low, iteration high XOR 2^31 XOR p, ant, 32 (b / 4) + l}; position i of the list or mask has b = i / 256 and l = (i / 4) mod 32."

func init() {
	solvers.Register(RowsVariant("cpu", nil))
}

// RowsVariant is mmas/rows on a backend whose crews hire makes. A nil hire walks here.
//
// The six algorithms of the paper are one variant with two structural parameters, and not
// six: a fork changes them in the middle of a run, everything but the choice is common to
// them, and lc and ct even make the same tours.
func RowsVariant(backend string, hire func(env *solvers.Env, g *Ground) (MaxMinCrew, error)) solvers.Variant {
	return solvers.Variant{
		Solver: "mmas", Name: "rows", Backend: backend, Revision: 3, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: solvers.Named("best", "paper", "paper-2opt", "best-local"),
		Title:   "MAX-MIN Ant System with the six choices of the GPU paper: roulette or reservoir, over all that is unvisited or over lists",
		Source: "R. Skinderowicz, 2020, Implementing a GPU-based parallel MAX-MIN Ant System, doi:10.1016/j.future.2020.01.011; " +
			"T. Stuetzle, H. H. Hoos, 2000, MAX-MIN Ant System, doi:10.1016/S0167-739X(00)00043-1",
		Layout: layoutRows,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, err := asTSP(inst)
			if err != nil {
				return nil, err
			}
			r := &rows{reservoir: reservoir{maxmin: maxmin{colony: colony{inst: t, localShare: 1}}, hire: hire}}
			r.Preset("best")
			return r, nil
		},
	}
}

// rows is mmas/rows: the variants MMAS-RWM and MMAS-WRS of the paper, each with three ways
// of keeping the tabu list, with and without candidate lists.
//
// Choice. selection=rwm draws one number and a roulette wheel ([spin]); selection=wrs is weighted
// reservoir sampling with a key for each group of eight positions ([sample]), where the published
// code has one for each city. Both give each city a probability in proportion to its weight.
//
// candidates=0: all unvisited cities take part, at the positions of the [tabu] list, in
// float32 weights of a matrix. The positions of lc and ct are the same, so are their tours;
// bt has another order, and other tours.
//
// candidates=k: the unvisited ones on the list of the k nearest take part, at their slots;
// the tabu list answers which are visited and changes no tour. wrs with up to 32 candidates
// is mmas/wrs. When all candidates are visited the ant goes to the unvisited city of greatest
// weight, with storage=matrix; of equal ones to that with the smallest number. With
// storage=candidates edges on no list have no trail of their own, and it goes to the nearest,
// as in mmas/wrs.
//
// The paper's kernels add up weights in an order that depends on the block's size, and
// draw from generators by thread; here both are fixed, see [spin].
type rows struct {
	reservoir
	selection, tabu string

	left []*tabu     // by worker
	mass [][]float32 // by worker: the weights of a choice, by position
}

// mostAll is the greatest number of cities without lists.
const mostAll = mostWeights

// Preset implements solvers.Presetter.
func (r *rows) Preset(name string) bool {
	if !r.reservoir.Preset(name) {
		return false
	}
	r.selection, r.tabu = selectRace, tabuCompact
	if name == "paper" {
		r.storage = storeMatrix
	}
	return true
}

// Declare implements solvers.Algorithm.
func (r *rows) Declare(t *solvers.Params) {
	r.declareLive(t)
	t.Int(&r.candidates, record.Param{
		Name: "candidates", Class: record.Structural, Min: 0, Max: float64(min(mostCandidates(r.inst.N), mostAll)), Step: 1, Unit: "cities",
		Doc:    "Length of the candidate lists: an ant goes to one of this many nearest cities while one is unvisited; 0: no lists, all unvisited cities take part in every choice (up to 8192 cities). A GPU takes 0 to 32.",
		Effect: "a fork keeps the trails of edges that have one there too",
	})
	t.Enum(&r.storage, record.Param{
		Name: "storage", Class: record.Structural, Options: []string{storeCandidates, storeMatrix},
		Doc:    "Which edges have trails: those on candidate lists (an ant whose candidates are visited goes to the nearest city), or all (12 n^2 bytes; it goes to the city of greatest weight). Without lists always all.",
		Effect: "a fork keeps the trails of edges that have one there too",
	})
	t.Enum(&r.selection, record.Param{
		Name: "selection", Class: record.Structural, Options: []string{selectWheel, selectRace},
		Doc:    "How a city is drawn: rwm, roulette wheel, one draw a choice; wrs, weighted reservoir sampling, a draw for each eight cities (each city with lists of up to 32). The probabilities are the same.",
		Effect: "a fork keeps all trails",
	})
	t.Enum(&r.tabu, record.Param{
		Name: "tabu", Class: record.Structural, Options: tabuWords,
		Doc:    "How an ant knows the unvisited cities: lc, a dense list and each city's position in it; ct, both in one array; bt, a bit for each city. lc and ct give the same tours; with candidate lists all three do.",
		Effect: "a fork keeps all trails",
	})
	r.declareRounds(t)
	t.Int(&r.warps, record.Param{
		Name: "warps", Class: record.Schedule, Min: 0, Max: Width, Step: 1, Unit: "warps",
		Doc:    "On a GPU, without lists: how many warps share an ant's choice; with lists: how many ants, a warp each, share a block. 0: tuned by the device's clock in the first iterations, see trials. Nothing on the cpu.",
		Effect: "none: results are the same",
	})
	r.declareTrials(t)
}

// Init implements solvers.Algorithm.
func (r *rows) Init(env *solvers.Env) error {
	candidates, storage := r.candidates, r.storage
	defer func() { r.candidates, r.storage = candidates, storage }()
	if candidates == 0 {
		if r.inst.N > mostAll {
			return fmt.Errorf("ants: candidates is 0: %s has %d cities, and choices among all of them are made up to %d: use lists", r.inst.Title, r.inst.N, mostAll)
		}
		// The nearest cities of each scale the weights, and their trails are looked at.
		r.candidates, r.storage = max(1, min(Width, r.inst.N-1)), storeMatrix
		r.choices = r.inst.N
	}
	if r.hire != nil {
		if err := errors.Join(supported(r.inst, shortCities, "mmas/wrs, or backend cpu"), r.stayAway()); err != nil {
			return err
		}
		if r.candidates > Width {
			return fmt.Errorf("ants: candidates is %d, a GPU takes 0 (no lists) and 1 to %d: use backend cpu", r.candidates, Width)
		}
	}
	if err := r.maxmin.Init(env); err != nil {
		return err
	}
	if r.hire == nil {
		r.startRace()
		switch {
		case candidates == 0:
			r.walkAnt = r.roam
		case r.selection == selectRace && candidates <= Width:
			r.walkAnt = r.race
		default:
			r.walkAnt = r.listed
		}
		return nil
	}
	g, err := r.ground()
	if err != nil {
		return err
	}
	g.All, g.Matrix, g.Selection, g.Tabu = candidates == 0, r.t.full != nil, r.selection, r.tabu
	if r.gang, err = r.hire(env, g); err != nil {
		return err
	}
	r.crew = r.gang
	if err := r.sendAll(); err != nil {
		r.Close()
		return err
	}
	return nil
}

// Iterate implements solvers.Algorithm.
func (r *rows) Iterate(ctx context.Context, it int64, p *record.Point) error {
	for r.crew == nil && len(r.left) < r.env.Pool.Size() {
		r.left = append(r.left, newTabu(r.tabu, r.n))
		r.mass = append(r.mass, make([]float32, max(r.n, r.t.k)))
	}
	return r.reservoir.Iterate(ctx, it, p)
}

// roam makes the tour of an ant without lists.
func (r *rows) roam(ant, worker int) {
	if r.stopped() {
		return
	}
	left, tour := r.left[worker], r.tour(ant)
	left.reset()
	d := newDraws(r.env.Seed, r.it, ant)
	city := int32(arith.Below(d.word(0), r.n))
	tour[0] = city
	left.visit(city)
	var length int64
	for p := 1; p < len(tour); p++ {
		if p%(1+glance/r.n) == 0 && r.stopped() {
			return
		}
		m := left.gather(r.mass[worker], r.t.full.weight[int(city)*r.n:int(city)*r.n+r.n])
		next := left.city(r.draw(m, &d, ant, p))
		length += int64(r.sp.D(city, next))
		city = next
		tour[p] = city
		left.visit(city)
	}
	r.falls[ant] = 0
	r.ended(ant, tour, length)
}

// draw chooses a position of m.
func (r *rows) draw(m []float32, d *draws, ant, p int) int {
	u := arith.Unit32(d.word(p))
	if r.selection == selectRace {
		return sample(m, u, r.env.Seed, r.it, ant, p)
	}
	return spin(m, u)
}

// ended notes an ant's tour, whose length but for the way back is known.
func (r *rows) ended(ant int, tour []int32, length int64) {
	r.lengths[ant] = length + r.closing(tour)
	r.hashes[ant] = arith.HashPerm(tour)
	r.progress(r.finished.Add(1), int64(r.ants))
}

// listed makes the tour of an ant with lists.
func (r *rows) listed(ant, worker int) {
	if r.stopped() {
		return
	}
	w, t, left, tour := r.work[worker], r.t, r.left[worker], r.tour(ant)
	clear(w.seen)
	w.rest.done = 0
	left.reset()
	d := newDraws(r.env.Seed, r.it, ant)
	city := int32(arith.Below(d.word(0), r.n))
	tour[0], w.seen[city] = city, 1
	left.visit(city)
	var length int64
	falls := int32(0)
	m := r.mass[worker][:t.k]
	for p := 1; p < len(tour); p++ {
		if p%(1+glance/t.stride) == 0 && r.stopped() {
			return
		}
		at := int(city) * t.stride
		for s, id := range t.id[at : at+t.k] {
			switch {
			case left.visited(id):
				m[s] = 0
			default:
				m[s] = t.weight[at+s]
			}
		}
		if s := r.draw(m, &d, ant, p); s >= 0 {
			city = t.id[at+s]
			length += int64(t.dist[at+s])
		} else {
			var far int32
			city, far = r.fall(city, w, tour[:p])
			length += int64(far)
			falls++
		}
		tour[p], w.seen[city] = city, 1
		left.visit(city)
	}
	r.falls[ant] = falls
	r.ended(ant, tour, length)
}
