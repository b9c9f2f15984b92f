package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/build"
	"metalab/kernel/internal/jupyter/execute"
	"metalab/kernel/internal/jupyter/install"
)

// Installing twice is installing once, the doctor finds all of it, and nothing is left after
// uninstalling.
func TestInstall(t *testing.T) {
	kernel(t).setenv(t)
	p := installed.place
	root, err := build.ModuleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := install.Into(t.Context(), &out, p, root, false); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), p.Dir) {
		t.Errorf("install says %s", out.String())
	}
	// With what is changed in it, which must fit the version of go.mod.
	if !strings.Contains(installed.said.String(), "GoNB         built\n") {
		t.Errorf("GoNB is not built with its changes: %s", installed.said.String())
	}
	// The second time nothing is built, for nothing is changed, unless the layer of GPUs failed.
	failed := build.CompilerWorks(t.Context()) &&
		strings.Contains(installed.said.String(), "for the CPU only")
	if s := out.String(); !failed && (!strings.Contains(s, "kernel       is there, built ") ||
		!strings.Contains(s, "GoNB         is there, built from the same sources")) {
		t.Errorf("what stands there is built again: %s", s)
	}
	for _, f := range install.Examine(t.Context(), p) {
		if f.State == "missing" {
			t.Errorf("%s: %s", f.Name, f.What)
		}
		if f.State != "ok" && f.Fix == "" && f.Name != "GPU" {
			t.Errorf("%s: nothing said to mend it", f.Name)
		}
	}
	prefix := t.TempDir() // the other tests go on with the kernel
	if err := os.CopyFS(prefix, os.DirFS(installed.dir)); err != nil {
		t.Fatal(err)
	}
	p = jupyter.Under(prefix)
	if err := install.Uninstall(t.Context(), []string{"-prefix", prefix}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p.Dir); err == nil {
		t.Error("something is left")
	}
	missing := 0
	for _, f := range install.Examine(t.Context(), p) {
		if f.State == "missing" {
			missing++
			if f.Fix == "" {
				t.Errorf("%s: nothing said to mend it", f.Name)
			}
		}
	}
	if missing == 0 {
		t.Error("the doctor misses nothing where nothing is")
	}
	if err := install.Doctor(context.Background(), []string{"-prefix", prefix}); err == nil {
		t.Error("the doctor is content with nothing")
	}
}

// A notebook is executed as Jupyter would, up to the first cell that fails.
func TestExec(t *testing.T) {
	kernel(t).setenv(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "n.ipynb")
	b, err := os.ReadFile("internal/jupyter/execute/testdata/small.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	small := string(b)
	text := strings.Replace(small, "fmt.Println(1)",
		`fmt.Println(filepath.Base(path.Join(os.Getenv(\"GONB_DIR\"))))`, 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "out.ipynb")
	prefix := filepath.Join(installed.place.Dir, "..", "..", "..", "..")
	if err := execute.Command(t.Context(),
		[]string{"-q", "-prefix", prefix, "-o", to, path}); err != nil {
		t.Fatal(err)
	}
	if b, err = os.ReadFile(to); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(`"`+filepath.Base(dir)+`\n"`)) ||
		!bytes.Contains(b, []byte(`"name": "`+jupyter.KernelName+`"`)) {
		t.Errorf("cells do not run in the notebook's folder, or it does not say its kernel: %s", b)
	}
	if b, _ := os.ReadFile(path); string(b) != text {
		t.Error("the notebook itself was changed")
	}
	// What ran to its end leaves no autosaves.
	run := `lab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\")).Step(3)`
	text = strings.Replace(small, "fmt.Println(1)", run, 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := execute.Command(t.Context(), []string{"-q", "-prefix", prefix, path}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(os.Getenv("METALAB_STATE") + "/autosave/*/*.run"); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
	for _, c := range []struct{ is, becomes, want string }{
		{"fmt.Println(1)", `lab.Get(\"zz\")`, `no run "zz"`},
		{
			"fmt.Println(1)", run + `; lab.Get(\"zz\")`,
			`a at iteration 3; in the notebook: lab.Recover("a")`,
		},
		{"fmt.Println(1)", `lab.Gat(\"zz\")`, "line 2: undefined: lab.Gat"},
		{`"%%\n", "fmt.Println(1)"`, `"fmt.Println(1)"`, "write %% as the first line of the cell"},
	} {
		text := strings.Replace(small, c.is, c.becomes, 1)
		if text == small {
			t.Fatalf("the notebook has no %s:\n%s", c.is, small)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err = execute.Command(t.Context(), []string{"-q", "-prefix", prefix, path})
		if err == nil || !strings.Contains(err.Error(), "cell 2") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("a cell that fails: %v, want %q", err, c.want)
		}
	}
}
