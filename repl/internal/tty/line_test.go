package tty_test

import (
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"pgregory.net/rapid"

	"metalab/repl/internal/tty"
)

// Whatever keys come, the cursor stays in the line, and undoing all of them
// brings back the empty line.
func TestEditProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var e tty.EditForTest
		n := rapid.IntRange(0, 60).Draw(t, "keys")
		for range n {
			act := rapid.IntRange(1, tty.LastAct).Draw(t, "act")
			in := ""
			if act == tty.ActInsert {
				in = rapid.StringMatching(`[a-c ._日é]{1,4}`).Draw(t, "text")
			}
			s, pos := e.Do(act, in)
			if pos < 0 || pos > len([]rune(s)) {
				t.Fatalf("cursor %d in %q", pos, s)
			}
		}
		var s string
		for range n + 1 {
			s, _ = e.Do(tty.ActUndo, "")
		}
		if s != "" {
			t.Fatalf("undone is %q", s)
		}
	})
}

// What is inserted at the cursor and deleted again leaves the line as it was.
func TestInsertAndBackspace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var e tty.EditForTest
		e.Do(tty.ActInsert, rapid.String().Draw(t, "text"))
		before, pos := e.Do(tty.ActHome, "")
		for range rapid.IntRange(0, 5).Draw(t, "right") {
			before, pos = e.Do(tty.ActRight, "")
		}
		in := rapid.String().Draw(t, "in")
		e.Do(tty.ActInsert, in)
		after, at := e.Do(tty.ActNone, "")
		for range []rune(in) {
			after, at = e.Do(tty.ActBackspace, "")
		}
		if after != before || at != pos {
			t.Fatalf("%q at %d became %q at %d", before, pos, after, at)
		}
	})
}

func TestView(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		pos  int
		want string
		at   int
	}{
		{"abc", 1, "abc", 1},
		{"a\nb", 2, "a↵b", 2},
		{"日本", 1, "日本", 1},
		{"e\u0301x", 2, "e\u0301x", 2},
		{"👨\u200d👩x", 3, "👨👩x", 2}, // joiners take a place in the text but not on the screen
	} {
		got, at := tty.View(c.text, c.pos)
		if got != c.want || at != c.at {
			t.Errorf("View(%q, %d) = %q, %d, want %q, %d", c.text, c.pos, got, at, c.want, c.at)
		}
	}
}

// The two ways in which go-prompt measures a line agree on what is shown, up to
// any cursor.
func TestViewMeasuresTheSame(t *testing.T) {
	t.Parallel()
	r := rapid.OneOf(rapid.Rune(),
		rapid.SampledFrom([]rune("a é日한\u0301\u200d\ufe0f👨👩🏽🇩🇪❤ⓜ☎\n각กำ\u0d4eका©")))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(r, 0, 80, -1).Draw(t, "text")
		n := len([]rune(text))
		pos := rapid.IntRange(0, n).Draw(t, "pos")
		shown, at := tty.View(text, pos)
		rs := []rune(shown)
		if at < 0 || at > len(rs) {
			t.Fatalf("cursor %d in %q", at, shown)
		}
		sum := 0
		for _, r := range rs {
			sum += runewidth.RuneWidth(r)
		}
		if w := runewidth.StringWidth(shown); w != sum {
			t.Fatalf("%q is shown as %q (%q), of %d cells by runes and %d by clusters", text, shown,
				rs, sum, w)
		}
	})
}

func TestFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		col  int
		want string
	}{
		{"abcdef", 0, "abcdef"},
		{"日本", 0, "日本"},
		{"日本", 1, "日›‹"},
		{"日本語日", 3, "›‹本›‹日"},
	} {
		if got := tty.Fit(c.text, c.col, 4); got != c.want {
			t.Errorf("Fit(%q, %d, 4) = %q, want %q", c.text, c.col, got, c.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"best 21282", 20, "best 21282"},
		{"best 21282", 6, "best …"},
		{"a\x1b[31mb\nc", 20, "a[31mb"},
		{"日本語", 4, "日…"},
		{"x", 0, ""},
	} {
		if got := tty.OneLine(c.in, c.n); strings.TrimRight(got, " ") != c.want {
			t.Errorf("OneLine(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}
