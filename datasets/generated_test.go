package datasets_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/datasets"
)

// generate makes an instance that must exist.
func generate(t testing.TB, name string) datasets.Instance {
	t.Helper()
	inst, ok, err := datasets.Generate(name)
	if err != nil || !ok {
		t.Fatalf("Generate(%q): %v, %v", name, ok, err)
	}
	if inst.Name() != name {
		t.Errorf("Generate(%q) is called %s", name, inst.Name())
	}
	return inst
}

// written returns the SHA-256 and the size of what WriteTSP writes.
func written(t testing.TB, p *datasets.TSP) (hash string, size int64) {
	t.Helper()
	h := sha256.New()
	c := &counter{}
	if err := datasets.WriteTSP(writers{h, c}, p); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil)), c.n
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

// writers writes to all of them; hashes and counters do not fail.
type writers []interface{ Write([]byte) (int, error) }

func (w writers) Write(p []byte) (int, error) {
	for _, x := range w {
		if n, err := x.Write(p); err != nil {
			return n, err
		}
	}
	return len(p), nil
}

// The hashes of the challenge's files; E3k.0 is distributed with LKH.
func TestDIMACSFilesByteForByte(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, sha256 string
		size         int64
	}{
		{"E3k.0", "b6d2eb3215adf296aee958b6333e52e66e021ec489d7876f422e7984ee0ba3f9", 58356},
		{"E1M.0", "a49ee81c587642a21203be8d156d98f396a0c5d7f52d918cacb67186fe48e372", 20667771},
	} {
		if hash, size := written(t, generate(t, tt.name).(*datasets.TSP)); hash != tt.sha256 ||
			size != tt.size {
			t.Errorf(
				"%s is written as %d bytes with hash %s, want %d and %s", tt.name, size, hash, tt.size,
				tt.sha256,
			)
		}
	}
}

func TestAllDIMACSFilesOfTheData(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	text, err := os.ReadFile(filepath.Join(dir, "dimacs", "optima.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]struct {
		Hash     string `json:"file_sha256"`
		Size     int64  `json:"file_bytes"`
		Included bool
	}
	if err := json.Unmarshal(text, &files); err != nil || len(files) < 10 {
		t.Fatal(len(files), err)
	}
	for name, f := range files {
		p := generate(t, name).(*datasets.TSP)
		if hash, size := written(t, p); hash != f.Hash || size != f.Size {
			t.Errorf(
				"%s is written as %d bytes with hash %s, want %d and %s", name, size, hash, f.Size, f.Hash,
			)
		}
		if f.Included {
			if q := readTSP(t, filepath.Join(dir, "dimacs", name+".tsp")); q.SHA256() != p.SHA256() {
				t.Errorf("%s: the file has other cities than the generator", name)
			}
		}
	}
}

func TestDIMACSFirstAndLastCities(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		city int
		x, y float64
	}{
		{"E1k.0", 0, 140237, 801141},
		{"E1k.0", 1, 169837, 196125},
		{"E1k.0", 999, 47594, 950873},
		{"C1k.0", 0, 877915, 39773},
		{"C1k.0", 1, 121704, 262791},
		{"E1M.0", 0, 703358, 877189},
		{"E1M.0", 999999, 880723, 535824},
		{"V1k.0", 0, 97, 66},
		{"V1k.0", 999, 136, 75},
		{"N1k.0", 0, 14023, 80114},
		{"N1k.0", 999, 86710, 8845},
	} {
		p := generate(t, tt.name).(*datasets.TSP)
		if p.X[tt.city] != tt.x || p.Y[tt.city] != tt.y {
			t.Errorf(
				"%s: city %d is at %v, %v, want %v, %v", tt.name, tt.city, p.X[tt.city], p.Y[tt.city], tt.x,
				tt.y,
			)
		}
	}
	// The seeds of the challenge's further instances, as their files name them.
	if p := generate(t, "C1k.1").(*datasets.TSP); p.Title != "portcgen-1000-10001" {
		t.Errorf("C1k.1 is %s", p.Title)
	}
}

func TestTaillardEqualsQAPLIB(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	for _, name := range []string{
		"tai10a", "tai12a", "tai15a", "tai17a", "tai20a", "tai25a", "tai30a",
		"tai35a", "tai40a", "tai50a", "tai60a", "tai80a", "tai100a",
	} {
		got := generate(t, name).(*datasets.QAP)
		want := readQAP(t, filepath.Join(dir, "qaplib", name+".dat"))
		if got.N != want.N {
			t.Fatalf("%s has size %d, want %d", name, got.N, want.N)
		}
		for i := range want.A {
			if got.A[i] != want.A[i] || got.B[i] != want.B[i] {
				t.Fatalf("%s differs at row %d, column %d: %d and %d, want %d and %d", name, i/want.N, i%want.N,
					got.A[i], got.B[i], want.A[i], want.B[i])
			}
		}
	}
}

func TestGeneratedNames(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{
		"E10k.2": 10000, "C31k.1": 31623, "V3k.9": 3162, "N3k.1": 3162,
		"E1k.9": 1000, "rand-200-7": 200, "rand-1-0": 1,
		"tai55a": 55, "tai2a": 2, "ppp-5x3-0": 3, "ppp-101x117-9": 117, "weierstrass-1": 1,
		"weierstrass-3-b3-h0.5-t40": 3, "weierstrass-1-b16-h0.25-t50": 1, "weierstrass-4-max": 4,
		"weierstrass-2-b3-h0.5-t40-max": 2,
	} {
		if inst := generate(t, name); inst.Size() != size {
			t.Errorf("%s has size %d, want %d", name, inst.Size(), size)
		}
	}
	for _, name := range []string{ // of a generated form, but out of range
		"E1k.10", "V1k.10", "rand-0-1", "rand-5-1000000000", "rand-9999999999-1", "rand-99999999999-1",
		"tai1a", "tai2001a",
		"ppp-10x10-1", "ppp-0x3-1", "ppp-30000x3-1", "weierstrass-0", "weierstrass-10000000",
		"weierstrass-3-b1-h0.5-t40", "weierstrass-3-b2-h1-t40", "weierstrass-3-b3-h0.5-t400",
	} {
		if inst, ok, err := datasets.Generate(name); !ok || err == nil || inst != nil ||
			!strings.Contains(err.Error(), "want") || strings.Count(err.Error(), "datasets: ") != 1 {
			t.Errorf("Generate(%q) = %v, %v, %v", name, inst, ok, err)
		}
	}
	for _, name := range []string{
		"", "E", "E1k", "E1k.", "V2k.0", "N1k",
		"E2k.0", "E1k.x", "E1k.-1", "D1k.0", "E1k.01", "rand-5", "rand--5-1",
		"rand-05-1",
		"tai50b", "taia", "tai a", "tai99999999999a", "ppp-3x3", "ppp-x3-1", "weierstrass-",
		"weierstrass-x", "pr1002",
		"weierstrass-3-b3", "weierstrass-3-b3-h.5-t40", "weierstrass-3-b3-h0.50-t40",
		"weierstrass-3-b2-h0.25-t100", "weierstrass-3-h0.5", "weierstrass-max", "weierstrass-3-sum",
	} {
		if inst, ok, err := datasets.Generate(name); ok || err != nil || inst != nil {
			t.Errorf("Generate(%q) = %v, %v, %v", name, inst, ok, err)
		}
	}
}

func BenchmarkGenerateE1M(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		generate(b, "E1M.0")
	}
}

func BenchmarkGenerateC100k(b *testing.B) {
	for b.Loop() {
		generate(b, "C100k.0")
	}
}
