package tty_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestPassing(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "capture"})
	s.want("lab> ")
	s.send("passing\r")
	s.want("open end")
	s.want("told meanwhile")
	s.wantCursor("lab> ", "") // what is typed before would be echoed; see Hold
	s.send("next\r")
	s.want(`got "next"`)
	if text := s.text(); strings.Contains(text, "%") || strings.Contains(text, "far") ||
		strings.Contains(text, "beside") {
		t.Errorf("a passing line stays:\n%s", text)
	}
}

func TestOutputAbove(t *testing.T) {
	t.Parallel()
	s := start(t, setup{rows: 40, cols: 80})
	s.want("lab> ")
	s.send("bg 20\r")
	s.want("bg line 0")
	s.wantCursor("lab> ", "") // what is typed before would be echoed; see Hold
	s.send("typed meanwhile")
	s.want("bg done")
	s.wantCursor("lab> typed meanwhile", "")
	rows := s.rows()
	for i := range 20 {
		if !contains(rows, fmt.Sprintf("bg line %d", i)) {
			t.Errorf("no line %d:\n%s", i, s.picture())
		}
	}
	if n := strings.Count(s.text(), "typed"); n != 1 {
		t.Errorf("the line is on the screen %d times:\n%s", n, s.text())
	}
	s.send("\r")
	s.want(`got "typed meanwhile"`)
}

// More output than a terminal can take slows its writer down, not the user.
func TestFloodAbove(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status"})
	s.want("lab> ")
	s.send("flood\r")
	s.want("flood line")
	line := "typed meanwhile"
	for i := range len(line) {
		s.send(line[i : i+1])
	}
	s.want("flood done")
	s.wantCursor("lab> "+line, "")
	s.mu.Lock()
	n := strings.Count(string(s.raw), "flood line ")
	s.mu.Unlock()
	if n != 50000 {
		t.Errorf("%d lines, want 50000", n)
	}
	s.send("\r")
	s.want(`got "typed meanwhile"`)
}

func contains(rows []string, row string) bool {
	for _, r := range rows {
		if r == row {
			return true
		}
	}
	return false
}

func TestCapturedOutput(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "capture status", rows: 40, cols: 80})
	s.want("lab> ")
	s.send("stray\r123")
	s.want("stray 4")
	s.want("error 4")
	s.want("logged 4")
	s.wantCursor("lab> 123", "")
	s.send("\r")
	s.want(`got "123"`)
	s.send("part\r") // the prompt must not overwrite what has no newline
	s.want("no newline")
	s.wantCursor("lab> ", "")
	s.send(ctrlD)
	s.exit()
	s.want("bye")
}

func TestStatusLine(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status"})
	s.want("acs running it ")
	s.send("step a 100")
	s.wantCursor("lab> step a 100", "")
	for i := range 3 { // it goes on while the line stays
		now := s.status()
		s.until("a newer status", func(string) bool { return s.status() != now && s.status() != "" })
		s.wantCursor("lab> step a 100"[:15-i], "step a 100"[10-i:])
		s.send(left)
		s.wantCursor("lab> step a 100"[:14-i], "step a 100"[9-i:])
	}
	if n := strings.Count(s.text(), "acs running"); n != 1 {
		t.Errorf("%d status lines, want 1:\n%s", n, s.text())
	}
	s.send("\r")
	s.want(`got "step a 100"`)
	s.until("the prompt below one status line", func(text string) bool {
		rows := s.rows()
		return strings.Count(text, "acs running") == 1 && contains(rows, "lab>") &&
			contains(rows, "lab> step a 100")
	})
}

func (s *screen) status() string {
	for _, r := range s.rows() {
		if strings.HasPrefix(r, "acs running") {
			return r
		}
	}
	return ""
}
