package datasets

import (
	"fmt"
	"strconv"
	"strings"
)

// spinsByName knows G22, gset-like-N-DENSITY-SEED, also with -pm, torus-RxC and torus-RxC-SEED, and
// glass-RxC-SEED.
func spinsByName(name string) (Instance, bool, error) {
	if rest, found := strings.CutPrefix(name, "G"); found {
		if id, good := number(rest); good && id <= 81 {
			return made(GSet(id))
		}
	}
	if rest, found := strings.CutPrefix(name, "gset-like-"); found {
		rest, signs := strings.CutSuffix(rest, "-pm")
		if n, density, seed, ok := likeGSet(rest); ok {
			return made(LikeGSet(n, density, seed, signs))
		}
	}
	if rest, found := strings.CutPrefix(name, "torus-"); found {
		size, s, seeded := strings.Cut(rest, "-")
		rows, columns, good := product(size)
		seed, good2 := number(s)
		if good && (good2 || !seeded) {
			return made(Torus(rows, columns, seed, seeded))
		}
	}
	if rest, found := strings.CutPrefix(name, "glass-"); found {
		size, s, _ := strings.Cut(rest, "-")
		rows, columns, good := product(size)
		if seed, good2 := number(s); good && good2 {
			return made(Glass(rows, columns, uint64(seed)))
		}
	}
	return nil, false, nil
}

// likeGSet splits N-DENSITY-SEED.
func likeGSet(s string) (n int, density string, seed int, ok bool) {
	parts := strings.Split(s, "-")
	if len(parts) != 3 {
		return 0, "", 0, false
	}
	n, good1 := number(parts[0])
	seed, good2 := number(parts[2])
	x, err := strconv.ParseFloat(parts[1], 64)
	plain := err == nil && strconv.FormatFloat(x, 'f', -1, 64) == parts[1]
	return n, parts[1], seed, good1 && good2 && plain
}

// product splits RxC.
func product(s string) (rows, columns int, ok bool) {
	a, b, two := strings.Cut(s, "x")
	rows, good1 := number(a)
	columns, good2 := number(b)
	return rows, columns, two && good1 && good2
}

// LikeGSet returns a random graph as those of the G-set, with any number of vertices (2 to 2^20), a
// density in percent and a seed (1 to 2^31-1). Its weights are 1 or, with signs, -1 and 1 by the
// same seed. Its name is gset-like-N-DENSITY-SEED, with signs and -pm. With 800 vertices, 6 percent
// and seed 8001 it is G1, and G6.
func LikeGSet(n int, density string, seed int, signs bool) (*Cut, error) {
	name := fmt.Sprintf("gset-like-%d-%s-%d", n, density, seed)
	percent, err := strconv.ParseFloat(density, 64)
	if err != nil || n < 2 || n > maxSpins || !(percent > 0 && percent <= 50) {
		return nil, fmt.Errorf("datasets: %s: %d vertices and %s percent, want 2 to %d and more than 0 "+
			"to 50", name, n, density, maxSpins)
	}
	if seed < 1 || seed >= 1<<31 {
		return nil, fmt.Errorf("datasets: %s: seed %d, want 1 to 2^31-1", name, seed)
	}
	const most = 1 << 24
	if pairs := float64(n) * float64(n-1) / 2; pairs*percent/100 > most {
		return nil, fmt.Errorf("datasets: %s: some %.0f edges, want at most %d", name, pairs*percent/100,
			most)
	}
	g := gsetGraph{kind: gsetRandom, n: n, density: percent, seed: int64(seed)}
	if signs {
		name, g.signs = name+"-pm", int64(seed)
	}
	return g.make(name)
}

// Torus returns max-cut on a grid of rows and columns (3 or more each, at most 2^20 vertices) that
// is closed both ways, as those of the G-set. Its weights are 1 or, with signs, -1 and 1 by a seed
// (1 to 2^31-1). Its name is torus-RxC, with signs torus-RxC-SEED; torus-100x8-8001 is G11.
func Torus(rows, columns, seed int, signs bool) (*Cut, error) {
	name := fmt.Sprintf("torus-%dx%d", rows, columns)
	if rows < 3 || columns < 3 || rows > maxSpins/columns {
		return nil, fmt.Errorf("datasets: %s: a torus of %d x %d, want 3 or more each, and at most %d "+
			"vertices", name, rows, columns, maxSpins)
	}
	g := gsetGraph{kind: gsetTorus, n: rows * columns, rows: rows}
	if signs {
		name = fmt.Sprintf("%s-%d", name, seed)
		if g.signs = int64(seed); seed < 1 || seed >= 1<<31 {
			return nil, fmt.Errorf("datasets: %s: seed %d, want 1 to 2^31-1", name, seed)
		}
	}
	return g.make(name)
}

// Glass returns a spin glass on a grid of rows and columns (1 or more, at most 2^20 spins) with
// free borders: couplings of -1 and 1, whose energy is minimised. The couplings are the bits of
// SplitMix64 (see NewPPP) with the seed: of each spin, row by row, that to the right, and then that
// below. Its name is glass-RxC-SEED.
func Glass(rows, columns int, seed uint64) (*Cut, error) {
	name := fmt.Sprintf("glass-%dx%d-%d", rows, columns, seed)
	if rows < 1 || columns < 1 || rows > maxSpins/columns {
		return nil, fmt.Errorf("datasets: %s: a glass of %d x %d, want 1 or more each, and at most %d "+
			"spins", name, rows, columns, maxSpins)
	}
	g := splitMix{state: seed}
	var edges []Edge
	for v := range rows * columns {
		if v%columns+1 < columns {
			edges = append(edges, Edge{int32(v), int32(v + 1), int64(g.sign())})
		}
		if v+columns < rows*columns {
			edges = append(edges, Edge{int32(v), int32(v + columns), int64(g.sign())})
		}
	}
	return NewIsing(name, rows*columns, nil, edges, 0)
}

// spinsForm reads the size from a name that spinsByName knows.
func spinsForm(name string) (size int, ok bool) {
	if rest, found := strings.CutPrefix(name, "G"); found {
		if id, good := number(rest); good {
			g, ok := gsetOf(id)
			return g.n, ok
		}
	}
	if rest, found := strings.CutPrefix(name, "gset-like-"); found {
		n, _, _, ok := likeGSet(strings.TrimSuffix(rest, "-pm"))
		return n, ok
	}
	for _, family := range []string{"torus-", "glass-"} {
		if rest, found := strings.CutPrefix(name, family); found {
			size, _, _ := strings.Cut(rest, "-")
			rows, columns, ok := product(size)
			return rows * columns, ok
		}
	}
	return 0, false
}
