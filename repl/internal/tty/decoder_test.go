package tty_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"metalab/repl/internal/tty"
)

func text(s string) tty.KeyForTest { return tty.KeyForTest{Act: tty.ActInsert, Text: s} }

func keys(acts ...int) []tty.KeyForTest {
	var ks []tty.KeyForTest
	for _, a := range acts {
		ks = append(ks, tty.KeyForTest{Act: a})
	}
	return ks
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []tty.KeyForTest
	}{
		{
			"text and Enter in one read", "hello\r",
			append([]tty.KeyForTest{text("hello")}, keys(tty.ActEnter)...),
		},
		{"wide and broken", "日本\xff語", []tty.KeyForTest{text("日本語")}},
		{"half a character", "a\xe6\x97", []tty.KeyForTest{text("a")}},
		{"arrows of both kinds", "\x1b[A\x1bOA\x1b[D", keys(tty.ActUp, tty.ActUp, tty.ActLeft)},
		{
			"Ctrl and Alt arrows", "\x1b[1;5C\x1b[1;3C\x1bf\x1bb",
			keys(tty.ActWordRight, tty.ActWordRight, tty.ActWordRight, tty.ActWordLeft),
		},
		{"Shift arrow", "\x1b[1;2D", keys(tty.ActLeft)},
		{
			"Home, End, Delete", "\x1b[H\x1b[1~\x1b[F\x1b[4~\x1b[3~\x1b[3;5~",
			keys(tty.ActHome, tty.ActHome, tty.ActEnd, tty.ActEnd, tty.ActDelete, tty.ActKillWord),
		},
		{
			"Backspace of both kinds, Tabs", "\x7f\x08\t\x1b[Z",
			keys(tty.ActBackspace, tty.ActBackspace, tty.ActTab, tty.ActBackTab),
		},
		{"Escape alone", "\x1b", keys(tty.ActCancel)},
		{"Escape twice, an arrow", "\x1b\x1b\x1b[A", keys(tty.ActCancel, tty.ActCancel, tty.ActUp)},
		{"half a sequence is no text", "x\x1b[1;", []tty.KeyForTest{text("x")}},
		{"a cut sequence and ^C", "\x1b[\x03", keys(tty.ActInterrupt)},
		{"unknown keys", "\x1b[15~\x1b[[A\x1b[5;7q\x1bOP\x1bxok", []tty.KeyForTest{text("ok")}},
		{
			"replies of the terminal",
			"\x1b[24;80R\x1b]11;rgb:ff/ff\x07\x1bP1$r\x1b\\\x1b_Gi=3;OK\x1b\\\x1b[?1;2cok",
			[]tty.KeyForTest{text("ok")},
		},
		{"NUL and other controls", "a\x00\x0f\x11b", []tty.KeyForTest{text("ab")}},
		{"Alt-Enter", "a\x1b\rb", []tty.KeyForTest{text("a\nb")}},
		{
			"paste", "\x1b[200~a\tb\r\nc\rd\x03\x1b[A\x1b[201~e",
			[]tty.KeyForTest{
				text("a    b"),
				{Act: tty.ActEnter},
				text("c"),
				{Act: tty.ActEnter},
				text("d[Ae"),
			},
		},
		{"paste without an end", "\x1b[200~a\nb", []tty.KeyForTest{
			text("a"),
			{Act: tty.ActEnter},
			text("b"),
		}},
		{"an end without a paste", "a\x1b[201~b", []tty.KeyForTest{text("ab")}},
		{"empty paste", "\x1b[200~\x1b[201~x", []tty.KeyForTest{text("x")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(c.want, tty.DecodeKeys([]byte(c.in))); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

// Where reads cut the bytes makes no difference.
func TestDecodeIsIndependentOfReads(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"a", "Z9", " ", "é", "日", "🐜", "\r", "\n", "\t", "\x03", "\x7f", "\x1b", "\x1b[A", "\x1b[1;5C",
		"\x1bb", "\x1bOD",
		"\x1b[200~", "\x1b[201~", "\x1b]0;x\x07", "\x1b_x\x1b\\", "\xff", "\xe6", "[", "~", "\x00",
	})
	rapid.Check(t, func(t *rapid.T) {
		all := strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(t, "pieces"), "")
		whole := tty.DecodeKeys([]byte(all))
		var chunks [][]byte
		for rest := []byte(all); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			chunks = append(chunks, rest[:n])
			rest = rest[n:]
		}
		if d := cmp.Diff(whole, tty.DecodeKeys(chunks...)); d != "" {
			t.Fatalf("%q in %q:\n%s", all, chunks, d)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"hello\r", "\x1b[200~a\nb\x1b[201~", "\x1b[1;5C\x1b", "\x1b]x\x1b",
		"é\xff\x1b[[", "\x1b\x1b[\x1b",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, k := range tty.DecodeKeys(b) {
			if k.Act <= 0 || k.Act > tty.LastAct {
				t.Fatalf("%q gives action %d", b, k.Act)
			}
			if !utf8.ValidString(k.Text) || strings.ContainsAny(k.Text, "\x1b\x00\r\t\x7f") {
				t.Fatalf("%q gives text %q", b, k.Text)
			}
		}
	})
}
