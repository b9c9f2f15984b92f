package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/solvers/record"
)

// The bounds of what an agent sends.
const (
	maxArgs   = 1 << 20  // bytes of the arguments of a call
	maxDepth  = 4        // of their JSON: arguments, a list or parameters, values
	maxText   = 16 << 10 // bytes of a text
	maxItems  = 100      // of a list, and of parameters
	maxPath   = 4096
	maxHeader = 64 << 20 // bytes of the first line of a record
	maxSeeds  = 10_000
)

// wrong is the error of arguments.
func wrong(form string, args ...any) error {
	return &wire.Error{Code: wire.CodeRequest, Message: fmt.Sprintf(form, args...)}
}

// request reads the arguments of a call into a request of the verb, with all paths resolved.
func (s *server) request(t tool, v wire.Verb, raw []byte) (any, error) {
	if len(raw) > maxArgs {
		return nil, wrong("%s: the arguments have %d bytes, want at most %d", v.Name, len(raw), maxArgs)
	}
	if d := depth(raw); d > maxDepth {
		return nil, wrong("%s: the arguments are nested %d deep, want at most %d", v.Name, d, maxDepth)
	}
	given := map[string]json.RawMessage{}
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, wrong("%s: the arguments are no JSON object: %v", v.Name, err)
		}
	}
	q := v.NewRequest()
	request := reflect.ValueOf(q).Elem()
	args := t.args(v, s.o.Code)
	for name := range given {
		if slices.ContainsFunc(args, func(a wire.Arg) bool { return a.Name == name }) {
			continue
		}
		return nil, s.unknown(t, v, args, name)
	}
	for _, a := range args {
		raw, ok := given[a.Name]
		if !ok || string(raw) == "null" {
			if a.Required && a.FromRun == "" {
				return nil, wrong("%s: the argument %s is missing: %s", v.Name, a.Name, describe(v, a))
			}
			continue
		}
		f, ok := field(request, a.Name)
		if !ok {
			return nil, wrong("%s: no argument %s", v.Name, a.Name)
		}
		if err := read(f, raw); err != nil {
			return nil, wrong("%s: %s is %s, want %v", v.Name, a.Name, clip(string(raw)), err)
		}
		if err := s.check(v, a, f); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", v.Name, a.Name, err)
		}
	}
	if save, ok := q.(*wire.FileRequest); ok && save.Path == "" {
		path, err := s.folder.writes(save.Run + wire.RecordExt)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		save.Path = path
	}
	return q, nil
}

// unknown is the error of an argument that the tool does not take.
func (s *server) unknown(t tool, v wire.Verb, args []wire.Arg, name string) error {
	var names []string
	for _, a := range args {
		names = append(names, a.Name)
	}
	switch {
	case name == "code":
		if _, ok := v.Arg(name); ok {
			return denied("%s: code is not given to this agent; metalab mcp -code gives it, and then the "+
				"source in a record may do all that you may", v.Name)
		}
	case slices.Contains(never, name) || slices.Contains(t.less, name):
		if _, ok := v.Arg(name); ok {
			return denied("%s: agents have no argument %s", v.Name, name)
		}
	}
	return wrong("%s: there is no argument %q, want some of: %s", v.Name, clip(name),
		strings.Join(names, ", "))
}

// read reads a value into a field of a request; the error says what is wanted.
func read(f reflect.Value, raw []byte) error {
	raw = bytes.TrimSpace(raw)
	to := f
	if f.Kind() == reflect.Pointer {
		to = reflect.New(f.Type().Elem()).Elem()
	}
	switch to.Kind() {
	case reflect.Bool:
		switch string(raw) {
		case "true", "false":
			to.SetBool(string(raw) == "true")
		default:
			return fmt.Errorf("true or false")
		}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		x, err := number(raw)
		if err != nil || x != math.Trunc(x) || x < 0 || x > 1<<53 {
			return fmt.Errorf("an integer from 0 to 2^53")
		}
		if to.Kind() == reflect.Uint64 {
			to.SetUint(uint64(x))
		} else {
			to.SetInt(int64(x))
		}
	case reflect.Float64:
		x, err := number(raw)
		if err != nil || x < 0 {
			return fmt.Errorf("a finite number from 0 on")
		}
		to.SetFloat(x)
	case reflect.String:
		var text string
		if json.Unmarshal(raw, &text) != nil || raw[0] != '"' || len(text) > maxText ||
			strings.ContainsFunc(text, control) {
			return fmt.Errorf("a text of at most %d bytes without control characters", maxText)
		}
		to.SetString(text)
	case reflect.Slice:
		var list []string
		if json.Unmarshal(raw, &list) != nil || len(raw) > maxText || len(list) > maxItems {
			return fmt.Errorf("a list of at most %d names", maxItems)
		}
		to.Set(reflect.ValueOf(list))
	case reflect.Map:
		var all map[string]json.RawMessage
		if json.Unmarshal(raw, &all) != nil || len(all) > maxItems {
			return fmt.Errorf("an object of at most %d names with values", maxItems)
		}
		values := record.Values{}
		for name, raw := range all {
			v, err := value(raw)
			if err != nil || !words.IsName(name) || len(name) > 100 {
				return fmt.Errorf("names with numbers, texts or truth values, and not %q with %s",
					clip(name), clip(string(raw)))
			}
			values[name] = v
		}
		to.Set(reflect.ValueOf(values))
	default:
		return fmt.Errorf("nothing that agents give")
	}
	if f.Kind() == reflect.Pointer {
		f.Set(to.Addr())
	}
	return nil
}

// value is that of a parameter. A text is read as the prompt reads what is typed.
func value(raw []byte) (record.Value, error) {
	raw = bytes.TrimSpace(raw)
	switch {
	case string(raw) == "true" || string(raw) == "false":
		return record.Parse(string(raw)), nil
	case raw[0] == '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil || len(text) > maxText ||
			strings.ContainsFunc(text, control) {
			return record.Value{}, fmt.Errorf("no text")
		}
		return record.Parse(text), nil
	}
	x, err := number(raw)
	return record.Num(x), err
}

// number reads a finite number.
func number(raw []byte) (float64, error) {
	var x *float64
	if err := json.Unmarshal(raw, &x); err != nil {
		return 0, err // also where it is beyond the largest
	}
	if x == nil {
		return 0, fmt.Errorf("null")
	}
	return *x, nil
}

func control(c rune) bool { return c < ' ' || c == 0x7f || c == '\u2028' || c == '\u2029' }

// check resolves the paths in an argument and bounds what is large.
func (s *server) check(v wire.Verb, a wire.Arg, f reflect.Value) (err error) {
	text := ""
	if f.Kind() == reflect.String {
		text = f.String()
	}
	switch {
	case a.Kind == wire.KindPath && text != "":
		if v.Name == "load" || v.Name == "replay" {
			text, err = s.folder.record(text)
		} else {
			text, err = s.folder.writes(text)
		}
		f.SetString(text)
	case a.Kind == wire.KindRecord && !s.open(text) && s.folder.isFile(text):
		text, err = s.folder.record(text)
		f.SetString(text)
	case a.Kind == wire.KindInstance && text != "":
		var all []string
		for _, name := range wire.NamesOf(text) {
			if name, err = s.folder.instance(name); err != nil {
				return err
			}
			if len(all) > 0 && strings.Contains(name, ",") {
				return denied("%s has a comma", clip(name))
			}
			all = append(all, name)
		}
		f.SetString(strings.Join(all, ","))
	case a.Kind == wire.KindRuns:
		names := f.Interface().([]string)
		for i, name := range names {
			if s.open(name) || !a.Records || !s.folder.isFile(name) {
				continue
			}
			if names[i], err = s.folder.record(name); err != nil {
				return err
			}
		}
	case a.Name == "seeds" && f.Kind() == reflect.Pointer:
		if n := f.Elem().Int(); n > maxSeeds {
			return wrong("it is %d, want at most %d", n, maxSeeds)
		}
	case v.Name == "experiment" && a.Name == "do" && text != "" && !slices.Contains(doings(), text):
		return denied("it is %q, want one of: %s", clip(text), strings.Join(doings(), ", "))
	}
	return err
}

// depth is how deep the arrays and objects of a JSON text are nested.
func depth(raw []byte) int {
	deep, most, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			deep++
			most = max(most, deep)
		case c == '}' || c == ']':
			deep--
		}
	}
	return most
}
