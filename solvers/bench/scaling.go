package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"metalab/datasets"
	"metalab/solvers"
)

func init() {
	Register(Table{
		Name: "growth", Title: "Cost of an iteration against the size, CPU of one core",
		Source: "measured here; x is the exponent of n from the smallest instance of a family to the " +
			"largest",
		Rows: growthRows(),
	})
	Register(Table{
		Name: "cores", Title: "Speed-up of all cores over one, wall time of the same iterations",
		Source: "measured here; a family that is below 1 is slower on more cores; cpu_s is what a run " +
			"counts, of the CPU time that the process used meanwhile",
		Rows: speedups(),
	})
}

// A family is a variant with instances of growing size.
type family struct {
	solver, variant string
	instances       []string
	first           bool // the first iteration is measured, else those that follow
	iterations      int
}

func growthRows() []Row {
	plane := []string{"E1k.0", "E3k.0", "E10k.0"}
	graphs := []string{"gnp-250-50-1", "gnp-500-50-1", "gnp-1000-50-1"}
	var rows []Row
	for _, f := range []family{
		{"tabu", "robust", []string{"E1k.0", "E10k.0"}, true, 1},
		{"tabu", "robust", []string{"tai50a", "tai100a"}, false, 100},
		{"tabu", "robust", graphs, false, 100},
		{"anneal", "", plane, false, 3},
		{"ils", "", plane, false, 3},
		{"ils", "2opt-rounds", plane, false, 2},
		{"ga", "", []string{"E1k.0", "E3k.0"}, true, 1},
		{"acs", "", plane[:2], false, 3},
		{"mmas", "", plane[:2], false, 1},
	} {
		what := "ms an iteration"
		if f.first {
			what = "ms, the first iteration"
		}
		for _, name := range f.instances {
			rows = append(rows, Row{
				What: f.name() + ", " + what, Instance: name, Seeds: 3, Measure: Own, Unit: "ms",
				Do: func(ctx context.Context, inst datasets.Instance, seed uint64) (float64, error) {
					took, err := f.spent(ctx, inst, seed, 1)
					return 1000 * took.cpu, err
				},
			})
		}
		rows = append(rows, Row{
			What: f.name() + ", exponent of n, " + what, Instance: f.instances[len(f.instances)-1],
			Seeds: 3, Measure: Own, Unit: "x",
			Do: func(ctx context.Context, inst datasets.Instance, seed uint64) (float64, error) {
				return f.exponent(ctx, inst, seed)
			},
		})
	}
	return rows
}

func speedups() []Row {
	var rows []Row
	for _, f := range []family{
		{"tabu", "robust", []string{"tai50a", "tai100a", "E1k.0", "gnp-2000-50-1"}, false, 50},
		{"hill", "", []string{"tai100a", "gnp-2000-50-1", "ppp-101x117-1"}, false, 20},
		{"vnd", "", []string{"tai100a", "E1k.0"}, false, 5},
		{"ga", "", []string{"E1k.0"}, false, 2},
		{"acs", "", []string{"E1k.0"}, false, 5},
		{"mmas", "", []string{"E1k.0"}, false, 2},
		{"ils", "", []string{"E1k.0"}, false, 5},
		{"ils", "2opt-rounds", []string{"E1k.0"}, false, 5},
	} {
		for _, name := range f.instances {
			rows = append(rows, Row{
				What: fmt.Sprintf("%s, speed-up on all cores", f.name()), Instance: name, Seeds: 3,
				Measure: OwnRate, Unit: "times", Do: f.speedup,
			}, Row{
				What: fmt.Sprintf("%s, cpu_s on all cores", f.name()), Instance: name, Seeds: 3,
				Measure: Own, Unit: "of the process's", Do: f.counted,
			})
		}
	}
	return rows
}

func (f family) name() string {
	if f.variant == "" {
		return f.solver
	}
	return f.solver + "/" + f.variant
}

// cost is the seconds of an iteration.
type cost struct{ cpu, wall, process float64 }

// spent makes iterations on so many cores.
func (f family) spent(
	ctx context.Context, inst datasets.Instance, seed uint64, cores int,
) (c cost, err error) {
	v, err := solvers.Find(f.solver, f.variant, "cpu")
	if err != nil {
		return c, err
	}
	b, err := solvers.NewStepper(v, inst)
	if err != nil {
		return c, err
	}
	defer b.Close()
	b.Share(cores)
	if err := b.Init(seed, nil, nil); err != nil {
		return c, err
	}
	skipped := 1
	if f.first {
		skipped = 0
	}
	for it := range skipped + f.iterations {
		began, process := time.Now(), processCPU()
		if _, err := b.Iterate(ctx, int64(it)+1); err != nil {
			return c, err
		}
		if it >= skipped {
			c.cpu += b.Spent().Seconds() / float64(f.iterations)
			c.wall += time.Since(began).Seconds() / float64(f.iterations)
			c.process += (processCPU() - process) / float64(f.iterations)
		}
	}
	return c, nil
}

// exponent compares the cost on the first instance with that on the last, which is inst.
func (f family) exponent(
	ctx context.Context, inst datasets.Instance, seed uint64,
) (float64, error) {
	small, err := datasets.LoadContext(ctx, f.instances[0])
	if err != nil {
		return 0, err
	}
	less, err := f.spent(ctx, small, seed, 1)
	if err != nil {
		return 0, err
	}
	more, err := f.spent(ctx, inst, seed, 1)
	if err != nil {
		return 0, err
	}
	return math.Log(more.cpu/less.cpu) / math.Log(float64(inst.Size())/float64(small.Size())), nil
}

// counted is the CPU time that is counted as that of the iterations, as a part of the process's.
func (f family) counted(
	ctx context.Context, inst datasets.Instance, seed uint64,
) (float64, error) {
	c, err := f.spent(ctx, inst, seed, runtime.GOMAXPROCS(0))
	return c.cpu / c.process, err
}

// speedup is by how many times all cores are faster than one: of three turns of both the median.
func (f family) speedup(
	ctx context.Context, inst datasets.Instance, seed uint64,
) (float64, error) {
	var times []float64
	for range 3 {
		one, err := f.spent(ctx, inst, seed, 1)
		if err != nil {
			return 0, err
		}
		all, err := f.spent(ctx, inst, seed, runtime.GOMAXPROCS(0))
		if err != nil {
			return 0, err
		}
		times = append(times, one.wall/all.wall)
	}
	slices.Sort(times)
	return times[1], nil
}
