package moves

import (
	"fmt"
	"maps"
	"testing"

	"metalab/datasets"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// What is drawn of each problem by the tests that change launches at random.

// most is how much is drawn: the emulator is slow.
type most struct {
	size    int // positions, vertices or coordinates
	walks   int
	work    int // neighbours that all scans of an iteration look at, about
	threads int
}

// onEmulator is what the emulator is given.
var onEmulator = most{size: 37, walks: 3, work: 3000, threads: 700}

// kinds are the problems, with the words of the parameters that only they have.
var kinds = []struct {
	name          string
	draw          func(t *testing.T, d *conform.Draws, m most) (datasets.Instance, record.Values)
	neighbourhood []string // the names, with how many neighbours there are of n positions
	evaluations   string
}{
	{"qap", drawQAP, []string{"swap", "3exchange"}, "evaluation incremental incremental linear"},
	{"ppp", drawPPP, []string{"hamming1", "hamming2", "hamming3"}, "evaluation incremental linear"},
	{"ball", drawBall, []string{"ball", "wide"}, ""},
	{"tsp", drawTSP, []string{"swap", "3exchange"}, "evaluation incremental published"},
	{"colouring", drawColouring, []string{"change", "swap"}, ""},
}

// sizes are drawn around warps, blocks and their multiples.
func drawSize(d *conform.Draws, lo, hi int) int {
	n := d.Int(lo, hi)
	if d.OneIn(2) {
		n = conform.One(d, 31, 32, 33, 50, 63, 64, 65, 96, 97, 100, 128, 129) + d.Int(0, 1)
	}
	return min(max(n, lo), hi)
}

func drawQAP(t *testing.T, d *conform.Draws, m most) (datasets.Instance, record.Values) {
	n := drawSize(d, 2, m.size)
	return randomQAP(t, n, d.Int(0, 7)), record.Of("aspiration", conform.One(d, 0, 5*n, n*n, 2*n*n))
}

func drawPPP(t *testing.T, d *conform.Draws, m most) (datasets.Instance, record.Values) {
	rows, columns := drawSize(d, 1, m.size), drawSize(d, 1, m.size)|1
	inst, _, err := datasets.NewPPP(rows, columns, uint64(d.Int(1, 9)))
	if err != nil {
		t.Fatal(err)
	}
	return inst, record.Values{}
}

func drawBall(t *testing.T, d *conform.Draws, m most) (datasets.Instance, record.Values) {
	name := fmt.Sprintf("weierstrass-%d-b%d-h%v-t%d%s", d.Int(1, m.size), d.Int(2, 9),
		conform.One(d, 0.25, 0.5), d.Int(1, 50), conform.One(d, "", "-max"))
	return load(t, name), record.Of("neighbours", d.Int(1, 400), "radius",
		conform.One(d, 1e-9, 0.001, 0.1, 0.5, 2), "precision", conform.One(d, "single", "double"))
}

func drawTSP(t *testing.T, d *conform.Draws, m most) (datasets.Instance, record.Values) {
	return randomTSP(t, drawSize(d, 3, m.size), d.Int(0, 3)), record.Values{}
}

func drawColouring(t *testing.T, d *conform.Draws, m most) (datasets.Instance, record.Values) {
	n := drawSize(d, 1, m.size)
	return randomColouring(t, n, d.Int(1, min(n, 40))), record.Values{}
}

// shapesOf are what is tried of the problem with number k of kinds by a solver.
func shapesOf(t *testing.T, k int, solver string, m most) conform.Shapes {
	kind := kinds[k]
	variant := "climb"
	if solver == "tabu" {
		variant = "robust"
	}
	return conform.Shapes{
		Solver: solver, Variant: variant,
		Draw: func(d *conform.Draws) (datasets.Instance, record.Values, error) {
			small := m
			hood := kind.neighbourhood[0]
			if solver == "vnd" || d.OneIn(3) {
				hood = conform.One(d, kind.neighbourhood...)
			}
			if kind.name != "ball" && hood != kind.neighbourhood[0] || solver == "vnd" {
				small.size = m.size / 3 // n^2 or n^3 neighbours
			}
			inst, params := kind.draw(t, d, small)
			if solver != "tabu" {
				delete(params, "aspiration")
			}
			walks := conform.One(d, 1, 2, 3, 7, 17, 33, 64, 132, d.Int(1, m.walks), m.walks)
			walks = min(walks, m.walks)
			params["walks"] = record.Num(float64(walks))
			n := inst.Size()
			neighbours := n * n / 2
			if x, ok := params["neighbours"].Float(); ok {
				neighbours = n * int(x)
			}
			if hood == "3exchange" || hood == "hamming3" || solver == "vnd" {
				neighbours *= n
			}
			scans := min(max(m.work/max(walks*neighbours, 1), 1), conform.One(d, 1, 5, 40))
			params["scans"] = record.Num(float64(scans))
			params["exchange"] = record.Num(float64(conform.One(d, 0, 0, 1, 3)))
			maps.Copy(params, drawSolver(d, solver, hood, n))
			return inst, params, nil
		},
		Live: func(d *conform.Draws, inst datasets.Instance) record.Values {
			if solver != "vnd" && inst.Size() <= 40 && d.OneIn(2) {
				return record.Of("neighbourhood", conform.One(d, kind.neighbourhood...))
			}
			return record.Of("walks", min(conform.One(d, 1, 2, 5, 17, 40), m.walks), "scans", d.Int(1, 4))
		},
		Schedule: func(d *conform.Draws, _ datasets.Instance) record.Values {
			return drawLaunch(d, kind.evaluations, m.threads)
		},
	}
}

// drawSolver draws what only one of the solvers has.
func drawSolver(d *conform.Draws, solver, hood string, n int) record.Values {
	switch solver {
	case "tabu":
		return record.Of("neighbourhood", hood, "tenures", conform.One(d, "cube", "uniform", "fixed"),
			"tenure", conform.One(d, 0, 3, n, 4*n))
	case "hill":
		return record.Of("neighbourhood", hood, "select", conform.One(d, "best", "first", "random"),
			"begin", conform.One(d, "kick", "random"), "restarts", conform.One(d, 0, 50, 1_000_000))
	}
	return record.Of("depth", conform.One(d, 1, 2), "begin", conform.One(d, "kick", "random"),
		"select", conform.One(d, "best", "first", "random"))
}

// drawLaunch draws a launch: by the tuner, by teams of blocks, by a block a walk, or by any number
// of threads, and what the host does.
func drawLaunch(d *conform.Draws, evaluations string, threads int) record.Values {
	block := conform.One(d, 32, 64, 96, 128, 160, 256, 320, 512, 1024)
	wave := conform.One(d, 0, 0, block, block, 2*block, 4*block, 7*block, 33*block, 1, 33, 1000,
		threads)
	v := record.Of("wave", min(wave, threads), "block", block,
		"trials", conform.One(d, 0, 1, 1, 2, 10), "generate", "gpu", "reduce", "device",
		"cache", conform.One(d, "readonly", "plain"))
	if d.OneIn(8) {
		v["generate"] = record.Text("cpu")
	}
	if d.OneIn(8) {
		v["reduce"] = record.Text("host")
	}
	if evaluations != "" {
		maps.Copy(v, d.All(conform.Among(evaluations)))
	}
	return v
}

// eachShapes calls f for every problem and solver.
func eachShapes(t *testing.T, m most, f func(t *testing.T, s conform.Shapes)) {
	for k, kind := range kinds {
		for _, solver := range []string{"tabu", "hill", "vnd"} {
			t.Run(kind.name+"/"+solver, func(t *testing.T) { f(t, shapesOf(t, k, solver, m)) })
		}
	}
}

// What is drawn is legal, and the CPU gives what it gives however its work is shared out.
func TestShapesOnCPU(t *testing.T) {
	eachShapes(t, onEmulator, func(t *testing.T, s conform.Shapes) {
		t.Parallel()
		s.Backend, s.Cases, s.Iterations = "cpu", 8, 30
		conform.CheckShapes(t, s)
	})
}
