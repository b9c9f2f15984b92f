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
		Name: "growth", Title: "Cost of iterations, and of opening, against the size, CPU of one core",
		Source: "measured here; x is the exponent of n from the smallest instance of a family to the " +
			"largest; opened and load are of the whole process",
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
	assignments := []string{"tai50a", "tai100a", "tai200a", "tai400a", "tai800a"}
	graphs := []string{"gnp-250-50-1", "gnp-500-50-1", "gnp-1000-50-1"}
	var rows []Row
	for _, f := range []family{
		{"tabu", "robust", []string{"E1k.0", "E10k.0"}, true, 1},
		{"tabu", "robust", assignments, true, 1},
		{"tabu", "robust", assignments, false, 100},
		{"tabu", "robust", graphs, false, 100},
		{"hill", "", assignments, true, 1},
		{"vnd", "", assignments, true, 1},
		{"anneal", "", append(plane[:3:3], "E31k.0", "E100k.0"), false, 3},
		{"threshold", "", append(plane[:3:3], "E31k.0", "E100k.0"), false, 3},
		{"ils", "", plane, false, 3},
		{"ils", "2opt-rounds", plane, false, 2},
		{"ga", "eax", plane, true, 1},
		{"ga", "eax-rounds", plane, true, 1},
		{"acs", "", plane[:2], false, 3},
		{"mmas", "", plane[:2], false, 1},
	} {
		what := "ms an iteration"
		if f.first {
			what = "ms, the first iteration"
		}
		rows = append(rows, f.grows(what, func(
			ctx context.Context, inst datasets.Instance, seed uint64,
		) (float64, error) {
			took, err := f.spent(ctx, inst, seed, 1)
			return took.cpu, err
		})...)
	}
	for _, solver := range []string{"acs", "mmas"} {
		f := family{solver: solver, instances: append(plane[1:3:3], "E31k.0", "E100k.0")}
		rows = append(rows, f.grows("ms, opened", f.opened)...)
	}
	load := family{solver: "load", instances: []string{
		"gnp-1000-50-1", "gnp-2000-50-1", "gnp-4000-50-1", "gnp-8000-50-1",
	}}
	return append(rows, load.grows("ms", loaded)...)
}

// grows are the rows of a cost in seconds, on each instance, and of the exponent with which it
// grows.
func (f family) grows(
	what string, cost func(context.Context, datasets.Instance, uint64) (float64, error),
) []Row {
	var rows []Row
	for _, name := range f.instances {
		rows = append(rows, Row{
			What: f.name() + ", " + what, Instance: name, Seeds: 3, Measure: Own, Unit: "ms",
			Do: func(ctx context.Context, inst datasets.Instance, seed uint64) (float64, error) {
				took, err := cost(ctx, inst, seed)
				return 1000 * took, err
			},
		})
	}
	return append(rows, Row{
		What: f.name() + ", exponent of n, " + what, Instance: f.instances[len(f.instances)-1],
		Seeds: 3, Measure: Own, Unit: "x",
		Do: func(ctx context.Context, inst datasets.Instance, seed uint64) (float64, error) {
			small, err := datasets.LoadContext(ctx, f.instances[0])
			if err != nil {
				return 0, err
			}
			less, err := cost(ctx, small, seed)
			if err != nil {
				return 0, err
			}
			more, err := cost(ctx, inst, seed)
			return math.Log(more/less) / math.Log(float64(inst.Size())/float64(small.Size())), err
		},
	})
}

// opened is the CPU time of the process until a run can begin.
func (f family) opened(
	_ context.Context, inst datasets.Instance, seed uint64,
) (float64, error) {
	began := processCPU()
	b, err := f.begin(inst, seed, 1)
	if err != nil {
		return 0, err
	}
	defer b.Close()
	return processCPU() - began, nil
}

// loaded is the CPU time of the process for making an instance anew.
func loaded(ctx context.Context, inst datasets.Instance, _ uint64) (float64, error) {
	began := processCPU()
	_, err := datasets.LoadContext(ctx, inst.Name())
	return processCPU() - began, err
}

func speedups() []Row {
	var rows []Row
	for _, f := range []family{
		{"tabu", "robust", []string{
			"tai20a", "tai50a", "tai100a", "tai400a", "rand-100-1", "E1k.0", "E10k.0", "gnp-50-50-1",
			"gnp-500-50-1", "gnp-2000-50-1", "gnp-8000-50-1", "ppp-101x117-1",
		}, false, 50},
		{"hill", "", []string{
			"tai20a", "tai100a", "tai400a", "rand-100-1", "gnp-50-50-1", "gnp-2000-50-1",
			"ppp-101x117-1",
		}, false, 20},
		{"vnd", "", []string{"tai20a", "tai100a", "rand-100-1", "E1k.0", "gnp-500-50-1"}, false, 5},
		{"ga", "", []string{"E1k.0"}, false, 2},
		{"acs", "", []string{"E1k.0", "E10k.0"}, false, 5},
		{"mmas", "", []string{"E1k.0"}, false, 2},
		{"ils", "", []string{"E1k.0"}, false, 5},
		{"ils", "pools", []string{"E1k.0"}, false, 1},
		{"ils", "2opt-rounds", []string{"E1k.0"}, false, 1},
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

// begin is a run on so many cores before its first iteration.
func (f family) begin(inst datasets.Instance, seed uint64, cores int) (*solvers.Stepper, error) {
	v, err := solvers.Find(f.solver, f.variant, "cpu")
	if err != nil {
		return nil, err
	}
	b, err := solvers.NewStepper(v, inst)
	if err != nil {
		return nil, err
	}
	b.Share(cores)
	if err := b.Init(seed, nil, nil); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// spent makes iterations on so many cores.
func (f family) spent(
	ctx context.Context, inst datasets.Instance, seed uint64, cores int,
) (c cost, err error) {
	b, err := f.begin(inst, seed, cores)
	if err != nil {
		return c, err
	}
	defer b.Close()
	skipped := 1
	if f.first {
		skipped = 0
	}
	made := float64(f.iterations)
	var began time.Time
	var process float64
	for it := range skipped + f.iterations {
		if it == skipped {
			began, process = time.Now(), processCPU()
		}
		if _, err := b.Iterate(ctx, int64(it)+1); err != nil {
			return c, err
		}
		if it >= skipped {
			c.cpu += b.Spent().Seconds() / made
		}
	}
	c.wall, c.process = time.Since(began).Seconds()/made, (processCPU()-process)/made
	return c, nil
}

// enough is f with as many iterations as take a tenth of a second on one core: of fewer, clocks
// and the calls around an iteration would be measured.
func (f family) enough(ctx context.Context, inst datasets.Instance, seed uint64) (family, error) {
	for {
		one, err := f.spent(ctx, inst, seed, 1)
		if err != nil || one.wall*float64(f.iterations) > 0.1 || f.iterations > 50_000 {
			return f, err
		}
		f.iterations *= 4
	}
}

// counted is the CPU time that a run counts as that of its iterations, as a part of the process's.
func (f family) counted(
	ctx context.Context, inst datasets.Instance, seed uint64,
) (float64, error) {
	f, err := f.enough(ctx, inst, seed)
	if err != nil {
		return 0, err
	}
	r, err := solvers.Open(solvers.Config{
		Solver: f.solver, Variant: f.variant, Instance: inst, Seed: seed,
	})
	if err != nil {
		return 0, err
	}
	defer r.Close()
	if err := r.Step(ctx, 1); err != nil {
		return 0, err
	}
	counted, process := r.Last().CPU, processCPU()
	if err := r.Step(ctx, f.iterations); err != nil {
		return 0, err
	}
	return (r.Last().CPU - counted) / (processCPU() - process), nil
}

// speedup is by how many times all cores are faster than one: of three turns of both the median.
func (f family) speedup(
	ctx context.Context, inst datasets.Instance, seed uint64,
) (float64, error) {
	f, err := f.enough(ctx, inst, seed)
	if err != nil {
		return 0, err
	}
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
