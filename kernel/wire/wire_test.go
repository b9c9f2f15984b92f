package wire_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalab/kernel/wire"
)

// The arguments of a verb are the fields of its request.
func TestRequestsMatchTheTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, v := range wire.Verbs {
		if seen[v.Name] {
			t.Errorf("verb %s stands twice in the table", v.Name)
		}
		seen[v.Name] = true
		if v.Doc == "" || strings.HasSuffix(v.Doc, ".") || v.Example == "" {
			t.Errorf("verb %s: doc %q, example %q", v.Name, v.Doc, v.Example)
		}
		ok := false
		for _, g := range wire.Groups {
			ok = ok || g == v.Group
		}
		if !ok {
			t.Errorf("verb %s is in group %q, which help does not show", v.Name, v.Group)
		}
		if v.Front {
			if v.NewRequest() != nil || v.NewReply() != nil {
				t.Errorf("verb %s is a front end's and has a request or a reply", v.Name)
			}
			continue
		}
		fields := map[string]bool{}
		rt := reflect.TypeOf(v.NewRequest()).Elem()
		for _, f := range reflect.VisibleFields(rt) {
			if f.Anonymous {
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			fields[name] = true
			if _, ok := v.Arg(name); !ok {
				t.Errorf("verb %s: field %s of its request is no argument", v.Name, name)
			}
		}
		for _, a := range v.Args {
			if !fields[a.Name] {
				t.Errorf("verb %s: argument %s is no field of its request", v.Name, a.Name)
			}
			if a.Doc == "" {
				t.Errorf("verb %s: argument %s has no sentence", v.Name, a.Name)
			}
		}
		raw, err := json.Marshal(v.NewReply())
		if err != nil {
			t.Errorf("verb %s: an empty reply: %v", v.Name, err)
		}
		if !strings.HasPrefix(string(raw), `{"verb":`) {
			t.Errorf("verb %s: its reply does not begin with the verb: %.40s", v.Name, raw)
		}
		r, err := wire.Decode(v.Name, raw)
		if err != nil {
			t.Fatalf("verb %s: %v", v.Name, err)
		}
		_, _ = r.String(), r.HTML() // of empty replies: no panic
	}
}

func TestConds(t *testing.T) {
	t.Parallel()
	got, err := wire.ParseConds("gap<1, best<=2579 ,stall=500,iteration>=10,time=2m,cpu=1.5," +
		"gap<=0.5%,best>9,best>=-3,best=7")
	if err != nil {
		t.Fatal(err)
	}
	want := []wire.Cond{
		{Name: "gap", Value: 1, Strict: true, Below: true},
		{Name: "best", Value: 2579, Below: true},
		{Name: "stall", Value: 500},
		{Name: "iteration", Value: 10},
		{Name: "time", Value: 120},
		{Name: "cpu", Value: 1.5},
		{Name: "gap", Value: .5, Below: true},
		{Name: "best", Value: 9, Strict: true, Above: true},
		{Name: "best", Value: -3, Above: true},
		{Name: "best", Value: 7},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{
		"", "gap", "gap<", "gap>1", "best==3", "stall<5", "stall=1.5",
		"time=x", "x=1", "gap<1 100", "gap<1 0", "stall=5 0", "gap<0.02 5s", "g ap<1",
		"gap<nan", "gap<inf", "stall=-1", ",", "gap<1,",
	} {
		if c, err := wire.ParseConds(bad); err == nil {
			t.Errorf("%q gives %v, want an error", bad, c)
		}
	}
}

// A time is a number of seconds, or one with a unit; what else is written is none.
func TestSeconds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"10": 10, "500ms": .5, "10s": 10, "1min": 60, "2 minutes": 120, "1.5h": 5400, "1d": 86400,
		"1e3": 1000, "1e3 sec": 1000, "10seconds": 10,
		"1min10s": 70, "1h30m": 5400, "1d 2h": 93600, "1 min 10 s": 70, "1m0.5s": 60.5, "2s500ms": 2.5,
	} {
		if got, err := wire.ParseSeconds(text); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, bad := range []string{
		"", "s", "min", "-1s", "1 0s", "1x", "1smin", "10s 5", "nan", "inf", "1e300", "1e3e",
		"10s1min", "1min1min", "1 500ms", "1min10",
	} {
		if got, err := wire.ParseSeconds(bad); err == nil {
			t.Errorf("%q is taken for %v seconds", bad, got)
		}
	}
}

func TestSessionNames(t *testing.T) {
	for _, bad := range []string{"", ".x", "-x", "a b", "a/b", "ä", strings.Repeat("x", 41)} {
		if wire.CheckSession(bad) == nil {
			t.Errorf("%q is taken for a name", bad)
		}
	}
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	p, err := wire.SocketPath("s1")
	if err != nil || !strings.HasSuffix(p, "/metalab/s1.sock") {
		t.Errorf("socket of s1: %q, %v", p, err)
	}
	if _, err := wire.SocketPath("/" + strings.Repeat("x", 120)); err == nil ||
		!strings.Contains(err.Error(), "121 bytes") {
		t.Errorf("a path that is too long: %v", err)
	}
	if _, err := wire.Dial(t.Context(), "nobody", ""); wire.CodeOf(err) != wire.CodeHost {
		t.Errorf("a session that is not there: %v", err)
	}
	if s := wire.Sessions(t.Context()); len(s) != 0 {
		t.Errorf("sessions in an empty folder: %v", s)
	}
}
