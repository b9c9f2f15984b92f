package ils

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/devices/played"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
)

// playedTiles is an engine of rounds on a device that is played, which counts rounds. It searches
// all pieces, as if the others had told it of theirs.
type playedTiles struct {
	tiles.Engine
	device played.Engine
	k, n   int
	meet   func([]int32) ([][]int32, error)
}

func openPlayedTiles(p *tiles.Problem) (tiles.Engine, error) {
	d, err := played.Open(p.Env)
	if err != nil {
		return nil, err
	}
	e, err := tiles.NewCPU(p)
	return &playedTiles{Engine: e, device: d}, err
}

func (e *playedTiles) Part(k, n int, meet func([]int32) ([][]int32, error)) {
	e.k, e.n, e.meet = k, n, meet
}

func (e *playedTiles) Iterate(ctx context.Context, j tiles.Job, out []tiles.Outcome) error {
	return e.device.Make(1, func() error {
		if e.n > 1 {
			told, err := e.meet([]int32{int32(e.k)})
			if err != nil {
				return err
			}
			for k, t := range told {
				if len(told) != e.n || !slices.Equal(t, []int32{int32(k)}) {
					return fmt.Errorf("%d parts have told %v", e.n, told)
				}
			}
		}
		err := e.Engine.Iterate(ctx, j, out)
		for a := range out {
			if e.k > 0 { // the first part counts for all
				out[a] = tiles.Outcome{Length: out[a].Length, Hash: out[a].Hash}
			}
		}
		return err
	})
}

func (e *playedTiles) Tour(chain int, dst []int32) error {
	if err := e.device.Read(); err != nil {
		return err
	}
	return e.Engine.Tour(chain, dst)
}

func (e *playedTiles) Close() { e.device.Close() }

func (e *playedTiles) Turn(ctx context.Context) (func(), bool, error) { return e.device.Turn(ctx) }

// shareTiles has several devices share out the pieces of small tours, too.
func shareTiles(p *tiles.Problem) (tiles.Engine, error) {
	if len(p.Env.Devices) > 1 {
		return tiles.Spread(p, openPlayedTiles)
	}
	return openPlayedTiles(p)
}

// tilesOnDevices is a search in tiles as the checks of devices know it.
func tilesOnDevices() played.Search {
	return played.Search{
		Name: "tiles",
		Open: func(t *testing.T, backend string, devices []int) *solvers.Run {
			t.Helper()
			inst, err := datasets.Uniform(1500, 1)
			if err != nil {
				t.Fatal(err)
			}
			r, err := solvers.Open(solvers.Config{
				Name: "t", Solver: "ils", Variant: "tiles", Backend: backend, Instance: inst, Seed: 3,
				Devices: devices,
				Params: record.Of("chains", 4, "kicks", 0.05, "start", "curve", "descent", "none",
					"exchange", 3, "piece", 100, "cuts", 4, "candidates", "near", "neighbours", 5),
			})
			if err != nil {
				t.Fatal(err)
			}
			return r
		},
		History: func(t *testing.T, r *solvers.Run) (out []uint64) {
			t.Helper()
			for range 8 {
				if err := r.Step(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
				out = append(out, r.Last().Digest)
			}
			return out
		},
		Fails: 4,
	}
}

// Rounds in tiles have one history on one device, on several that share out the pieces, and on the
// CPU, also where the run moves and where devices fail.
func TestTilesOnSeveralDevices(t *testing.T) {
	solvers.Register(TilesOn("cuda", shareTiles))
	t.Cleanup(func() { solvers.Remove("ils", "tiles", "cuda") })
	s := tilesOnDevices()
	want := s.OnCPU(t)
	for _, devices := range [][]int{{0}, {0, 1}, {1, 2, 5, 7}, {0, 1, 2, 3, 4, 5, 6, 7}} {
		played.Whole(t)
		r := s.Open(t, "cuda", devices)
		if got := s.History(t, r); !slices.Equal(got, want) {
			t.Errorf("on %v: %x, on the CPU %x", devices, got, want)
		}
		r.Close()
		for _, d := range devices {
			if made := played.Devices[d].Made; made != 7 { // the first iteration is the start
				t.Errorf("on %v: device %d made %d rounds, want 7", devices, d, made)
			}
		}
	}
	s.Moves(t)
	s.Loses(t)
}
