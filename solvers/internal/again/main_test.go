package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// emulators are those of Debian's package qemu-user, by what Go calls the processor.
var emulators = map[string]string{
	"arm64": "qemu-aarch64", "ppc64le": "qemu-ppc64le", "s390x": "qemu-s390x",
	"riscv64": "qemu-riscv64", "amd64": "qemu-x86_64",
}

// records writes a short record, with a change in it, of each variant of the CPU on each of some
// small instances that it takes.
func records(t *testing.T) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{
		"rand-35-2", "tai10a", "ppp-21x21-1", "weierstrass-4", "queen5_5",
		"torus-6x6-1",
	} {
		inst, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range solvers.Variants() {
			if v.Backend != "cpu" {
				continue
			}
			if path := recorded(t, dir, v, inst); path != "" {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// recorded writes the record of a run; it returns "" where the variant does not take the instance,
// or is not deterministic.
func recorded(t *testing.T, dir string, v solvers.Variant, inst datasets.Instance) string {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Name: "a", Solver: v.Solver, Variant: v.Name, Instance: inst, Seed: 5,
	})
	if err != nil {
		return ""
	}
	defer r.Close()
	if err := r.Step(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	params, err := r.Params(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range params {
		at, ok := p.Value.Float()
		if p.Class != record.Live || !ok || at+1 > p.Max {
			continue
		}
		if _, err := r.Set(t.Context(), record.Of(p.Name, at+1), "test"); err == nil {
			break
		}
	}
	if err := r.Step(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if solvers.Replayable(rec, "") != nil {
		return ""
	}
	path := filepath.Join(dir, v.Solver+"-"+v.Name+"-"+inst.Name()+".run")
	if err := r.SaveRecord(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestHere replays the records on this machine, and tells one that was changed.
func TestHere(t *testing.T) {
	t.Parallel()
	paths := records(t)
	if len(paths) < 20 {
		t.Errorf("%d records are replayed, want one of each variant", len(paths))
	}
	for _, path := range paths {
		if err := again(path); err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
	b, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.run")
	text := strings.Replace(string(b), `"seed":5,`, `"seed":6,`, 1)
	if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := again(other); err == nil {
		t.Error("a record with another seed is identical")
	}
}

// TestEmulated replays records that this machine made on the processors that METALAB_PROCESSORS
// names, as arm64,s390x. It skips those whose emulator, of qemu-user, is not installed. On arm64
// the records take 17 CPU seconds, beside what compiling takes.
func TestEmulated(t *testing.T) {
	t.Parallel()
	names := os.Getenv("METALAB_PROCESSORS")
	if names == "" {
		t.Skip("METALAB_PROCESSORS names no processor: the engine would be compiled for it")
	}
	paths := records(t)
	for name := range strings.SplitSeq(names, ",") {
		t.Run(name, func(t *testing.T) {
			qemu, err := exec.LookPath(emulators[name])
			if err != nil {
				t.Skipf("qemu-user is not installed: %v", err)
			}
			program := filepath.Join(t.TempDir(), "again")
			build := exec.Command("go", "build", "-o", program, ".")
			build.Env = append(os.Environ(), "GOARCH="+name, "CGO_ENABLED=0")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			run := exec.Command(qemu, append([]string{program}, paths...)...)
			out, err := run.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Logf("%s\nuser CPU: compiling %v, replaying %v", out, build.ProcessState.UserTime(),
				run.ProcessState.UserTime())
		})
	}
}
