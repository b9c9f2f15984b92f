package wire

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// takes says which arguments belong to which of the things that a verb does. An argument in none of
// the rows belongs to all.
type takes struct {
	of   func(request any) string // what is asked for, a key of rows
	rows map[string][]string      // the arguments that it reads; a key is typed behind what is named
}

// planArgs are the arguments that plan an experiment and have it made.
var planArgs = []string{
	"solvers", "instances", "seeds", "first", "n", "evaluations", "wall", "cpu", "on", "preset",
	"params", "background", "again", "over",
}

// The names of what is asked for where no word of the request says so.
const (
	doesList    = "the list of all"
	doesRecover = "recover"
)

// taken are the verbs that do several things.
var taken = map[string]takes{
	"experiment": {
		of: func(request any) string {
			q := request.(*ExperimentRequest)
			switch {
			case q.Name == "":
				return doesList
			case q.Name == doesRecover && (q.Do == "" || q.Do == "table"):
				return doesRecover
			}
			return q.Do
		},
		rows: map[string][]string{
			doesList: nil, doesRecover: {"empty"}, "": planArgs, "go": planArgs, "table": nil,
			"pause": nil, "units": nil, "failures": nil, "slowest": {"by"},
			"open": {"unit", "as", "differs"}, "best": nil, "targets": {"at", "by"},
			"budgets": {"at", "by"}, "report": nil, "export": {"to", "force", "format"},
			"import": {"from", "columns", "solver", "instance"},
			"drop":   {"solver", "instance", "params"}, "remove": nil,
		},
	},
	"workers": {
		of: func(request any) string { return cmp.Or(request.(*WorkersRequest).Do, "list") },
		rows: map[string][]string{
			"list": {"over", "wait"}, "serve": {"wait", "listen", "cert", "key", "users"},
		},
	},
	"chart": {
		of: func(request any) string { return cmp.Or(request.(*ChartRequest).Figure, "box") },
		rows: map[string][]string{
			"box": nil, "violin": nil, "error": nil, "median": {"by"}, "ecdf": {"at", "by"},
			"ert": {"at", "by"}, "heat": nil, "parallel": nil, "importance": nil, "ranks": nil,
			"profile": nil, "speedup": nil,
		},
	},
	"tune": {
		of: func(request any) string { return cmp.Or(request.(*TuneRequest).Method, "race") },
		rows: map[string][]string{
			"race": {"units", "test"}, "halving": {"trials"}, "latin": {"trials"}, "random": {"trials"},
		},
	},
	"bench": {
		of: func(request any) string {
			q := request.(*BenchRequest)
			switch {
			case q.Table == "":
				return doesList
			case q.Table != "papers" && q.Table != "figures" && q.List:
				return "TABLE list"
			case q.Table != "papers" && q.Table != "figures":
				return "TABLE"
			}
			return q.Table
		},
		rows: map[string][]string{
			doesList: nil, "papers": nil, "figures": nil, "TABLE list": {"row", "list"},
			"TABLE": {"row", "list", "seeds", "first", "full", "peer"},
		},
	},
}

// Untaken names an argument of a request that does not apply to what the request asks for, and
// where it does apply. It is empty if all apply, and if the request's subject is unknown.
func (v Verb) Untaken(request any) string {
	if s := v.foreign(request); s != "" {
		return s
	}
	return v.forced(request)
}

// foreign says which argument belongs to something else, and to what.
func (v Verb) foreign(request any) string {
	t, ok := taken[v.Name]
	if !ok {
		return ""
	}
	does := t.of(request)
	mine, ok := t.rows[does]
	if !ok {
		return ""
	}
	for _, a := range v.Args {
		var takers []string
		for _, key := range slices.Sorted(maps.Keys(t.rows)) {
			if slices.Contains(t.rows[key], a.Name) {
				takers = append(takers, key)
			}
		}
		if len(takers) == 0 || slices.Contains(mine, a.Name) {
			continue
		}
		if typed, is := v.given(request, a); is {
			return fmt.Sprintf("%s: %s is no part of %s: %s takes it", v.Name, v.word(request, a),
				cmp.Or(does, "the table or a plan"), v.ways(request, takers, typed))
		}
	}
	return ""
}

// forced refuses force where there is no file that it could replace.
func (v Verb) forced(request any) string {
	var to, force *Arg
	for i := range v.Args {
		switch v.Args[i].Name {
		case "to":
			to = &v.Args[i]
		case argForce.Name:
			force = &v.Args[i]
		}
	}
	if to == nil || force == nil {
		return ""
	}
	if _, is := v.given(request, *to); is {
		return ""
	}
	if _, is := v.given(request, *force); !is {
		return ""
	}
	return v.Name + ": force replaces a file, and none is named: as in: to FILE force"
}

// word is how an error names an argument: parameters by the first of them.
func (v Verb) word(request any, a Arg) string {
	if typed, _ := v.given(request, a); a.Kind == KindParams {
		name, _, _ := strings.Cut(typed, "=")
		return name
	}
	return a.Name
}

// given is an argument as it is typed, and whether the request has it.
func (v Verb) given(request any, a Arg) (typed string, is bool) {
	q := reflect.ValueOf(request).Elem()
	for i := range q.NumField() {
		name, _, _ := strings.Cut(q.Type().Field(i).Tag.Get("json"), ",")
		if name != a.Name || q.Field(i).IsZero() {
			continue
		}
		switch {
		case a.Kind == KindParams:
			var names []string
			for _, k := range q.Field(i).MapKeys() {
				names = append(names, k.String())
			}
			if len(names) == 0 {
				return "", false
			}
			return slices.Min(names) + "=…", true
		case a.Kind == KindTruth:
			return a.Name, true
		case a.Kind == KindPath && a.Word != "":
			return a.Word + " FILE", true
		case a.Word != "":
			return a.Word + " NAME", true
		case a.Place:
			return strings.ToUpper(a.Name), true
		}
		return a.Name + "=…", true
	}
	return "", false
}

// ways are the lines that take an argument, as they are typed.
func (v Verb) ways(request any, takers []string, typed string) string {
	head := v.Name
	switch q := request.(type) {
	case *ExperimentRequest:
		if name := q.Name; name == "" || name == doesRecover {
			head += " NAME"
		} else {
			head += " " + name
		}
		if slices.Contains(takers, "") { // go takes the same
			takers = slices.DeleteFunc(takers, func(s string) bool { return s == "go" })
		}
	case *ChartRequest:
		head += " " + q.Name
	case *TuneRequest:
		head += " " + q.Run
	}
	var out []string
	for _, does := range takers {
		line := head
		switch {
		case does == doesRecover:
			line = v.Name + " " + does
		case v.Name == "tune":
			line += " method=" + does
		case does != "":
			line += " " + does
		}
		switch {
		case does == "open" && typed != "UNIT":
			line += " UNIT"
		case does == "export" && !strings.HasPrefix(typed, "to "):
			line += " to FILE"
		case does == "import" && !strings.HasPrefix(typed, "from "):
			line += " from FILE"
		}
		if does != "TABLE list" || typed != "list" {
			line += " " + typed
		}
		if !slices.Contains(out, line) { // TABLE list is a row, and a word of TABLE
			out = append(out, line)
		}
	}
	return strings.Join(out, ", or ")
}
