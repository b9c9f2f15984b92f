package tty_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"metalab/repl/internal/tty"
)

func TestLineReader(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
		lines    []int
	}{
		{"nothing", "", nil, nil},
		{"lines", "a\nb\n", []string{"a", "b"}, []int{1, 2}},
		{"no last newline", "a\nb", []string{"a", "b"}, []int{1, 2}},
		{"CRLF and a mark", "\ufeffa\r\n\r\nb\r\n", []string{"a", "", "b"}, []int{1, 2, 3}},
		{"several lines", "x\nf {\n  {}\n}\ny\n", []string{"x", "f {\n  {}\n}", "y"}, []int{1, 2, 5}},
		{"unfinished", "f {\n  x\n", []string{"f {\n  x"}, []int{1}},
		{
			"long", strings.Repeat("x", 100000) + "\ny",
			[]string{strings.Repeat("x", 100000), "y"},
			[]int{1, 2},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cancellable, cancel := context.WithCancel(context.Background())
			defer cancel()
			for _, ctx := range []context.Context{context.Background(), cancellable} {
				l := tty.NewLineReader(iotest.OneByteReader(strings.NewReader(c.in)), incomplete)
				for i, want := range c.want {
					got, err := l.ReadLine(ctx)
					if got != want || err != nil || l.Line() != c.lines[i] {
						t.Errorf("input %d is %q, %v at line %d, want %q at line %d", i, got, err, l.Line(), want,
							c.lines[i])
					}
				}
				for range 2 {
					if got, err := l.ReadLine(ctx); !errors.Is(err, io.EOF) {
						t.Errorf("at the end %q, %v, want io.EOF", got, err)
					}
				}
			}
		})
	}
}

func TestLineReaderErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	l := tty.NewLineReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), nil)
	if got, err := l.ReadLine(context.Background()); got != "a" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := l.ReadLine(context.Background()); !errors.Is(err, broken) ||
		!strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v, want that line 2 is broken", err)
	}
	l = tty.NewLineReader(strings.NewReader(strings.Repeat("x", 17<<20)), nil)
	if _, err := l.ReadLine(context.Background()); err == nil {
		t.Error("a line of 17 MiB gives no error")
	}
}

// A line that came after its context had ended is not lost.
func TestLineReaderContext(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	l := tty.NewLineReader(r, nil)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := l.ReadLine(ctx)
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	go func() { _, _ = io.WriteString(w, "late\n") }()
	if got, err := l.ReadLine(context.Background()); got != "late" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}
