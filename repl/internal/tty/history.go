package tty

import (
	"slices"
	"strings"
)

// maxHistory is the number of commands that are remembered. A command is some
// 30 bytes, so this is a few hundred kilobytes in memory and on disk.
const maxHistory = 10000

// A history is what was entered, the oldest first.
type history struct {
	entries []string
	at      int    // the entry shown by up and down; len(entries) is the line typed
	typed   string // the line typed, while an entry is shown
}

func newHistory(entries []string) *history {
	h := &history{}
	for _, e := range entries {
		h.add(e)
	}
	return h
}

// add appends an entry and tells whether it did: blanks and a repetition of the last entry are not
// kept.
func (h *history) add(entry string) bool {
	defer h.rewind()
	if strings.TrimSpace(entry) == "" {
		return false
	}
	if n := len(h.entries); n > 0 && h.entries[n-1] == entry {
		return false
	}
	h.entries = append(h.entries, entry)
	if extra := len(h.entries) - maxHistory; extra > 0 {
		h.entries = slices.Delete(h.entries, 0, extra)
	}
	return true
}

// rewind goes back to the line typed.
func (h *history) rewind() { h.at, h.typed = len(h.entries), "" }

// older returns the entry before the one shown; current is the line now.
func (h *history) older(current string) (string, bool) {
	if h.at == 0 {
		return "", false
	}
	if h.at == len(h.entries) {
		h.typed = current
	}
	h.at--
	return h.entries[h.at], true
}

// newer returns the entry after the one shown, at last the line typed.
func (h *history) newer() (string, bool) {
	if h.at >= len(h.entries) {
		return "", false
	}
	h.at++
	if h.at == len(h.entries) {
		return h.typed, true
	}
	return h.entries[h.at], true
}

// find returns at most limit entries that contain every word of query, in any
// order and whatever the case, the newest first and none twice.
func (h *history) find(query string, limit int) []string {
	words := strings.Fields(strings.ToLower(query))
	seen := make(map[string]bool)
	var found []string
	for _, e := range slices.Backward(h.entries) {
		if len(found) == limit {
			break
		}
		lower := strings.ToLower(e)
		if seen[e] ||
			slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(lower, w) }) {
			continue
		}
		seen[e] = true
		found = append(found, e)
	}
	return found
}
