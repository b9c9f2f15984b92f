package datasets_test

import (
	"math"
	"testing"

	"metalab/datasets"
)

// Bits that must be the same on every machine and in every version: a record
// made with an instance replays only on the same instance.
func TestGoldenInstances(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"ppp-73x73-1":    "07f22f75e97fc5909381ef2ceec03f4f2dd3b09e6aeef545db391722308fa994",
		"ppp-101x117-2":  "583546a923348b83b18af2ccae76fa1f64c1c67e1af9f9f174d88e6c8a44b627",
		"rand-200-7":     "0f2794338fd018f3d7fa9948c0a44560308570f2356308e8c8f5d5e4f664578d",
		"tai55a":         "8b15318f2b43904a5e2bc622c6709dd139c530dbfd8f2d371000b9166d18ef55",
		"weierstrass-10": "7e7a5ea849f09f5ad68295bd6c1e3cd2899404d67e9f55733ba6a24675fde864",
		"C3k.1":          "7eb78afc6c3cad13799eea3d158c8a5cbfc3954519aa47b1fb13a8a1be562004",
	} {
		if got := generate(t, name).SHA256(); got != want {
			t.Errorf("%s has the hash %s, want %s", name, got, want)
		}
	}
}

func TestGoldenWeierstrass(t *testing.T) {
	t.Parallel()
	w, err := datasets.NewWeierstrass(1, 2, 0.25, 100)
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[float64]uint64{
		1:         0x3fefda33a6291953,
		0.3:       0x3ff7fbb48894ce43,
		-0.125:    0xbffa3a5bf5d1a42b,
		1e-9:      0x3f84c2df60fc9f87,
		0x1p-1022: 0x0,
	} {
		if got := math.Float64bits(w.At(x)); got != want {
			t.Errorf("W(%v) has the bits %#x, want %#x", x, got, want)
		}
	}
	for x, want := range map[float64]uint32{1: 0x3f7ed1a1, 0.3: 0x3fbfdda3, -0.125: 0xbfd1d2df} {
		if got := math.Float32bits(w.At32(x)); got != want {
			t.Errorf("in single precision W(%v) has the bits %#x, want %#x", x, got, want)
		}
	}
	if d := math.Abs(float64(w.At32(0.3)) - w.At(0.3)); d > 1e-5 {
		t.Errorf("single precision is off by %v", d)
	}
}
