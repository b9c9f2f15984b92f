package view_test

import (
	"math"
	"slices"

	"metalab/kernel/view"
	"metalab/solvers/record"
)

// wave is a fixed series between -1 and 1 without math's functions, so that every
// machine makes the same.
func wave(i, k int) float64 { return float64((i*i*7+i*k*13)%201)/100 - 1 }

// run is a run of n iterations that ends at a gap of 0, with changes.
func run(n int) view.Data {
	optimum := 259045.0
	d := view.Data{
		Name: "a", Title: "acs on pr1002", Objective: "tour length", Best: &optimum,
		Measures: []string{"branching"},
	}
	best := math.Inf(1)
	for i := 1; i <= n; i++ {
		left := float64(n-i) / float64(n)
		iter := math.Round(optimum * (1 + 0.2*left*left*left + 0.005*(1+wave(i, 3))*left))
		best = min(best, iter)
		d.Points = append(d.Points, record.Point{
			Iter: int64(i), Best: best, IterBest: iter, Mean: iter * (1.02 + 0.01*wave(i, 5)),
			Measures: []float64{2 + 12*left*left},
		})
	}
	d.Journal = []record.Change{
		{
			Iter: int64(n / 4), Kind: record.KindSet, Name: "q0", Old: record.Num(0.9),
			New: record.Num(0.98),
		},
		{
			Iter: int64(n / 2), Kind: record.KindSet, Name: "ants", Old: record.Num(10),
			New: record.Num(32),
		},
		{
			Iter: int64(n / 2), Kind: record.KindSet, Name: "local_period", Old: record.Num(1),
			New: record.Num(4),
		},
		{Iter: int64(n), Kind: record.KindStop, Name: "done"},
	}
	return d
}

func named(d view.Data, name string) view.Data {
	d.Name, d.Title = name, ""
	return d
}

// seeded is a run that was never stepped, but repeated over n seeds; those with even numbers
// find what they find later.
func seeded(name string, n, k int) view.Data {
	d := named(run(1), name)
	d.Points, d.Journal = nil, nil
	d.Seeds = &view.Seeds{Budget: "100 iterations"}
	for seed := range n {
		x := record.Seeded{Seed: uint64(seed), Iter: 100}
		for i, at := range []int64{1, 5, 20, 60, 100} {
			if i > 0 && i < 4 && seed%2 == 0 {
				at += 3
			}
			x.Curve.Iter = append(x.Curve.Iter, at)
			x.Curve.Best = append(x.Curve.Best, math.Round(*d.Best*(1+float64(n+k+seed)*0.004/float64(i+1))))
			x.Curve.Wall, x.Curve.CPU = append(x.Curve.Wall, float64(at)/50),
				append(x.Curve.CPU, float64(at)/100)
		}
		x.Best = x.Curve.Best[4]
		d.Seeds.Results = append(d.Seeds.Results, x)
	}
	return d
}

// forked is a run that goes on from d at an iteration, a little worse.
func forked(d view.Data, name string, at int64) view.Data {
	d = named(d, name)
	d.Points = slices.Clone(d.Points)
	for i := range d.Points {
		if p := &d.Points[i]; p.Iter > at {
			p.Best, p.Digest = max(p.Best, d.Points[at-1].Best-float64(p.Iter-at)*9), 1
		}
	}
	d.Journal = append(slices.Clone(d.Journal), record.Change{
		Iter: at, Kind: record.KindFork,
		Name: name,
	})
	return d
}

func withoutBest(d view.Data) view.Data {
	d.Best = nil
	return d
}

// cities is a map of n cities on a jittered grid with a tour in rows, there and
// back, of which the last picture had a part otherwise, and with trails.
func cities(n int) view.Data {
	side := int(math.Ceil(math.Sqrt(float64(n))))
	d := view.Data{Name: "a", Title: "a: a tour"}
	state := uint64(1)
	jitter := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>40) / (1 << 24)
	}
	for i := range n {
		x, y := i%side, i/side
		if y%2 == 1 {
			x = side - 1 - x
		}
		d.X = append(d.X, float64(x)+0.8*jitter())
		d.Y = append(d.Y, 0.7*(float64(y)+0.8*jitter()))
		d.Tour = append(d.Tour, int32(i))
	}
	d.PrevTour = slices.Clone(d.Tour)
	if n >= 20 {
		slices.Reverse(d.PrevTour[n/3 : n/3+5])
		slices.Reverse(d.PrevTour[n/2 : n/2+7])
	}
	for i := range n {
		for w := 1; w <= min(5, n-1); w++ {
			d.Trails = append(d.Trails, view.Trail{
				I: int32(i), J: int32((i + w) % n),
				V: float32(1/float64(w*w) + 0.1*jitter()),
			})
		}
	}
	return d
}
