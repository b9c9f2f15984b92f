package words

import (
	"slices"
	"strings"
)

// Near returns the name that the user most likely meant by a mistyped word, whatever the case: the
// one with the fewest letters to change, among equals one with the same first letter, then by the
// frequency of the mistake: letters omitted or exchanged, inserted, replaced; then the first. If
// none is that near, it returns the first that begins with the word, or with which the word begins;
// else "".
func Near(word string, names []string) string {
	best, limit := "", min(3, 1+len(word)/2)
	lower, at := strings.ToLower(word), []int{limit, 0, 0}
	for _, n := range names {
		l := strings.ToLower(n)
		d := []int{distance(lower, l), 1, kindOf(lower, l)}
		if l != "" && lower != "" && l[0] == lower[0] {
			d[1] = 0
		}
		if d[0] < limit && (best == "" || slices.Compare(d, at) < 0) {
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

// kindOf ranks the mistake that turned a name into a word by its rarity: 0 if letters were omitted
// or exchanged, 1 if some were inserted, 2 if they were replaced.
func kindOf(word, name string) int {
	w, n := []byte(word), []byte(name)
	slices.Sort(w)
	slices.Sort(n)
	switch {
	case len(name) > len(word) || string(w) == string(n):
		return 0
	case len(name) < len(word):
		return 1
	}
	return 2
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
