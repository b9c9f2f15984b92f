package tty_test

import (
	"strings"
	"testing"

	"github.com/hinshun/vt10x"

	"metalab/repl/internal/tty"
)

// draw shows what a writer sent on an emulated screen of 40 by 10.
func draw(sent string) []string {
	vt := vt10x.New(vt10x.WithSize(40, 10))
	_, _ = vt.Write([]byte(strings.ReplaceAll(sent, "\n", "\r\n"))) // as a terminal's driver does
	var rows []string
	for r := range strings.SplitSeq(strings.TrimRight(vt.String(), " \n\x00"), "\n") {
		rows = append(rows, strings.TrimRight(r, " \x00"))
	}
	return rows
}

func wantRows(t *testing.T, sent string, want ...string) {
	t.Helper()
	if got := draw(sent); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// home moves the cursor of a one-row line back to the start of the prompt, as
// go-prompt does before a frame and before the end of a line.
const home = "\r"

func TestFrameStatusAndLinesAbove(t *testing.T) {
	t.Parallel()
	w := tty.NewWriterForTest()
	w.Begin()
	w.SetStatus("it 1")
	w.Frame("> ", "ab")
	sent := w.TakeSent()
	wantRows(t, sent, "it 1", "> ab")

	w.Print("first\nsecond\nhal")
	w.SetStatus("it 2")
	if got := w.TakeSent(); got != "" {
		t.Errorf("printing sends %q at once", got)
	}
	w.Frame("> ", "abc")
	sent += home + w.TakeSent()
	wantRows(t, sent, "first", "second", "it 2", "> abc")

	w.SetStatus("")
	w.Print("f\n")
	w.Frame("> ", "abc")
	sent += home + w.TakeSent()
	wantRows(t, sent, "first", "second", "half", "> abc")

	w.SetStatus("it 3")
	w.Frame("> ", "abc")
	sent += home + w.TakeSent()
	w.Print("late\nrest")
	w.SetMark("^C")
	w.BreakLine("> ", "abc")
	sent += home + w.TakeSent()
	wantRows(t, sent, "first", "second", "half", "late", "> abc^C")

	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	w.Print(", direct\n")
	sent += w.TakeSent()
	wantRows(t, sent, "first", "second", "half", "late", "> abc^C", "rest, direct")
}

func TestFrameIsOneWrite(t *testing.T) {
	t.Parallel()
	w := tty.NewWriterForTest()
	w.Begin()
	w.SetStatus("status")
	w.Print("above\n")
	w.Frame("> ", "line")
	if len(w.Sent) != 1 {
		t.Errorf("a frame is sent in %d writes: %q", len(w.Sent), w.Sent)
	}
}

func TestMutedWriterSendsNothing(t *testing.T) {
	t.Parallel()
	w := tty.NewWriterForTest()
	w.Begin()
	w.SetMute(true)
	w.Print("kept\n")
	w.BreakLine("> ", "line")
	if got := w.TakeSent(); got != "" {
		t.Errorf("sent %q", got)
	}
	w.SetMute(false)
	w.Frame("> ", "line")
	wantRows(t, w.TakeSent(), "kept", "> line")
}

func TestWriterStripsEscapes(t *testing.T) {
	t.Parallel()
	w := tty.NewWriterForTest()
	w.Begin()
	w.SetStatus("bad \x1b]0;title\x07 status\nsecond row")
	w.Frame("> ", "\x1b[2J")
	wantRows(t, w.TakeSent(), "bad ]0;title status", "> ?[2J")
}
