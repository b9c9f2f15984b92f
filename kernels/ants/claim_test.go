package ants

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"metalab/gpu"
	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/ants"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/record"
)

// onFake is emulate.OnFake with an image for its driver.
func onFake(t *testing.T) bool {
	t.Helper()
	if !emulate.OnFake(t) {
		return false
	}
	image = func(string) ([]byte, error) { return emulate.FakeImage, nil }
	return true
}

// watch registers all lines on a backend of that name, and hands over the crews that it opens.
func watch(backend string, got func(b *deviceCrew)) {
	for i := range lines {
		b := lines[i].backend(backend)
		b.Open = func(s *crew.Setup) (crew.Crew, error) {
			c, err := openCrew(s, &lines[i])
			if err != nil {
				return nil, err
			}
			got(c)
			return cpu.SearchOnHost(c, s), nil
		}
		solvers.Register(ants.On(b, lines[i].solver, lines[i].variant))
	}
}

// TestClaims holds what each crew asks the device for against what it allocates then: with few and
// many cities, and for the ants that it begins with and others.
func TestClaims(t *testing.T) {
	if !onFake(t) {
		return
	}
	var got *deviceCrew
	watch("claims", func(b *deviceCrew) { got = b })
	const slack = 4 << 10 // buffers of a few bytes
	for _, n := range []int{101, 433} {
		for _, c := range []trial{
			{Solver: "as", Variant: "wrs"},
			{Solver: "mmas", Variant: "wrs"},
			{Solver: "mmas", Variant: "rows"},
			{Solver: "mmas", Variant: "rows", Params: params("storage", "matrix", "selection", "rwm")},
			{Solver: "mmas", Variant: "rows", Params: params("candidates", 0, "selection", "wrs")},
			{
				Solver: "mmas", Variant: "rows",
				Params: params("candidates", 0, "selection", "rwm", "tabu", "bt"),
			},
			{Solver: "mmas", Variant: "thin"},
			{Solver: "acs", Variant: "lockstep"},
			{Solver: "acs", Variant: "alt"},
			{Solver: "acs", Variant: "spm-sync"},
			{Solver: "acs", Variant: "spm-sync", Params: params("spm_slots", 20)},
			{Solver: "acs", Variant: "spm"},
		} {
			c.Cities, c.Metric, c.Spread = n, "EUC_2D", 1e4
			if c.Params == nil {
				c.Params = record.Values{}
			}
			c.Params["ants"] = record.Num(7)
			check := func(t *testing.T, ants int) {
				t.Helper()
				if err := got.size(ants); err != nil {
					t.Fatal(err)
				}
				h := got.d.Holding()
				if h.Claimed != got.bytes(ants) {
					t.Errorf("%d ants: %d bytes are claimed, they take %d", ants, h.Claimed, got.bytes(ants))
				}
				if gap := h.Held - h.Claimed; gap > slack || gap < -slack {
					t.Errorf("%d ants: %d bytes were asked for, and %d are held", ants, h.Claimed, h.Held)
				}
			}
			for _, wide := range []bool{false, true} {
				if wide && (c.Variant == "rows" || c.Variant == "thin" || c.Variant == "lockstep") {
					continue
				}
				t.Run(fmt.Sprint(c, " wide ", wide), func(t *testing.T) {
					run := func() {
						r := c.open(t, "claims", c.instance(t))
						check(t, 7)
						if wide {
							if err := got.globalVisited(); err != nil {
								t.Fatal(err)
							}
							check(t, 7)
						}
						if !wide {
							check(t, 901)
							check(t, 3)
						}
						r.Close()
						if h := got.d.Holding(); h.Bytes() != 0 {
							t.Errorf("after closing: %+v", h)
						}
					}
					if wide {
						widely(true, run)
					} else {
						run()
					}
				})
			}
		}
	}
}

// TestNoRoom looks at what is said where a crew's matrices do not fit: what is needed, free and
// missing, and what there would be room for.
func TestNoRoom(t *testing.T) {
	if !onFake(t) {
		return
	}
	var got *deviceCrew
	watch("claims", func(b *deviceCrew) { got = b })
	try := func(cities int, variant string, kv ...any) string {
		c := trial{Solver: "mmas", Variant: variant, Cities: cities, Metric: "EUC_2D", Spread: 1e5}
		r, err := solvers.Open(solvers.Config{
			Name: "big", Solver: "mmas", Variant: variant,
			Backend: "claims", Instance: c.instance(t), Params: params(kv...),
		})
		if err == nil {
			r.Close()
			t.Fatalf("%s with %d cities has room", variant, cities)
		}
		t.Log(err)
		if !errors.Is(err, gpu.ErrNoRoom) {
			t.Errorf("%v does not wrap ErrNoRoom", err)
		}
		return err.Error()
	}
	want := func(text string, words ...string) {
		t.Helper()
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("%q does not say %q", text, w)
			}
		}
	}
	// 12 and 18 bytes an edge.
	want(try(2400, "rows", "ants", 10, "candidates", 0), "2400 cities, 10 ants", "run big",
		"are needed", "63.0 MiB of 64.0 MiB are free", "are missing",
		"there is room for candidates=32 storage=candidates, which takes 1.")
	want(try(2400, "rows", "ants", 10, "storage", "matrix"), "there is room for storage=candidates, "+
		"which takes 1.")
	want(try(2100, "thin", "ants", 10), "there is room for mmas/rows candidates=0, which takes 5",
		"or for mmas/wrs, which takes 1.")
	// Ants: a tour of 2000 cities takes 4000 bytes.
	text := try(2000, "wrs", "ants", 30000)
	want(text, "there is room for ants=1")
	var few int
	if _, err := fmt.Sscanf(text[strings.Index(text, "room for ants="):], "room for ants=%d,",
		&few); err != nil {
		t.Fatal(err)
	}
	c := trial{
		Solver: "mmas", Variant: "wrs", Cities: 2000, Metric: "EUC_2D", Spread: 1e5,
		Params: params("ants", few),
	}
	r := c.open(t, "claims", c.instance(t))
	defer r.Close()
	if err := got.size(few); err == nil {
		err = got.size(few + few/50)
		if !errors.Is(err, gpu.ErrNoRoom) || !errors.Is(err, solvers.ErrHalted) {
			t.Errorf("more ants than fit: %v", err)
		}
	} else {
		t.Errorf("as many ants as was said: %v", err)
	}
}
