package solvers

import "testing"

// nextKept leads from each iteration that is kept to the next one.
func TestNextKept(t *testing.T) {
	t.Parallel()
	next := nextKept(0)
	for i := int64(1); i <= 5*fullPoints; i++ {
		if Kept(i) != (i == next) {
			t.Fatalf("iteration %d: kept %v, the next one is %d", i, Kept(i), next)
		}
		if i == next {
			next = nextKept(i)
		}
	}
}
