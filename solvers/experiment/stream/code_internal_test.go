package stream

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"

	"metalab/datasets"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// ownSource is the source of a solver of somebody's own, which is the toy search.
const ownSource = "package main\n\nfunc main() {}\n"

// coded makes a unit one of a solver of that source.
func coded(t testing.TB, u experiment.Unit) experiment.Unit {
	t.Helper()
	u.Solver, u.Variant, u.Params = "mine", "declared", maps.Clone(u.Params)
	u.Params[codeParam] = record.Text(shaOf([]byte(ownSource))[:10])
	var err error
	if u.Key, err = u.MakeKey(); err != nil {
		t.Fatal(err)
	}
	return u
}

// known is a Coder for which ownSource is the toy search.
type known struct {
	mu    sync.Mutex
	calls int
	other []string // sources that are another one
	fails int      // so many times
}

func (*known) Revision() int { return 1 }

func (k *known) Know(_ context.Context, u *experiment.Unit, source string) (
	datasets.Instance, error,
) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.calls++; source != ownSource {
		k.other = append(k.other, source)
	}
	if k.calls <= k.fails {
		return nil, errors.New("no compiler")
	}
	u.Solver, u.Variant, u.Params = "toy", "swap", maps.Clone(u.Params)
	delete(u.Params, codeParam)
	return nil, nil
}

// sources gives ownSource for units that are of it.
func sources(u *experiment.Unit) (string, error) {
	if u.Solver != "mine" {
		return "", errors.New("not asked for")
	}
	return ownSource, nil
}

// why is what a worker says about units that it does not get.
func (s *scene) why(worker string) string {
	s.Helper()
	all, err := Workers(s.Context(), s.a)
	if err != nil {
		s.Fatal(err)
	}
	for i := range all {
		if all[i].Name == worker {
			return strings.Join(all[i].Why, "\n")
		}
	}
	return ""
}

// Units with code of somebody's own are given only to a worker that takes it; another one says why
// it gets none, who asks is told, and the results are those of the search that the code is. A
// worker that cannot compile it leaves the units to others, and says so.
func TestCodeWhereAllowed(t *testing.T) {
	units := unitsOf(t, 3)
	plain := unitsOf(t, 3)
	units[0], units[1] = coded(t, units[0]), coded(t, units[1])
	s := newScene(t, units)
	s.source = sources
	s.join("plain")
	s.ask()
	s.until("why", func() bool {
		return strings.Contains(s.why("plain"), "revision 1: they come with code of somebody's own, "+
			"which this worker does not compile and run; one that is started with -code does") &&
			s.said("one that is started with -code takes the code of others")
	})
	s.until("the unit without code", func() bool {
		info, err := s.store.Info(t.Context(), "e")
		return err == nil && info.Done == 1
	})
	s.joinWith("broken", &known{fails: 1 << 30})
	s.until("why", func() bool {
		return strings.Contains(s.why("broken"), "a unit waits for another worker: code ") &&
			strings.Contains(s.why("broken"), "no compiler")
	})
	s.until("who asks is told", func() bool {
		return s.said("worker broken leaves units to others: code ") && s.said("no compiler")
	})
	k := &known{}
	s.joinWith("coder", k)
	if err := s.result(); err != nil {
		t.Fatal(err)
	}
	if k.calls == 0 || len(k.other) > 0 {
		t.Errorf("%d sources came, with %q", k.calls, k.other)
	}
	for r, err := range s.store.Rows(t.Context(), "e") {
		if err != nil {
			t.Fatal(err)
		}
		want := s.made(plain[r.Unit.Number-1])
		if r.Result.Digest != want.Digest || r.Result.Best != want.Best {
			t.Errorf("unit %d gave %v, want %v", r.Unit.Number, r.Result.Best, want.Best)
		}
	}
}

// A source that is not that of the hash in the unit is not compiled.
func TestFalseSource(t *testing.T) {
	units := unitsOf(t, 1)
	units[0] = coded(t, units[0])
	s := newScene(t, units)
	s.source = sources
	_, p := s.hostile()
	s.ask()
	name := codeKey(shaOf([]byte(ownSource)))
	s.until("the source", func() bool {
		_, err := p.objects.GetInfo(t.Context(), name)
		return err == nil
	})
	if _, err := p.objects.PutBytes(t.Context(), name, []byte("package evil")); err != nil {
		t.Fatal(err)
	}
	k := &known{}
	s.joinWith("coder", k)
	s.until("why", func() bool {
		return strings.Contains(s.why("coder"), "the source of mine on rand-60-1 is another one than "+
			"the unit's")
	})
	if k.mu.Lock(); k.calls > 0 {
		t.Errorf("it was compiled: %q", k.other)
	}
	k.mu.Unlock()
}

// An experiment whose sources are not known is not begun.
func TestNoSource(t *testing.T) {
	for want, source := range map[string]func(*experiment.Unit) (string, error){
		"whose source is not known": nil,
		"was lost": func(*experiment.Unit) (string, error) {
			return "", errors.New("was lost")
		},
		"is of code ": func(*experiment.Unit) (string, error) { return "package x", nil },
	} {
		units := unitsOf(t, 1)
		units[0] = coded(t, units[0])
		s := newScene(t, units)
		s.source = source
		s.ask()
		if err := s.result(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A unit and its source must belong together.
func TestIsCode(t *testing.T) {
	plain := unitsOf(t, 1)[0]
	own := coded(t, plain)
	problem := plain
	problem.Instance.Kind = string(datasets.KindOwn)
	sha := shaOf([]byte(ownSource))
	for _, c := range []struct {
		u          *experiment.Unit
		code, want string
	}{
		{&plain, "", ""},
		{&plain, sha, "nothing in it is somebody's own"},
		{&own, sha, ""},
		{&own, "", "hexadecimal"},
		{&own, "../" + sha[3:], "hexadecimal"},
		{&own, strings.Repeat("0", 64), "is of code"},
		{&problem, sha, "a problem is of source"},
		{&problem, problem.Instance.SHA256, ""},
	} {
		err := isCode(c.u, c.code)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v, want %q", c.u.Label, c.code, err, c.want)
		}
		b, err := writeTask(c.u, c.code)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := readTask(b); c.want != "" && err == nil {
			t.Errorf("%s with %s is read", c.u.Label, c.code)
		}
	}
}
