package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/kernel/host"
	"metalab/solvers/record"
)

// never is a whole program that cannot be had; hosts of this program lack verbs then.
type never struct{}

func (never) Compile(context.Context, func(done, total int64)) (string, error) {
	return "", errors.New("no program")
}

func init() { host.HandleGrowth(never{}) }

// The core lacks no verb that the first five minutes of README need, and none that tells of runs.
func TestLacks(t *testing.T) {
	t.Parallel()
	for _, v := range []string{
		"open", "step", "plot", "go", "set", "fork", "pause", "compare", "save", "replay", "devices",
		"repeat", "solve", "bench", "paper", "doctor",
	} {
		if !slices.Contains(host.Handled(), v) {
			t.Errorf("the core lacks %s", v)
		}
	}
	// What the prompt tells of at its start: clear, help and quit are its own.
	want := []string{
		"chart", "dashboard", "experiment", "export", "sweep", "tune", "worker", "workers",
	}
	if got := host.Lacks(); !slices.Equal(got, want) {
		t.Errorf("the core lacks %v, want %v", got, want)
	}
}

// The core compiles the rest when a verb needs it, its runs go on, and from then on it is the whole
// program from the start.
func TestTheCoreGrows(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the prompt")
	}
	t.Parallel()
	dir, err := os.MkdirTemp("", "ml") // short, for sockets
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	core := filepath.Join(dir, "repl")
	if b, err := exec.Command("go", "build", "-o", core, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	run := func(lines string) (said, complained string) {
		t.Helper()
		cmd := exec.Command(core, "-c", lines)
		cmd.Dir = dir
		// The cache of Go stays that of the tests.
		cmd.Env = append(os.Environ(), "METALAB_STATE="+dir+"/state", "XDG_RUNTIME_DIR="+dir,
			"XDG_CACHE_HOME="+dir+"/cache", "GOCACHE="+goCache(t))
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v: %s%s", lines, err, &out, &errs)
		}
		return out.String(), errs.String()
	}
	before := "open mmas rand-50-1 as a seed=7 ants=5; step a 20; set a rho=0.8; step a 10; "
	behind := "step a 20; save a %; replay %"
	_, errs := run(before + strings.ReplaceAll(behind, "%", "core.run"))
	if errs != "" {
		t.Errorf("without a verb that the core lacks it says %q", errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "cache", "metalab")); err == nil {
		t.Error("under -c something was compiled that no verb needs")
	}
	study := "experiment e solvers=mmas instances=rand-20-1 seeds=2 n=3; "
	out, errs := run(before + study + strings.ReplaceAll(behind, "%", "grown.run"))
	const identical = "50 iterations: identical"
	if !strings.Contains(out, "2 of 2 units done") || !strings.Contains(out, identical) {
		t.Errorf("it says %s", out)
	}
	if n := strings.Count(errs, "is compiled at its first use"); n != 1 {
		t.Errorf("it says %d times that it compiles: %s", n, errs)
	}
	out, errs = run(before + "experiment e; " + strings.ReplaceAll(behind, "%", "whole.run"))
	if errs != "" || !strings.Contains(out, identical) {
		t.Errorf("the next start says %s%s", out, errs)
	}
	want := outline(t, filepath.Join(dir, "core.run"))
	for _, name := range []string{"grown.run", "whole.run"} {
		if got := outline(t, filepath.Join(dir, name)); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
		}
	}
}

// goCache is the folder of Go's cache.
func goCache(t *testing.T) string {
	t.Helper()
	b, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

// outline is what a record says of its run, but for clocks.
func outline(t *testing.T, path string) string {
	t.Helper()
	rec, err := record.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rec.Header.StartedAt, rec.Header.Maker, rec.Header.Build = time.Time{}, nil, ""
	for i := range rec.Points {
		rec.Points[i].Wall, rec.Points[i].CPU = 0, 0
	}
	for i := range rec.Journal {
		rec.Journal[i].At = time.Time{}
	}
	b, err := json.Marshal([]any{rec.Header, rec.Points, rec.Journal, rec.End})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
