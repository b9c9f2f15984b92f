package spins

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
)

// A twin is the law of the documentation for one walk, without words, positions and planes.
type twin struct {
	inst    *datasets.Cut
	colours [][]int // vertices by colour
	scale   float64
	seed    uint64
	walk    int
	x       []int8
	flips   int64
}

func newTwin(c *datasets.Cut, seed uint64, walk int) *twin {
	t := &twin{inst: c, seed: seed, walk: walk, x: make([]int8, c.N)}
	colour := twoColours(c)
	if colour == nil {
		colour = slices.Repeat([]int{-1}, c.N)
		for range c.N { // the vertex of most neighbours, of the smallest number, that has no colour
			v, most := -1, -1
			for u := range c.N {
				if near, _ := c.Neighbours(u); colour[u] < 0 && len(near) > most {
					v, most = u, len(near)
				}
			}
			near, _ := c.Neighbours(v)
			for k := 0; colour[v] < 0; k++ {
				if !slices.ContainsFunc(near, func(u int32) bool { return colour[u] == k }) {
					colour[v] = k
				}
			}
		}
	}
	t.colours = make([][]int, slices.Max(colour)+1)
	var sum float64
	for v, k := range colour {
		t.colours[k] = append(t.colours[k], v)
		_, weights := c.Neighbours(v)
		for _, w := range append([]int32{int32(c.Field(v))}, weights...) {
			x := float64(c.Step()) / 2 * float64(w)
			sum += float64(x * x)
		}
		draw := arith.Philox4x32(seed, [4]uint32{0, 1 << 24, uint32(v), uint32(walk / 32)})
		t.x[v] = int8(draw[0] >> (walk % 32) & 1)
	}
	if t.scale = math.Sqrt(sum / float64(c.N)); sum == 0 {
		t.scale = 1
	}
	return t
}

// twoColours colours by the distance from the smallest vertex; nil: neighbours are alike.
func twoColours(c *datasets.Cut) []int {
	colour := slices.Repeat([]int{-1}, c.N)
	var reach func(v, k int)
	reach = func(v, k int) {
		colour[v] = k
		near, _ := c.Neighbours(v)
		for _, u := range near {
			if colour[u] < 0 {
				reach(int(u), 1-k)
			}
		}
	}
	for v := range c.N {
		if colour[v] < 0 {
			reach(v, 0)
		}
	}
	for v := range c.N {
		near, _ := c.Neighbours(v)
		for _, u := range near {
			if colour[u] == colour[v] {
				return nil
			}
		}
	}
	return colour
}

// iterate makes an iteration at a temperature of 1.
func (t *twin) iterate(it int64, sweeps int, temperature float64) {
	warm := temperature * t.scale
	for s := range sweeps {
		for _, vertices := range t.colours {
			for _, v := range vertices {
				d := float64(t.inst.Loss(t.x, v))
				if d > 0 && t.number(it, s, v) >= q(d, warm) {
					continue
				}
				t.x[v] ^= 1
				t.flips++
			}
		}
	}
}

// q is the threshold of a loss.
func q(d, t float64) uint32 {
	y := d / (t * math.Ln2)
	if t == 0 || y >= 32 {
		return 0
	}
	return uint32(min(math.Floor(math.Exp2(32)*arith.Exp2(-y)), math.Exp2(32)-1))
}

// number is the random one of a flip.
func (t *twin) number(it int64, sweep, v int) (u uint32) {
	for b := range uint32(32) {
		draw := arith.Philox4x32(t.seed, [4]uint32{
			uint32(it), uint32(it>>32) ^ b/4<<20 ^ 2<<24, uint32(v) ^ uint32(sweep)<<20, uint32(t.walk / 32),
		})
		u = u<<1 | draw[b%4]>>(t.walk%32)&1
	}
	return u
}

// random draws an instance.
func random(t *rapid.T) *datasets.Cut {
	n := rapid.IntRange(1, 90).Draw(t, "n")
	forms := []string{"unit", "even", "small", "large", "field", "qubo"}
	form := rapid.SampledFrom(forms).Draw(t, "form")
	density := rapid.SampledFrom([]int{0, 2, 5, 20, 60, 100}).Draw(t, "density")
	seed := rapid.Uint64().Draw(t, "graph")
	r := arith.NewStream(seed, 0, 0, 0)
	weight := func() int64 {
		switch form {
		case "even":
			return 6*int64(r.IntN(2)) - 3
		case "small", "qubo":
			return int64(r.IntN(9)) - 4
		case "large":
			return int64(r.IntN(2_000_001)) - 1_000_000
		}
		return 2*int64(r.IntN(2)) - 1
	}
	var edges []datasets.Edge
	fields := make([]int64, n)
	lattice := rapid.Bool().Draw(t, "lattice")
	for v := range n {
		fields[v] = weight()
		for u := range v {
			if lattice && v-u != 1 && v-u != 9 || !lattice && r.IntN(100) >= density {
				continue
			}
			edges = append(edges, datasets.Edge{U: int32(u), V: int32(v), Weight: weight()})
		}
	}
	var c *datasets.Cut
	var err error
	switch form {
	case "field":
		c, err = datasets.NewIsing(form, n, fields, edges, 3)
	case "qubo":
		c, err = datasets.NewQUBO(form, n, fields, edges, -2, rapid.Bool().Draw(t, "maximise"))
	default:
		c, err = datasets.NewCut(form, n, edges)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Each walk is what the law says, cost and flips included, however hot it is.
func TestWalksKeepTheLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := random(t)
		walks := rapid.IntRange(1, 100).Draw(t, "walks")
		seed := rapid.Uint64().Draw(t, "seed")
		pool := solvers.NewPool(2)
		defer pool.Close()
		p := &Problem{Net: NewNet(c), Walks: walks, Seed: seed, Env: &solvers.Env{Pool: pool}}
		e := newCores(p)
		if err := e.Load(p.start()); err != nil {
			t.Fatal(err)
		}
		twins := make([]*twin, walks)
		for w := range twins {
			twins[w] = newTwin(c, seed, w)
		}
		var levels Levels
		out := make([]Group, p.Groups())
		words := make([]uint32, c.N)
		first := rapid.SampledFrom([]int64{1, 1<<32 - 1, 1 << 40}).Draw(t, "first")
		for it := range int64(3) {
			it += first
			temperature := rapid.SampledFrom([]float64{0, 0.02, 0.1, 0.3, 1, 3, 100}).Draw(t, "temperature")
			sweeps := rapid.IntRange(1, 3).Draw(t, "sweeps")
			levels.Set(p.Net, temperature, p.Net.most())
			job := Job{Iteration: it, Sweeps: sweeps, Levels: &levels}
			if err := e.Iterate(context.Background(), job, out); err != nil {
				t.Fatal(err)
			}
			var flips, want int64
			for g := range out {
				flips += out[g].Flips
			}
			for w, tw := range twins {
				was := tw.flips
				tw.iterate(it, sweeps, temperature)
				want += tw.flips - was
				if w%32 == 0 {
					_ = e.Words(w/32, words)
				}
				if err := compare(p, tw, words, &out[w/32]); err != nil {
					t.Fatalf("iteration %d at %v: %v", it, temperature, err)
				}
			}
			if flips != want {
				t.Fatalf("iteration %d: %d flips, want %d", it, flips, want)
			}
		}
	})
}

// compare returns where a walk differs from its twin.
func compare(p *Problem, tw *twin, words []uint32, g *Group) error {
	for i, v := range p.Net.Vertex {
		if is := int8(words[i] >> (tw.walk % 32) & 1); is != tw.x[v] {
			return fmt.Errorf("walk %d: vertex %d is on side %d, want %d", tw.walk, v, is, tw.x[v])
		}
	}
	want, err := p.Net.Inst.Cost(tw.x)
	if err != nil {
		return err
	}
	if is := p.Net.Cost(g.Good[tw.walk%32]); is != want {
		return fmt.Errorf("walk %d costs %d, want %d", tw.walk, is, want)
	}
	return nil
}

// The thresholds fall with the loss, and the share of flips is that of the exponential.
func TestThresholds(t *testing.T) {
	t.Parallel()
	for _, warm := range []float64{0.1, 1, 7.5, 1e6} {
		last := uint32(math.MaxUint32)
		for d := 1; d < 500; d++ {
			is := Threshold(float64(d), warm)
			want := math.Exp(-float64(d) / warm)
			if is > last || math.Abs(float64(is)/(1<<32)-want) > 1e-9 {
				t.Fatalf("temperature %v, loss %d: %d, want %v of 2^32 and at most %d", warm, d, is, want, last)
			}
			last = is
		}
	}
	if Threshold(1, 0) != 0 {
		t.Error("a loss is accepted at temperature 0")
	}
}

// Neighbours differ in colour; positions are all vertices, once.
func TestColouring(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := random(t)
		n := NewNet(c)
		colour := make([]int, c.N)
		for k := range n.Colours[:len(n.Colours)-1] {
			if n.Colours[k] == n.Colours[k+1] {
				t.Fatalf("colour %d has no vertex", k)
			}
			for i := n.Colours[k]; i < n.Colours[k+1]; i++ {
				if n.Place[n.Vertex[i]] != i {
					t.Fatalf("position %d has vertex %d, whose position is %d", i, n.Vertex[i],
						n.Place[n.Vertex[i]])
				}
				colour[n.Vertex[i]] = k
			}
		}
		for v := range c.N {
			near, _ := c.Neighbours(v)
			for _, u := range near {
				if colour[u] == colour[v] {
					t.Fatalf("neighbours %d and %d have colour %d", u, v, colour[v])
				}
			}
		}
	})
}
