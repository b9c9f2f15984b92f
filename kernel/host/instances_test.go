package host_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
)

// Instances are listed with what is known of them, by a word of the name or by kind, in 80
// columns.
func TestInstances(t *testing.T) {
	data, cache := hosttest.Folder(t), hosttest.Folder(t)
	t.Setenv("METALAB_DATA", data)
	t.Setenv("XDG_CACHE_HOME", cache)
	const long = "prefecture-offices-of-the-whole-country"
	if err := os.WriteFile(data+"/"+long+".dat", []byte("12 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(data+"/strange.tsp", []byte("?"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := start(t, hosttest.Options(t))
	list := func(line string) (map[string]reply.ListedInstance, *reply.InstancesReply) {
		r := l.Do(line).(*reply.InstancesReply)
		m := map[string]reply.ListedInstance{}
		for i, e := range r.Instances {
			m[e.Name] = e
			if r.Names[i] != e.Name {
				t.Errorf("%s: the names are of other instances", line)
			}
		}
		for row := range strings.SplitSeq(r.String(), "\n") {
			if utf8.RuneCountInString(row) > 80 {
				t.Errorf("%s: longer than 80: %q", line, row)
			}
		}
		if h := r.HTML(); len(m) > 0 && strings.Count(h, "<tr>") != len(m)+1 {
			t.Errorf("%s: %s", line, h)
		}
		return m, r
	}

	all, r := list("instances")
	if e := all["pr1002"]; e.Kind != "tsp" || e.Size != 1002 || e.Best != 259045 || !e.Proven ||
		e.Source == "" || e.Place != "to be fetched" || e.Path != "" {
		t.Errorf("pr1002: %+v", e)
	}
	if e := all["weierstrass-5"]; e.Kind != "weierstrass" || e.Size != 5 ||
		!math.IsNaN(float64(e.Best)) || e.Place != "generated" {
		t.Errorf("weierstrass-5: %+v", e)
	}
	if e := all[long]; e.Kind != "qap" || e.Size != 12 || e.Place != "METALAB_DATA" ||
		e.Path != data+"/"+long+".dat" {
		t.Errorf("%s: %+v", long, e)
	}
	if e := all["strange"]; e.Kind != "" || e.Size != 0 || e.Best.Known() {
		t.Errorf("strange: %+v", e)
	}
	if !slices.Contains(strings.Split(r.String(), "\n"), long) {
		t.Error("a long name has no line of its own")
	}

	for _, kind := range []string{"tsp", "atsp", "qap", "ppp", "weierstrass", "colouring"} {
		of, _ := list("instances " + kind)
		for name, e := range of {
			if e.Kind != kind {
				t.Errorf("instances %s lists %s, which is of kind %q", kind, name, e.Kind)
			}
		}
		for name, e := range all {
			if _, ok := of[name]; ok != (e.Kind == kind) {
				t.Errorf("instances %s: %s is there: %v", kind, name, ok)
			}
		}
	}
	pr, r := list("instances PR")
	if _, ok := pr["pr1002"]; !ok || len(pr) < 10 {
		t.Errorf("instances PR: %v", r.Names)
	}
	for name := range pr {
		if !strings.Contains(strings.ToLower(name), "pr") {
			t.Errorf("instances PR lists %s", name)
		}
	}
	_, r = list("instances nothing-like-it")
	if r.String() != "no instance of such a name or kind" || r.Names == nil {
		t.Errorf("none: %q", r)
	}
	text := l.Do("instances pr1002").String()
	for _, want := range []string{
		"name", "kind", "size", "best known", "file", "pr1002", "tsp", "1002", "259045", "proven",
		"1 instance: 1 to be fetched", "1 tsp",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}
