package solvers

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"

	"metalab/datasets"
	"metalab/solvers/record"
)

// Checks of what callers pass in. A panic of their code becomes an error of the call.

var (
	errNoContext  = errors.New("solvers: the context is nil: give context.Background()")
	errNoInstance = errors.New("no instance: it is nil")
)

// absent tells whether an instance is nil, or a pointer that is.
func absent(inst datasets.Instance) bool {
	if inst == nil {
		return true
	}
	v := reflect.ValueOf(inst)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// firstLine is an error less the stack of a panic.
func firstLine(err error) string {
	s, _, _ := strings.Cut(err.Error(), "\n")
	return s
}

// guard calls f and turns a panic into an error, with the place in it.
func guard(f func()) (err error) {
	defer func() {
		x := recover()
		switch f, ok := x.(placed); {
		case ok:
			text, where, line := f.Place()
			if where != "" {
				text += fmt.Sprintf(" (in %s, line %d)", where, line)
			}
			err = fmt.Errorf("%s\n%s", text, debug.Stack())
		case x != nil:
			err = fmt.Errorf("panic: %v%s\n%s", x, panicked(), debug.Stack())
		}
	}()
	f()
	return nil
}

// placed is a panic that was recovered before and told with its place, as package own does.
type placed interface {
	Place() (text, where string, line int)
}

// panicked names the function whose panic is being recovered from by the caller's caller, with its
// place, as " (in main.rule, rules.go:12)".
func panicked() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf(" (in %s, %s:%d)", path.Base(f.Function), filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

// begun begins a rule at a point; nil, where there is none.
func begun(stop Stop, at record.Point) (rule func(*record.Point) string, err error) {
	if stop == nil {
		return nil, nil
	}
	if err := guard(func() { rule = stop.begin(at) }); err != nil {
		return nil, fmt.Errorf("the stop rule: %w", err)
	}
	return rule, nil
}

// asked calls a rule with a point.
func asked(rule func(*record.Point) string, p *record.Point) (why string, err error) {
	if err := guard(func() { why = rule(p) }); err != nil {
		return "", fmt.Errorf("the stop rule: %w", err)
	}
	return why, nil
}
