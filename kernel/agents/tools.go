package agents

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"metalab/kernel/wire"
)

// A tool is a verb that an agent may ask for.
type tool struct {
	verb  string
	reads bool     // it makes no iterations and changes nothing: budgets do not bound it
	less  []string // arguments that agents do not have, besides those of never
}

// never are arguments that no agent has: other machines, the background, which would outlast a
// call, and the replacement of files.
var never = []string{"over", "background", "force", "sink", "engine", "empty"}

// tools are all that an agent may ask for, in the order of the verb table.
var tools = []tool{
	{verb: "open"},
	{verb: "solve"},
	{verb: "step"},
	{verb: "set"},
	{verb: "undo"},
	{verb: "fork"},
	{verb: "close"},
	{verb: "runs", reads: true, less: []string{"all"}},
	{verb: "show", reads: true},
	{verb: "islands", reads: true},
	{verb: "params", reads: true},
	{verb: "best", reads: true},
	{verb: "history", reads: true},
	{verb: "journal", reads: true},
	{verb: "plot", reads: true},
	{verb: "save", reads: true},
	{verb: "load"},
	{verb: "replay"},
	{verb: "diff"},
	{verb: "export"},
	{verb: "repeat"},
	{verb: "seeds", reads: true},
	{verb: "compare", reads: true},
	{verb: "experiment"},
	{verb: "sweep"},
	{verb: "chart", reads: true},
	{verb: "tune"},
	{verb: "instances", reads: true},
	{verb: "instance", reads: true},
	{verb: "solvers", reads: true},
}

// doings are those of the verb experiment that an agent may ask for.
func doings() []string {
	var out []string
	for _, c := range wire.ExperimentDoings {
		if c.Name != "pause" {
			out = append(out, c.Name)
		}
	}
	return out
}

// args are the arguments of a tool.
func (t tool) args(v wire.Verb, code bool) []wire.Arg {
	var out []wire.Arg
	for _, a := range v.Args {
		if slices.Contains(never, a.Name) || slices.Contains(t.less, a.Name) ||
			a.Name == "code" && !code || !a.Typed() {
			continue
		}
		out = append(out, a)
	}
	return out
}

// field is the field of a request that holds an argument.
func field(request reflect.Value, name string) (reflect.Value, bool) {
	for i := range request.NumField() {
		f := request.Type().Field(i)
		if f.Anonymous {
			if v, ok := field(request.Field(i), name); ok {
				return v, true
			}
			continue
		}
		if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key == name {
			return request.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// schema is the JSON schema of a tool's arguments.
func schema(v wire.Verb, args []wire.Arg) json.RawMessage {
	type object = map[string]any
	request := reflect.ValueOf(v.NewRequest()).Elem()
	properties, required := object{}, []string{}
	for _, a := range args {
		f, ok := field(request, a.Name)
		if !ok {
			continue
		}
		p := object{"description": describe(v, a)}
		kind := f.Type()
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		switch kind.Kind() {
		case reflect.Bool:
			p["type"] = "boolean"
		case reflect.Int, reflect.Int64:
			p["type"], p["maximum"], p["minimum"] = "integer", int64(1)<<53, 0
		case reflect.Uint64:
			p["type"], p["maximum"], p["minimum"] = "integer", int64(1)<<53, 0
		case reflect.Float64:
			p["type"], p["minimum"] = "number", 0
		case reflect.Slice:
			p["type"], p["items"] = "array", object{"type": "string"}
		case reflect.Map:
			p["type"] = "object"
			p["additionalProperties"] = object{"type": []string{"number", "string", "boolean"}}
		default:
			p["type"], p["maxLength"] = "string", maxText
		}
		if v.Name == "experiment" && a.Name == "do" {
			p["enum"] = doings()
		}
		properties[a.Name] = p
		if a.Required {
			required = append(required, a.Name)
		}
	}
	s := object{
		"type": "object", "properties": properties, "required": required,
		"additionalProperties": false,
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // it consists of texts and numbers
	}
	return b
}

// describe is the sentence about an argument.
func describe(v wire.Verb, a wire.Arg) string {
	doc := a.Doc
	if a.Many { // an agent calls once for each run
		doc = strings.TrimSuffix(doc, "; several may be named, or all")
	}
	switch a.Kind {
	case wire.KindPath:
		doc += "; a path within the folder that the agent was given"
	case wire.KindParams:
		doc += "; names with values, as {\"q0\": 0.9}"
		if v.Name == "experiment" || v.Name == "sweep" || v.Name == "tune" {
			doc += "; several values are one text with commas, as {\"q0\": \"0.5,0.9\"}"
		}
	case wire.KindRuns:
		doc += "; a list of names"
	case wire.KindSeconds:
		doc = strings.ReplaceAll(doc, "; also typed as 10s or 2m", "")
		doc = strings.ReplaceAll(doc, "; also typed as 10cpu", "")
	default:
	}
	if a.Default != "" && a.Default != "false" {
		doc += " (default " + a.Default + ")"
	}
	return doc
}
