package ils_test

import (
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/genetic"
	"metalab/solvers/ils"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
)

// On a device ils alone is pools up to some size, in the plane; with a variant, parameters or more
// cities it is what it was.
func TestPoolsInsteadOfTiles(t *testing.T) {
	const backend = "far"
	for _, v := range []solvers.Variant{
		ils.TilesOn(backend, tiles.NewCPU),
		ils.PoolsOn(backend, ils.PoolEngines{Tiles: tiles.NewCPU, Cross: genetic.NewRoundsCPU}),
	} {
		solvers.Register(v)
		defer solvers.Remove(v.Solver, v.Name, v.Backend)
	}
	blocks, err := datasets.NewTSP("blocks", datasets.Man2D, []float64{1, 2, 5}, []float64{1, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		cfg  solvers.Config
		want string
	}{
		{"alone", solvers.Config{Instance: uniform(t, 300, 1)}, "pools"},
		{"preset", solvers.Config{Instance: uniform(t, 300, 1), Preset: "best"}, "pools"},
		{"larger", solvers.Config{Instance: uniform(t, 150_001, 1)}, "tiles"},
		{"rows", solvers.Config{Instance: grid(t, 224)}, "pools"},
		{"more rows", solvers.Config{Instance: grid(t, 388)}, "tiles"},
		{"no plane", solvers.Config{Instance: blocks}, "tiles"},
		{"named", solvers.Config{Instance: uniform(t, 300, 1), Variant: "tiles"}, "tiles"},
		{
			"with a parameter",
			solvers.Config{Instance: uniform(t, 300, 1), Params: record.Of("piece", 50)},
			"tiles",
		},
	} {
		c.cfg.Solver, c.cfg.Backend = "ils", backend
		v, why, err := solvers.Choose(c.cfg)
		if err != nil || v.Name != c.want || v.Backend != backend {
			t.Errorf("%s: %s on %s, %v, want %s", c.what, v.Name, v.Backend, err, c.want)
		}
		says := map[string]string{
			"named": "ils/pools", "with a parameter": "ils/pools", "no plane": "without on=cuda",
		}[c.what]
		if advice := v.Advice(c.cfg.Instance, nil); v.Name == "tiles" &&
			(!strings.Contains(advice, says) || says == "" && advice != "") {
			t.Errorf("%s: ils/tiles advises %q, want %q", c.what, advice, says)
		}
		said := strings.Contains(why, "ils/pools") && strings.Contains(why, "150,000")
		if said != (c.want == "pools") {
			t.Errorf("%s: it says %q", c.what, why)
		}
	}
}

// The cores of the host, which cross the tours, decide up to which size it is pools.
func TestPoolsInsteadByCores(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, cores int
		want     string
	}{
		{50_000, 1, "pools"},
		{50_001, 11, ""},
		{50_001, 12, "pools"},
		{150_000, 12, "pools"},
		{150_001, 64, ""},
	} {
		if got := ils.InsteadOn(uniform(t, c.n, 1), c.cores); got != c.want {
			t.Errorf("%d cities, %d cores: %q, want %q", c.n, c.cores, got, c.want)
		}
	}
	for side, want := range map[int]string{224: "pools", 316: "pools", 317: ""} {
		if got := ils.InsteadOn(grid(t, side), 2); got != want {
			t.Errorf("%d rows of %d, 2 cores: %q, want %q", side, side, got, want)
		}
	}
}

// On a CPU pools says what is better there, on a device that a core is enough for few cities.
func TestPoolsAdvice(t *testing.T) {
	t.Parallel()
	v, err := solvers.Find("ils", "pools", "cpu")
	if err != nil || !strings.Contains(v.Advice(uniform(t, 300, 1), nil), "ils/queue") {
		t.Errorf("on a CPU it does not tell of ils/queue, %v", err)
	}
	on := ils.PoolsOn("far", ils.PoolEngines{})
	if says := on.Advice(uniform(t, 1999, 1), nil); !strings.Contains(says, "below 2000 cities") {
		t.Errorf("on a device it says %q of 1999 cities", says)
	}
	if says := on.Advice(uniform(t, 2000, 1), nil); says != "" {
		t.Errorf("on a device it says %q of 2000 cities", says)
	}
}

// grid is a square lattice.
func grid(t *testing.T, side int) *datasets.TSP {
	t.Helper()
	var x, y []float64
	for i := range side * side {
		x, y = append(x, float64(i%side)), append(y, float64(i/side))
	}
	in, err := datasets.NewTSP("grid", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return in
}
