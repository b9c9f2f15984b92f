package eval_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"metalab/kernel/eval"
	"metalab/kernel/eval/internal/testbind"
)

// notices collects what a session tells its host.
type notices struct {
	mu    sync.Mutex
	lines []string
	more  chan string
}

func (n *notices) add(l string) {
	n.mu.Lock()
	n.lines = append(n.lines, l)
	n.mu.Unlock()
	select {
	case n.more <- l:
	default:
	}
}

func (n *notices) all() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.lines, "; ")
}

// session makes a session over testlab.
func session(t testing.TB) (*eval.Session, *notices) {
	t.Helper()
	n := &notices{more: make(chan string, 64)}
	s, err := eval.New(eval.Config{Packages: []string{testbind.Path}, Notice: n.add})
	if err != nil {
		t.Fatal(err)
	}
	return s, n
}

// show writes values as the tables below do.
func show(values []any) string {
	var s []string
	for _, v := range values {
		s = append(s, fmt.Sprintf("%v", v))
	}
	return strings.Join(s, " ")
}

// TestErrorPlaces checks the parts of an Error that a prompt marks text with.
func TestErrorPlaces(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	_, err := s.Eval(t.Context(), "x := 1\n\ty := nope(x)\n")
	var e *eval.Error
	if !errors.As(err, &e) || e.Kind != eval.Compile || e.Line != 2 || e.Col != 7 || e.Input != 1 {
		t.Fatalf("got %#v", err)
	}
	cause := errors.New("cause")
	s.Bind("cause", &cause)
	_, err = s.Eval(t.Context(), "panic(cause)")
	if !errors.As(err, &e) || e.Kind != eval.Panic || !errors.Is(err, cause) {
		t.Fatalf("got %#v", err)
	}
}

func TestBind(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	n := 3
	ctx := context.Background()
	s.Bind("n", &n)
	s.Bind("ctx", &ctx)
	if v, err := s.Eval(ctx, "n += 4; testlab.Wait(ctx, 0)"); err != nil ||
		show(v) != "<nil>" || n != 7 {
		t.Fatalf("got %v, %v; n is %d, want 7", v, err, n)
	}
	n = 20
	if v, err := s.Eval(ctx, "n"); err != nil || show(v) != "20" {
		t.Fatalf("got %v, %v, want 20", v, err)
	}
	if v, err := s.Eval(ctx, `n := "mine"; n`); err != nil || show(v) != "mine" || n != 20 {
		t.Fatalf("got %v, %v; n is %d", v, err, n)
	}
	for _, bad := range []any{3, nil, (*int)(nil)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Bind took %v", bad)
				}
			}()
			s.Bind("bad", bad)
		}()
	}
}

func TestVars(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	if _, err := s.Eval(t.Context(), `type P struct{ A int }; b := []*P{{3}}; a := `+
		`testlab.Open("a", "acs", nil)`); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range s.Vars() {
		got = append(got, fmt.Sprintf("%s %s %d %v", v.Name, v.Type, v.Input, reflect.TypeOf(v.Ptr)))
	}
	want := "a *testlab.Run 1 **testlab.Run, b []*P 1 *[]*main.P"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}

func TestUnknownPackage(t *testing.T) {
	t.Parallel()
	if _, err := eval.New(eval.Config{Packages: []string{"no/such"}}); err == nil ||
		!strings.Contains(err.Error(), `"no/such"`) {
		t.Fatalf("got %v", err)
	}
	s, _ := session(t)
	if _, err := s.Eval(t.Context(), `import "net/http"`); err == nil ||
		!strings.Contains(err.Error(), "is not built into this program; there are: ") ||
		strings.Contains(err.Error(), "prompt/") {
		t.Fatalf("got %v", err)
	}
}
