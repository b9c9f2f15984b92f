package words

import (
	"strings"

	"metalab/kernel/wire"
)

// NearVerb is ", did you mean step?" for a word that is nearly a verb, else empty.
func NearVerb(word string) string {
	verbs := make([]string, len(wire.Verbs))
	for i, v := range wire.Verbs {
		verbs[i] = v.Name
	}
	if v := Near(word, verbs); v != "" {
		return ", did you mean " + v + "?"
	}
	return ""
}

// Near is the name that a word is most likely a slip for: the one with the fewest letters to
// change, else the first of which the word is the beginning, or which the word begins with;
// empty when there is none.
func Near(word string, names []string) string {
	best, at := "", min(3, 1+len(word)/2)
	for _, n := range names {
		if d := distance(strings.ToLower(word), n); d < at {
			best, at = n, d
		}
	}
	if best != "" || len(word) < 2 {
		return best
	}
	for _, n := range names {
		if strings.HasPrefix(n, word) || strings.HasPrefix(word, n) {
			return n
		}
	}
	return ""
}

// distance is the number of letters to change, drop or put in (Levenshtein's).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
