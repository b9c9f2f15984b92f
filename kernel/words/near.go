package words

import "strings"

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

// distance is the number of letters to change, drop or put in, or of neighbours to exchange
// (Levenshtein's, with exchanges).
func distance(a, b string) int {
	var before []int // two letters of a back
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := row[j]
			if a[i] != b[j] {
				cost++
			}
			cost = min(cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				cost = min(cost, before[j-1]+1)
			}
			next[j+1] = cost
		}
		before, row = row, next
	}
	return row[len(b)]
}
