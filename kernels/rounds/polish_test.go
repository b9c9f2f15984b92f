package rounds

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/rounds"
)

// record is a tour's in the tests: a head, and something behind it that stays as it is.
type tourRecord struct {
	Length     int64
	Hash, Rest uint64
}

// recordsOf are those of tours.
func recordsOf(p *rounds.Problem, tours [][]int32) []tourRecord {
	out := make([]tourRecord, len(tours))
	for a, t := range tours {
		out[a] = tourRecord{p.Space.Length(t), arith.HashPerm(t), uint64(a) * 77}
	}
	return out
}

// polished is what a batch makes of tours, by the Go code.
func polished(p *rounds.Problem, tours [][]int32, records []tourRecord, known []int32, best int) {
	var next, prev []int32
	if known != nil {
		next, prev = make([]int32, len(known)), make([]int32, len(known))
		last := known[len(known)-1]
		for _, c := range known {
			next[last], prev[c] = c, last
			last = c
		}
	}
	order := make([]int, len(tours))
	for a := range order {
		order[a] = a
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(records[a].Length, records[b].Length), cmp.Compare(a, b))
	})
	o := rounds.NewPolisher(p)
	for _, a := range order[:best] {
		gain, _ := o.Polish(tours[a], next, prev, nil)
		records[a].Length -= gain
		records[a].Hash = arith.HashPerm(tours[a])
	}
}

// a polishTrial is a batch.
type polishTrial struct {
	n           int
	metric      datasets.Metric
	scale       float64
	neighbours  int
	count, best int
	known       bool
	shared      bool // few tours: cities in shared memory from 3000 on
}

var polishTrials = []polishTrial{
	{1, datasets.Euc2D, 1, 10, 2, 2, false, true},
	{2, datasets.Euc2D, 1, 10, 2, 1, true, true},
	{3, datasets.Euc2D, 1, 10, 2, 2, true, false},
	{5, datasets.Ceil2D, 0.25, 10, 3, 3, false, false},
	{8, datasets.Euc2D, 1, 10, 3, 2, true, false},
	{31, datasets.Euc2D, 1, 10, 3, 3, true, false},
	{33, datasets.Euc2D, 1, 10, 70, 33, true, true},
	{64, datasets.Euc2D, 1e4, 16, 4, 2, true, false},
	{97, datasets.Att, 3, 5, 4, 3, false, false},
	{130, datasets.Ceil2D, 1.5, 8, 4, 4, true, false},
	{259, datasets.Euc2D, 1, 10, 3, 2, false, false},
	{400, datasets.Euc2D, 1, 10, 4, 3, true, false},
}

// tours are random ones, or where a known tour is asked for, that one and others with a few
// stretches turned round, and twice the same.
func (c polishTrial) tours(p *rounds.Problem) (tours [][]int32, known []int32) {
	tours = starts(p, c.count)
	if !c.known {
		return tours, nil
	}
	known = slices.Clone(tours[0])
	rounds.NewPolisher(p).Polish(known, nil, nil, nil)
	draws := arith.NewStream(5, uint64(c.n), 0, 0)
	for a := range tours {
		if a%5 == 4 {
			continue // a random one
		}
		tours[a] = slices.Clone(known)
		for range a % 5 {
			i, j := draws.IntN(c.n), draws.IntN(c.n)
			slices.Reverse(tours[a][min(i, j) : max(i, j)+1])
		}
		if a%2 == 1 {
			slices.Reverse(tours[a])
		}
	}
	return tours, known
}

// knownOrNone is the tour as kernels take it.
func knownOrNone(known []int32, n int) []uint16 {
	out := make([]uint16, n)
	for i, c := range known {
		out[i] = uint16(c)
	}
	return out
}

// emulatedPolish runs a batch in the emulator, on tours that lie close behind each other.
func emulatedPolish(
	t testing.TB, q *problem, b Batch, tours [][]int32, records []tourRecord, known []int32, sms int,
) {
	t.Helper()
	n := int(q.job.N)
	b.Stride, b.Count, b.Step = n, len(tours), binary.Size(tourRecord{})
	l := q.shapeBatch(b, sms)
	var in bytes.Buffer
	put := func(v any) {
		raw, err := binary.Append(nil, binary.LittleEndian, v)
		if err != nil {
			t.Fatal(err)
		}
		_ = binary.Write(&in, binary.LittleEndian, int64(len(raw)))
		in.Write(raw)
	}
	put(q.ofBatch(b))
	if q.whole != nil {
		put(q.whole)
	} else {
		put(q.real)
	}
	put(q.near)
	all := make([]uint16, 0, n*len(tours))
	for _, tour := range tours {
		all = append(all, knownOrNone(tour, n)...)
	}
	put(all)
	put(records)
	put(knownOrNone(known, n))
	put(int32(b.Best))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	text, err := emulator(t).Run(ctx, in.Bytes(), l.kernel, fmt.Sprint(l.warps))
	if err != nil {
		t.Fatal(err)
	}
	r := bytes.NewReader(text)
	if err := binary.Read(r, binary.LittleEndian, records); err != nil {
		t.Fatal(err)
	}
	if err := binary.Read(r, binary.LittleEndian, all); err != nil {
		t.Fatal(err)
	}
	for a, tour := range tours {
		for i := range tour {
			tour[i] = int32(all[a*n+i])
		}
	}
}

// samePolish fails where tours or their records differ.
func samePolish(t testing.TB, what string, tours, want [][]int32, records, wanted []tourRecord) {
	t.Helper()
	for a := range want {
		at := 0
		for at < len(want[a]) && tours[a][at] == want[a][at] {
			at++
		}
		if at < len(want[a]) || records[a] != wanted[a] {
			t.Fatalf(
				"%s, tour %d: %+v, want %+v; the tours part at position %d", what, a, records[a], wanted[a], at,
			)
		}
	}
}

func cloned(tours [][]int32) [][]int32 {
	out := make([][]int32, len(tours))
	for a := range out {
		out[a] = slices.Clone(tours[a])
	}
	return out
}

// The kernels that search on others' tours do what rounds.Polisher does, in the emulator, for
// several numbers of warps: all tours or the shortest, with and without a known tour.
func TestEmulatedPolish(t *testing.T) {
	t.Parallel()
	emulator(t)
	for i := range 2 * len(polishTrials) {
		c, or := polishTrials[i/2], i%2 == 1
		if testing.Short() && c.n > 40 {
			continue
		}
		p := twin(t, spread(t, c.n, c.metric, c.scale), c.neighbours, rounds.Lanes)
		p.Or = or
		q, err := prepare(p)
		if err != nil {
			t.Fatal(err)
		}
		want, known := c.tours(p)
		first := cloned(want)
		wanted := recordsOf(p, want)
		before := slices.Clone(wanted)
		polished(p, want, wanted, known, c.best)
		if c.n >= 97 && slices.Equal(before, wanted) {
			t.Errorf("%+v: nothing was improved", c)
		}
		for _, warps := range []int{0, 1 + i%3, 2 + i%11}[i%2:] {
			t.Run(fmt.Sprintf(
				"%d %s insertions %v warps %d", c.n, q.plane, p.Or, warps,
			), func(t *testing.T) {
				tours, records := cloned(first), slices.Clone(before)
				sms := 0
				if c.shared {
					sms = 100
				}
				emulatedPolish(t, q, Batch{Best: c.best, Warps: warps}, tours, records, known, sms)
				samePolish(t, fmt.Sprintf("%+v", c), tours, want, records, wanted)
			})
		}
	}
}

// What is asked of a multiprocessor's shared memory is there for every number of cities that is let
// in.
func TestShapeBatch(t *testing.T) {
	t.Parallel()
	const shared = 227 << 10
	for _, n := range []int{
		1, 8, 1002, 2392, 3000, 3001, 4461, 5500, 5501, 13509, 18512, MaxCities(shared, true),
		MaxCities(shared, false),
	} {
		for _, best := range []int{1, 64, 800, 5000} {
			for i, plane := range []string{"whole_plane", "real_plane", "whole_plane", "real_plane"} {
				q := &problem{plane: plane, or: i < 2 && n <= MaxCities(shared, true), job: job{N: int32(n)}}
				if plane == "whole_plane" {
					q.whole = []uint32{0}
				}
				l := q.shapeBatch(Batch{Best: best, Count: best}, 132)
				if l.shared > shared || l.warps < 1 || l.warps > 32 ||
					!slices.Contains(q.polishers(), l.kernel) {
					t.Errorf("%d cities, %d tours: %+v", n, best, l)
				}
			}
		}
	}
}
