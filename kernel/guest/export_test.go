package guest

import (
	"testing"
	"time"
)

// Limits has a test wait for less: for an answer, for the first word on a long iteration, and for
// each half of a check.
func Limits(t *testing.T, answer, long, check time.Duration) {
	a, l, c := evaluationLimit, longIteration, checkBudget
	evaluationLimit, longIteration, checkBudget = answer, long, check
	t.Cleanup(func() { evaluationLimit, longIteration, checkBudget = a, l, c })
}
