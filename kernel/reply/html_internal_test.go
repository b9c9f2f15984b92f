package reply

import (
	"strings"
	"testing"
)

// A head cell without a text is none, which readers of a screen would announce.
func TestCornersHeadNothing(t *testing.T) {
	t.Parallel()
	got := htmlTable([][]string{{"", "city"}, {"1", "2"}})
	if strings.Contains(got, "></th>") || strings.Count(got, "<th ") != 1 ||
		strings.Count(got, "<td ") != 3 {
		t.Error(got)
	}
}
