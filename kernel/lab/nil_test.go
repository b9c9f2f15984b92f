package lab_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"metalab/kernel/lab"
	"metalab/kernel/lab/front"
)

// TestNilIsAnError calls what takes a run, a function, an option or another pointer with nil. Each
// call is an error of lab, which names what is missing; none waits, and none is a panic of Go's.
func TestNilIsAnError(t *testing.T) {
	session(t)
	open := func(o lab.Option) { lab.Open("a", "acs", "E1k.0", o) }
	for name, f := range map[string]func(){
		"Plot":           func() { lab.Plot("best", nil) },
		"Compare":        func() { lab.Compare(nil) },
		"Watch":          func() { lab.Watch(nil) },
		"WatchFigure":    func() { lab.WatchFigure("best", nil) },
		"Watch of none":  func() { lab.Watch() },
		"Step":           func() { lab.Step(1, nil) },
		"StepUntil":      func() { lab.StepUntil("gap<1", nil) },
		"Go":             func() { lab.Go(nil) },
		"Pause":          func() { lab.Pause(nil) },
		"Repeat":         func() { lab.Repeat(nil, 5) },
		"Sweep":          func() { lab.Sweep(nil, 5, "q0", 1) },
		"Tune":           func() { lab.Tune(nil, "q0=0..1") },
		"Tuning":         func() { lab.Tuning{Params: map[string]any{"q0": []int{0, 1}}}.Make(nil) },
		"Sliders":        func() { lab.Sliders(nil) },
		"Declare":        func() { lab.Declare("s", nil) },
		"DeclareProblem": func() { lab.DeclareProblem("p", nil) },
		"Fold":           func() { lab.Fold("x", nil) },
		"GPUFunc":        func() { lab.GPUFunc(nil) },
		"Try":            func() { panic(lab.Try(nil)) },
		"Open":           func() { open(nil) },
		"an instance":    func() { lab.Open("a", "acs", nil) },
		"no instance":    func() { lab.Open("a", "acs", (*lab.Instance)(nil)) },
		"With":           func() { open(lab.With("q0", nil)) },
		"Seed":           func() { open(lab.Seed(nil)) },
		"Attach":         func() { lab.Attach("no such session") },
		"Launch":         func() { lab.GPU(0).Launch(nil, 1, 1) },
		"Upload":         func() { lab.GPU(0).Upload(nil) },
	} {
		failsInLab(t, name, f)
	}
	arguments := map[reflect.Type]reflect.Value{
		reflect.TypeFor[time.Duration](): reflect.ValueOf(time.Second),
		reflect.TypeFor[string]():        reflect.ValueOf("x"),
		reflect.TypeFor[int]():           reflect.ValueOf(1),
		reflect.TypeFor[any]():           reflect.ValueOf([]float32{1}),
	}
	for _, p := range []any{
		(*lab.Run)(nil), (*lab.GPUDevice)(nil), (*lab.Module)(nil), (*lab.Kernel)(nil),
		(*lab.Array)(nil), (*lab.GPUKernel)(nil),
	} {
		v := reflect.ValueOf(p)
		for i := range v.NumMethod() {
			m := v.Method(i)
			var in []reflect.Value
			for k := range m.Type().NumIn() {
				if m.Type().IsVariadic() && k == m.Type().NumIn()-1 {
					break
				}
				a, ok := arguments[m.Type().In(k)]
				if !ok {
					a = reflect.Zero(m.Type().In(k))
				}
				in = append(in, a)
			}
			failsInLab(t, v.Type().String()+"."+v.Type().Method(i).Name, func() { m.Call(in) })
		}
	}
	failsInLab(t, "Instance.HTML", func() { (*lab.Instance)(nil).HTML() })
	if c := front.Get().Client; c == nil {
		t.Error("the session is gone")
	}
}

// failsInLab reports where f does not fail with an error of lab.
func failsInLab(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		err, _ := recover().(error)
		if own := (*lab.Error)(nil); !errors.As(err, &own) || own.Message == "" {
			t.Errorf("%s: %v, want an error of lab", name, err)
		}
	}()
	f()
	t.Errorf("%s: no error", name)
}
