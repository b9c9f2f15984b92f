package wire

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"metalab/kernel/reply"
)

// Protocol is the version of the protocol: a client and a host with different versions do not talk.
// Raise it when a message changes so that the other side would misread it.
const Protocol = 1

// Kind is the type of an argument, which determines its completion and parsing.
type Kind string

// The kinds of argument.
const (
	KindRun      Kind = "run"      // the name of a run
	KindRuns     Kind = "runs"     // one or more names of runs
	KindRecord   Kind = "record"   // the name of a run, or the path of a record
	KindName     Kind = "name"     // a new name
	KindSolver   Kind = "solver"   // as "acs" or "acs/seq"
	KindInstance Kind = "instance" // a published name or the path of a file
	KindFigure   Kind = "figure"   // as "best" or "tour"
	KindPath     Kind = "path"     // of a file; absolute on the wire
	KindWord     Kind = "word"     // any word
	KindInt      Kind = "int"      // an integer
	KindSeconds  Kind = "seconds"  // a number of seconds; also typed as 10s, 2m
	KindTruth    Kind = "truth"    // true or false; the bare name means true
	KindCond     Kind = "cond"     // a condition, as gap<1; see ParseCond
	KindParams   Kind = "params"   // all name=value pairs that belong to no other argument
	KindSink     Kind = "sink"     // the target of a figure; set by front ends, not typed
	KindBytes    Kind = "bytes"    // the contents of a file; set by programs, not typed
)

// An Arg is an argument of a verb.
type Arg struct {
	Name    string // the key in JSON, and before the "="
	Kind    Kind
	Default string // as users type it; empty if there is none
	Doc     string // a sentence without a full stop

	Choices []Choice // words that may stand there, for completion

	Required bool
	Asked    bool   // of a required argument: if it is missing, the host decides
	Place    bool   // may be positional, without name=
	Named    bool   // of a run: only the named one, never the one of the last command
	Many     bool   // of a run: several names, or all; the verb runs for each
	File     bool   // of a path: a value without slash and dot is the parameter with that name
	Records  bool   // of runs: a path with the ending of a record stands for one
	List     bool   // several words of it form one, separated by commas
	FromRun  string // of a path: the suffix of the run's name that replaces a missing path
	Word     string // a word before the value, such as "as" in "open acs pr1002 as a"
	Also     string // another name before the "="
}

// Typed reports whether users type the argument, as opposed to programs alone.
func (a Arg) Typed() bool { return a.Kind != KindSink && a.Kind != KindBytes }

// A Verb is a command to the host or to a front end.
type Verb struct {
	Name    string
	Also    []string // other names for it
	Group   string   // for help: one of Groups
	Doc     string   // a sentence without a full stop
	Example string
	Args    []Arg

	// Front marks verbs that a front end executes by itself; the host has no handler for them.
	Front bool

	// Beside marks verbs that run for several runs at the same time, not one after the other.
	Beside bool

	// Browser marks verbs that the dashboard and the pages of cells may request from the host: they
	// accept no paths and run no code. The prompt in a page, metalab/kernel/browser, has a list of its
	// own.
	Browser bool

	request, reply reflect.Type
}

// Groups lists the headings of help, in order.
var Groups = []string{"runs", "look", "records", "experiments", "data", "gpu", "session"}

// Find returns the verb with a name, or with that as another name.
func Find(name string) (Verb, bool) {
	for _, v := range Verbs {
		if v.Name == name || slices.Contains(v.Also, name) {
			return v, true
		}
	}
	return Verb{}, false
}

// Arg returns the argument with a name, or with that as its other name.
func (v Verb) Arg(name string) (Arg, bool) {
	for _, a := range v.Args {
		if a.Name == name || a.Also == name && name != "" {
			return a, true
		}
	}
	return Arg{}, false
}

// Usage returns the syntax of the verb, such as "step <run> [n] [wall=seconds]".
func (v Verb) Usage() string {
	var b strings.Builder
	b.WriteString(v.Name)
	for _, a := range v.Args {
		s := "<" + a.Name + ">"
		switch {
		case !a.Typed():
			continue
		case a.Kind == KindParams:
			s = "name=value …"
		case a.Word != "":
			s = a.Word + " " + s
		case a.Kind == KindTruth:
			s = a.Name
		case a.Many:
			s = "<" + a.Name + " …>"
		case !a.Place:
			s = a.Name + "=…"
		}
		if !a.Required {
			s = "[" + s + "]"
		}
		b.WriteString(" " + s)
	}
	return b.String()
}

// NewRequest returns a pointer to an empty request of the verb; nil for verbs of front ends.
func (v Verb) NewRequest() any {
	if v.request == nil {
		return nil
	}
	return reflect.New(v.request).Interface()
}

// NewReply returns a pointer to an empty reply of the verb; nil for verbs of front ends.
func (v Verb) NewReply() reply.Reply {
	if v.reply == nil {
		return nil
	}
	return reflect.New(v.reply).Interface().(reply.Reply)
}

// Decode decodes the reply to a verb.
func Decode(verb string, raw []byte) (reply.Reply, error) {
	v, ok := Find(verb)
	if !ok || v.reply == nil {
		return nil, fmt.Errorf("wire: no reply of a verb %q", verb)
	}
	r := v.NewReply()
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, fmt.Errorf("wire: reply of %s: %w", verb, err)
	}
	return r, nil
}

func typed[Q, R any](v Verb) Verb {
	v.request, v.reply = reflect.TypeFor[Q](), reflect.TypeFor[R]()
	return v
}
