package wire_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// Each thing that a verb does is asked for with each argument: what it does not read is an error
// that names the argument and a line that takes it, and that line is one.
func TestNoArgumentIsDropped(t *testing.T) {
	t.Parallel()
	names := func(all []wire.Choice) (out []string) {
		for _, c := range all {
			out = append(out, c.Name)
		}
		return out
	}
	const plan = "solvers instances seeds first n evaluations wall cpu on preset x background again " +
		"over"
	for verb, of := range map[string]struct {
		head  string
		all   []string          // what the verb does, as it is typed
		reads map[string]string // by what it does; * is what all do
	}{
		"experiment": {"experiment e ", append(names(wire.ExperimentDoings), ""), map[string]string{
			"": plan, "go": plan, "slowest": "by", "open": "unit as differs", "targets": "at by",
			"budgets": "at by", "export": "to force format", "import": "from columns solver instance",
			"drop": "solver instance x",
		}},
		"workers": {"workers ", append(names(wire.WorkersDoings), ""), map[string]string{
			"list": "over wait", "": "over wait", "serve": "wait listen cert key users",
		}},
		"chart": {"chart e ", append(names(wire.Charts), ""), map[string]string{
			"median": "by", "ecdf": "at by", "ert": "at by", "*": "instance to force",
		}},
		"tune": {"tune a x=1 method=", names(wire.Tunings), map[string]string{
			"race": "units test", "halving": "trials", "latin": "trials", "random": "trials",
			"*": "instances seeds n evaluations wall cpu seed as background over on",
		}},
		"bench": {"bench ", []string{"", "papers", "figures", "ants", "ants list"}, map[string]string{
			"ants list": "row list", "ants": "row list seeds first full peer",
		}},
	} {
		v, _ := wire.Find(verb)
		for _, does := range of.all {
			for _, a := range v.Args {
				if !a.Typed() || a.Name == "do" || a.Name == "name" || a.Name == "run" ||
					a.Name == "figure" || a.Name == "table" || a.Name == "method" || a.Name == "empty" ||
					a.Name == "list" && does == "ants list" || a.Name == "params" && verb == "tune" {
					continue
				}
				name, arg := a.Name, a.Name+"="+map[wire.Kind]string{
					wire.KindInt: "3", wire.KindSeconds: "3", wire.KindTruth: "true", wire.KindPath: "/tmp/f.csv",
				}[a.Kind]
				switch {
				case a.Kind == wire.KindParams:
					name, arg = "x", "x=1"
				case len(a.Choices) > 0:
					arg = a.Name + "=" + a.Choices[0].Name
				case strings.HasSuffix(arg, "="):
					arg += "w"
				}
				read := slices.Contains(strings.Fields(of.reads[does]+" "+of.reads["*"]), name)
				if name == "force" && read { // it goes with a file
					arg = "to=/tmp/f.csv " + arg
				}
				why := untaken(t, v, of.head+does+" "+arg)
				if read != (why == "") {
					t.Errorf("%s%s %s: %q", of.head, does, arg, why)
				}
				if why == "" {
					continue
				}
				head, line, _ := strings.Cut(why, ": ")
				rest, line, _ := strings.Cut(line, ": ")
				if head != verb || !strings.HasPrefix(rest, name+" is no part of ") {
					t.Errorf("%s%s %s: %q", of.head, does, arg, why)
				}
				for way := range strings.SplitSeq(strings.TrimSuffix(line, " takes it"), ", or ") {
					way = strings.NewReplacer("=…", "=1", "UNIT", "1", "TABLE", "ants", "ROW", "1").Replace(way)
					if verb == "tune" {
						way += " x=1"
					}
					if !strings.Contains(way, a.Name) && name != "x" && a.Name != "unit" && a.Name != "row" {
						t.Errorf("%s%s %s: %q does not name it", of.head, does, arg, way)
					}
					if why := untaken(t, v, way); why != "" {
						t.Errorf("%s%s %s: %q is no way: %s", of.head, does, arg, way, why)
					}
				}
			}
		}
	}
	for _, line := range []string{"plot a force", "islands a 1 force", "source a force"} {
		v, _ := wire.Find(strings.Fields(line)[0])
		if why := untaken(t, v, line); why != v.Name+": force replaces a file, and none is named: as "+
			"in: to FILE force" {
			t.Errorf("%s: %q", line, why)
		}
	}
	v, _ := wire.Find("bench")
	if why := untaken(t, v, "bench list"); !strings.HasSuffix(why, ": bench TABLE list takes it") {
		t.Errorf("bench list: %q", why)
	}
	v, _ = wire.Find("experiment")
	for line, want := range map[string]string{
		"experiment e1 report to rep.html": "to is no part of report: experiment e1 export to " +
			"FILE takes it",
		"experiment e1 to out.csv": "to is no part of the table or a plan: experiment e1 export to " +
			"FILE takes it",
		"experiment seeds=3": "seeds is no part of the list of all: experiment NAME seeds=… takes " +
			"it",
		"experiment recover seeds=3": "seeds is no part of recover: experiment NAME seeds=… takes it",
		"experiment e1 empty":        "experiment recover empty takes it",
		"experiment e1 export force": "experiment: force replaces a file, and none is named",
		"experiment e1 best tau=3": "tau is no part of best: experiment e1 tau=…, or experiment e1 " +
			"drop tau=… takes it",
	} {
		if why := untaken(t, v, line); !strings.Contains(why, want) {
			t.Errorf("%s: %q", line, why)
		}
	}
}

func untaken(t *testing.T, v wire.Verb, line string) string {
	t.Helper()
	call, err := words.Parse(line, words.Scope{Runs: []string{"a"}, Dir: "/"})
	q := v.NewRequest()
	if err == nil {
		err = call.Bind(q)
	}
	b, _ := json.Marshal(q)
	if err == nil {
		err = json.Unmarshal(b, q)
	}
	if err != nil {
		t.Errorf("%s: %v", line, err)
		return "?"
	}
	return v.Untaken(q)
}
