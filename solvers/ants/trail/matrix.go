package trail

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// A FullMatrix holds the trails of all edges, those on lists too.
type FullMatrix struct{ Tau, Eta, Weight []float32 }

// maxMatrixBytes is the most that storage matrix may take: 18,918 cities, so that the largest
// instance of the GPU MMAS paper, d18512, has one.
const maxMatrixBytes = 1 << 32

// MatrixBytes is what storage matrix takes for n cities: trails, visibilities and weights. It
// may be more than is allowed.
func MatrixBytes(n int) (need, most int64) { return 3 * 4 * int64(n) * int64(n), maxMatrixBytes }

// matrixCities is the greatest number of cities whose matrices fit in this many bytes.
func matrixCities(most int64) int { return int(math.Sqrt(float64(max(0, most)) / 12)) }

// newMatrix makes the matrices of n cities, unless they are too large or there is no memory for
// them. Lists of k cities are what fits instead.
func newMatrix(n, k int) (*FullMatrix, error) {
	const instead = "use storage=candidates and lists of up to 32"
	need, most := MatrixBytes(n)
	if need > most {
		return nil, fmt.Errorf("ants: the matrices of all trails of %d cities take %d bytes, and the "+
			"limit is %d, enough for %d cities: %s, which takes %d", n, need, most, matrixCities(most),
			instead, listBytes(n, k))
	}
	if free := hostFree(); need > free {
		return nil, fmt.Errorf("ants: the matrices of all trails of %d cities take %d bytes of memory, "+
			"and this machine has %d free, enough for %d cities: %s, which takes %d", n, need, free,
			matrixCities(free), instead, listBytes(n, k))
	}
	return &FullMatrix{
		Tau: make([]float32, n*n), Eta: make([]float32, n*n), Weight: make([]float32, n*n),
	}, nil
}

// listBytes is what trails, visibilities and weights by slot of lists of k cities take.
func listBytes(n, k int) int64 { return 3 * 4 * int64(n) * int64(k) }

// hostFree is how many bytes of the machine's memory are free, as far as it says so: on Linux what
// the kernel and the process's group allow. Tests replace it.
var hostFree = func() int64 {
	free := int64(math.MaxInt64)
	number := func(file, after string) (int64, bool) {
		text, err := os.ReadFile(file)
		_, rest, found := bytes.Cut(text, []byte(after))
		word := strings.Fields(string(rest))
		if err != nil || !found || len(word) == 0 {
			return 0, false
		}
		v, err := strconv.ParseInt(word[0], 10, 64)
		return v, err == nil
	}
	if kib, ok := number("/proc/meminfo", "MemAvailable:"); ok {
		free = kib << 10
	}
	most, limited := number("/sys/fs/cgroup/memory.max", "")
	if used, ok := number("/sys/fs/cgroup/memory.current", ""); ok && limited {
		free = min(free, max(0, most-used))
	}
	return free
}

// seeAll computes the second factors of the weights of all edges, on all cores.
func (t *Table) seeAll() {
	var g sync.WaitGroup
	var taken atomic.Int32
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() {
			for c := taken.Add(1) - 1; int(c) < t.N; c = taken.Add(1) - 1 {
				row := t.Full.Eta[int(c)*t.N:][:t.N]
				for j := range row {
					row[j] = t.Visibility(c, t.Space.D(c, int32(j)))
				}
			}
		})
	}
	g.Wait()
}
