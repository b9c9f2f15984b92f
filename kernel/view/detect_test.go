package view_test

import (
	"testing"

	"metalab/kernel/view"
	"metalab/kernel/view/cells"
)

func env(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(k string) string { return m[k] }
}

func TestDetect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  func(string) string
		tty  bool
		want view.Graphics
		asks bool
	}{
		{"plain xterm", env("TERM", "xterm-256color"), true, view.Cells, true},
		{"pipe", env("TERM", "xterm-kitty"), false, view.None, false},
		{"dumb", env("TERM", "dumb"), true, view.None, false},
		{"kitty", env("TERM", "xterm-kitty"), true, view.Kitty, true},
		{"kitty by window", env("TERM", "xterm", "KITTY_WINDOW_ID", "1"), true, view.Kitty, true},
		{"ghostty", env("TERM", "xterm-ghostty"), true, view.Kitty, true},
		{"WezTerm", env("TERM", "xterm-256color", "TERM_PROGRAM", "WezTerm"), true, view.Kitty, true},
		{"iTerm2", env("TERM", "xterm-256color", "TERM_PROGRAM", "iTerm.app"), true, view.ITerm, true},
		{"iTerm2 by ssh", env("TERM", "xterm-256color", "LC_TERMINAL", "iTerm2"), true, view.ITerm, true},
		{
			"kitty in tmux", env("TERM", "tmux-256color", "TMUX", "socket,1,0", "KITTY_WINDOW_ID", "1"),
			true, view.Cells, false,
		},
		{"screen", env("TERM", "screen"), true, view.Cells, false},
		{
			"override", env("TERM", "xterm", "TMUX", "socket,1,0", view.Override, "sixel"), true,
			view.Sixel, false,
		},
		{
			"override in capitals", env("TERM", "xterm-kitty", view.Override, "NONE"), true,
			view.None, false,
		},
		{"override without a terminal", env(view.Override, "cells"), false, view.Cells, false},
		{"override unknown", env("TERM", "xterm-kitty", view.Override, "svga"), true, view.Kitty, true},
		{"override to a file", env("TERM", "xterm", view.Override, "png"), true, view.Cells, true},
	} {
		if got := view.Detect(c.env, c.tty); got != c.want {
			t.Errorf("%s: graphics %s, want %s", c.name, got, c.want)
		}
		if got := view.Asks(c.env, c.tty); got != c.asks {
			t.Errorf("%s: asks %v, want %v", c.name, got, c.asks)
		}
	}
}

func TestColors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  func(string) string
		want cells.Depth
	}{
		{"truecolor", env("TERM", "xterm-256color", "COLORTERM", "truecolor"), cells.True},
		{"24bit", env("TERM", "xterm", "COLORTERM", "24bit"), cells.True},
		{"256", env("TERM", "xterm-256color"), cells.C256},
		{"kitty", env("TERM", "xterm-kitty"), cells.True},
		{
			"no color", env("TERM", "xterm-256color", "COLORTERM", "truecolor", "NO_COLOR", "1"),
			cells.None,
		},
		{"dumb", env("TERM", "dumb", "COLORTERM", "truecolor"), cells.None},
		{"nothing", env(), cells.None},
	} {
		if got := view.Colors(c.env); got != c.want {
			t.Errorf("%s: depth %d, want %d", c.name, got, c.want)
		}
	}
}

func TestParseReply(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     view.Reply
		rest     string
	}{
		{
			"kitty", "\x1b_Gi=31;OK\x1b\\\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[6;20;10t\x1b[?62;c",
			view.Reply{Kitty: true, Background: "#1e1e2e", CellW: 10, CellH: 20, Done: true},
			"",
		},
		{"kitty refuses", "\x1b_Gi=31;EINVAL:no\x1b\\\x1b[?1;2c", view.Reply{Done: true}, ""},
		{"sixel", "\x1b[?63;1;2;4;6c", view.Reply{Sixel: true, Done: true}, ""},
		{"64 and 14 are not 4", "\x1b[?64;14;40c", view.Reply{Done: true}, ""},
		{"level 4 is not an attribute", "\x1b[?4;1c", view.Reply{Done: true}, ""},
		{"background, BEL, 8 bits", "\x1b]11;rgb:ff/80/00\a", view.Reply{Background: "#ff8000"}, ""},
		{"background, 4 bits", "\x1b]11;rgb:f/8/0\a", view.Reply{Background: "#ff8800"}, ""},
		{"background, odd", "\x1b]11;hsv:1/2/3\a", view.Reply{}, ""},
		{"keys between", "ab\x1b[Ac\x1b[?1;2cd", view.Reply{Done: true}, "ab\x1b[Acd"},
		{"cut", "\x1b_Gi=31;O", view.Reply{}, "\x1b_Gi=31;O"},
		{"cut before its end", "\x1b[?62;4", view.Reply{}, "\x1b[?62;4"},
		{"absurd cells", "\x1b[6;99999;0t", view.Reply{}, ""},
		{"nothing", "", view.Reply{}, ""},
	} {
		got, rest := view.ParseReply([]byte(c.in))
		if got != c.want || string(rest) != c.rest {
			t.Errorf("%s: got %+v and rest %q, want %+v and %q", c.name, got, rest, c.want, c.rest)
		}
	}
}

func TestReplyApply(t *testing.T) {
	t.Parallel()
	r := view.Reply{Kitty: true, Sixel: true, Background: "#000000", CellW: 9, CellH: 18}
	if got := r.Apply(view.Sink{Graphics: view.Cells}); got.Graphics != view.Kitty ||
		got.Background != "#000000" || got.CellW != 9 {
		t.Errorf("got %+v", got)
	}
	if got := r.Apply(view.Sink{Graphics: view.ITerm}); got.Graphics != view.ITerm {
		t.Errorf("a choice was changed to %s", got.Graphics)
	}
	if got := (view.Reply{Sixel: true}).Apply(
		view.Sink{Graphics: view.Cells}); got.Graphics != view.Sixel {
		t.Errorf("got %s, want sixel", got.Graphics)
	}
}

func FuzzParseReply(f *testing.F) {
	f.Add([]byte("\x1b_Gi=31;OK\x1b\\\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[6;20;10t\x1b[?62;4c"))
	f.Add([]byte("\x1b[\x1b]11;\x1b_G"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, rest := view.ParseReply(b)
		if len(rest) > len(b) {
			t.Errorf("%d bytes left of %d", len(rest), len(b))
		}
		if r.Background != "" && len(r.Background) != 7 {
			t.Errorf("background %q", r.Background)
		}
	})
}
