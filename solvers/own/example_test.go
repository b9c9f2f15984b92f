package own_test

import (
	"context"
	"fmt"
	"log"

	"metalab/solvers"
	"metalab/solvers/moves"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// Assignment is the quadratic assignment problem: facility i stands at the place p[i], and flow
// times distance is summed over all pairs. Both matrices are symmetric, with diagonals of zeros.
type Assignment struct {
	n              int
	flow, distance []int64
	sums           []int64 // sums[j*n+i]: what facility i would cost at the place of j
	by             []int64 // after a swap of r and s: distances to r less those to s
}

func newAssignment(n int) *Assignment {
	q := &Assignment{n: n, flow: make([]int64, n*n), distance: make([]int64, n*n)}
	q.sums, q.by = make([]int64, n*n), make([]int64, n)
	for i := range n {
		for j := range i {
			q.flow[i*n+j] = int64((i*i + 7*j) % 10)
			q.distance[i*n+j] = int64((3*i*j + i + j) % 10)
			q.flow[j*n+i], q.distance[j*n+i] = q.flow[i*n+j], q.distance[i*n+j]
		}
	}
	return q
}

func (q *Assignment) Cost(p []int32) int64 {
	var sum int64
	for i := range q.n {
		for j := range q.n {
			sum += q.flow[i*q.n+j] * q.distance[int(p[i])*q.n+int(p[j])]
		}
	}
	return sum
}

// Load makes the table of a new solution.
func (q *Assignment) Load(p []int32) {
	for j := range q.n {
		for i := range q.n {
			var sum int64
			for k := range q.n {
				sum += q.flow[i*q.n+k] * q.distance[int(p[j])*q.n+int(p[k])]
			}
			q.sums[j*q.n+i] = sum
		}
	}
}

// DeltaSwap takes the same few steps whatever n is.
func (q *Assignment) DeltaSwap(p []int32, i, j int) int64 {
	n := q.n
	return 2 * (q.sums[j*n+i] + q.sums[i*n+j] - q.sums[i*n+i] - q.sums[j*n+j] +
		2*q.flow[i*n+j]*q.distance[int(p[i])*n+int(p[j])])
}

// ApplySwap is called before the entries at r and s change places; on a GPU one thread does it.
func (q *Assignment) ApplySwap(p []int32, r, s int) {
	for j := range q.n {
		k := int(p[j])
		q.by[j] = q.distance[int(p[s])*q.n+k] - q.distance[int(p[r])*q.n+k]
	}
	q.by[r], q.by[s] = q.by[s], q.by[r]
}

// SwappedRow is called after that for each k; on a GPU by all threads. It changes the column of
// facility k and nothing else, and reads no other column.
func (q *Assignment) SwappedRow(_ []int32, r, s, k int) {
	n, sums := q.n, q.sums
	sums[r*n+k], sums[s*n+k] = sums[s*n+k], sums[r*n+k]
	u := q.flow[k*n+r] - q.flow[k*n+s]
	for j, by := range q.by {
		sums[j*n+k] += u * by
	}
}

// A table that swaps keep: a swap changes all of it by one product an element, and a GPU's threads
// share its columns. The check compares the deltas with Cost after moves of all neighbourhoods.
func Example() {
	form := record.Form{Kind: record.FormPermutation, N: 20}
	p, err := own.New("assignment", form, func() any { return newAssignment(20) })
	if err != nil {
		log.Fatal(err)
	}
	_, wrong, err := moves.CheckOwn(p, 1, 1000, nil)
	if err != nil || wrong != "" {
		log.Fatal(wrong, err)
	}
	r, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: p, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(context.Background(), 100); err != nil {
		log.Fatal(err)
	}
	fmt.Println("from a random assignment to", r.Last().Best)
	// Output: from a random assignment to 6630
}
