package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/kernel/internal/jupyter/messages"
	"metalab/kernel/internal/widgets"
)

// moves is how many times a slider is moved: often where the medians are wanted.
func moves() int {
	if os.Getenv("METALAB_LONG") != "" {
		return 9
	}
	return 2
}

// Where the time of a slider goes, from a front end's message on: until the kernel echoes it, until
// the run has the value, and until there is another picture, which of a run that goes on may be one
// that was being drawn. Medians are logged; nothing is asserted of times.
func TestLatency(t *testing.T) {
	s := startIn(t, kernel(t), "GONB_JUPYTER_KERNEL_ID=1234")
	f := newWindow(s)
	f.say("comm_info_request", map[string]any{"target_name": widgets.Target})
	f.execute("%%\na := lab.Open(\"a\", \"acs\", lab.Load(\"E1k.0\"), lab.Seed(3), " +
		"lab.With(\"ants\", 4))\na.Step(200)\nlab.Sliders(a, \"q0\", \"ants\")")
	f.stages("while the kernel is idle")
	id, err := f.Send(f.Socket, "execute_request", messages.Execute{
		Code: "%%\nlab.Get(\"a\").Step(1_000_000_000)", Store: true, StopErr: true,
		Exprs: map[string]any{},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.stands(t.Context(), 300)
	f.stages("while a cell runs")
	if err := s.Interrupt(); err != nil {
		t.Fatal(err)
	}
	f.wait("the end of the cell", func() bool { return f.idle[id] })
}

// stages moves the slider of q0 and logs how long each stage takes.
func (f *window) stages(when string) {
	f.Helper()
	slider, field, _ := f.row("q0")
	image := f.one("ImageModel")
	var echo, set, picture []time.Duration
	told := 0
	for i := range moves() {
		for end := time.Now().Add(1500 * time.Millisecond); time.Now().Before(end); {
			select {
			case m := <-f.News: // what comes of the move before
				f.heard(m)
			case <-time.After(50 * time.Millisecond):
			}
		}
		v, echoes := float64(40+i)/100, len(f.echoes)
		applied := false
		f.seen = func(m messages.Message) {
			told++
			applied = applied || strings.Contains(string(m.Content), fmt.Sprintf("→ %v by", v))
		}
		began := time.Now()
		if _, err := f.Send(f.Socket, "comm_msg", map[string]any{
			"comm_id": slider, "data": map[string]any{
				"method": "update", "state": map[string]any{"value": v}, "buffer_paths": []any{},
			},
		}); err != nil {
			f.Fatal(err)
		}
		f.wait("the echo", func() bool { return len(f.echoes) > echoes })
		echo = append(echo, time.Since(began))
		f.wait("the change", func() bool { return applied && f.models[field]["value"] == v })
		set = append(set, time.Since(began))
		seen := f.raw[image]
		f.wait("the picture", func() bool { return !bytes.Equal(f.raw[image], seen) })
		picture = append(picture, time.Since(began))
		f.seen = nil
	}
	for _, d := range [][]time.Duration{echo, set, picture} {
		slices.Sort(d)
	}
	load, _ := os.ReadFile("/proc/loadavg")
	f.Logf("%s: echo %v, the run has it %v, picture %v (%d kB); %d messages; medians of %d; load %s",
		when, echo[len(echo)/2], set[len(echo)/2], picture[len(echo)/2], len(f.raw[image])/1000, told,
		len(echo), load)
}
