package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Installing twice is installing once, the doctor finds all of it, and nothing is left after
// uninstalling.
func TestInstall(t *testing.T) {
	kernel(t) // warms what install builds
	prefix := t.TempDir()
	p := place{filepath.Join(prefix, "share", "jupyter", "kernels", kernelName)}
	root, err := moduleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// goimports is found there
	t.Setenv("PATH", filepath.Join(installed.place.dir, "bin")+":"+os.Getenv("PATH"))
	for range 2 {
		var out bytes.Buffer
		if err := install(t.Context(), &out, p, root, false); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), p.dir) {
			t.Errorf("install says %s", out.String())
		}
		// With what is changed in it, which must fit the version of go.mod.
		if !strings.Contains(out.String(), "GoNB         built\n") {
			t.Errorf("GoNB is not built with its changes: %s", out.String())
		}
	}
	for _, f := range examine(t.Context(), p) {
		if f.state == "missing" {
			t.Errorf("%s: %s", f.name, f.what)
		}
		if f.state != "ok" && f.fix == "" && f.name != "GPU" {
			t.Errorf("%s: nothing said to mend it", f.name)
		}
	}
	if err := uninstallCommand(t.Context(), []string{"-prefix", prefix}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p.dir); err == nil {
		t.Error("something is left")
	}
	missing := 0
	for _, f := range examine(t.Context(), p) {
		if f.state == "missing" {
			missing++
			if f.fix == "" {
				t.Errorf("%s: nothing said to mend it", f.name)
			}
		}
	}
	if missing == 0 {
		t.Error("the doctor misses nothing where nothing is")
	}
	if err := doctorCommand(context.Background(), []string{"-prefix", prefix}); err == nil {
		t.Error("the doctor is content with nothing")
	}
}

// What was installed with -prefix is found without it, as long as it is there.
func TestPrefixIsRemembered(t *testing.T) {
	t.Setenv("METALAB_STATE", filepath.Join(t.TempDir(), "state"))
	t.Setenv("PATH", t.TempDir()) // no Jupyter is asked
	user := place{filepath.Join(t.TempDir(), "kernels", kernelName)}
	if p := elsewhere(t.Context(), user); p != user {
		t.Errorf("nothing is anywhere, and %v is found", p)
	}
	put := func(p place) {
		t.Helper()
		if err := os.MkdirAll(p.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := (kernelSpec{}).write(p.spec()); err != nil {
			t.Fatal(err)
		}
	}
	at := func(prefix string) place {
		return place{filepath.Join(prefix, "share", "jupyter", "kernels", kernelName)}
	}
	a, b := t.TempDir(), t.TempDir()
	for _, prefix := range []string{a, b, a} {
		put(at(prefix))
		if err := remember(at(prefix)); err != nil {
			t.Fatal(err)
		}
		if p := elsewhere(t.Context(), user); p != at(prefix) || p.prefix() != prefix ||
			!strings.Contains(p.installHint(), "install -prefix "+prefix+" ") {
			t.Errorf("%v is found, prefix %q, want %s", p, p.prefix(), prefix)
		}
	}
	if all := places(); len(all) != 2 {
		t.Errorf("remembered: %v", all)
	}
	if err := uninstallCommand(t.Context(), []string{"-prefix", a}); err != nil {
		t.Fatal(err)
	}
	if p := elsewhere(t.Context(), user); p != at(b) {
		t.Errorf("%v is found, want the one that is left, %s", p, b)
	}
	if strings.Contains(user.installHint(), "-prefix") {
		t.Errorf("the user's place: %s", user.installHint())
	}
	put(user)
	if p := elsewhere(t.Context(), user); p != user || p.prefix() != "" {
		t.Errorf("%v is found, want the user's", p)
	}
}

// Where Jupyter takes the kernel from is looked at, too.
func TestJupyterIsAsked(t *testing.T) {
	t.Setenv("METALAB_STATE", t.TempDir())
	bin, dir := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\necho '{\"kernelspecs\": {\"" + kernelName + "\": {\"resource_dir\": \"" +
		dir + "\"}}}'\n"
	if err := os.WriteFile(filepath.Join(bin, "jupyter"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	if p := elsewhere(t.Context(), place{t.TempDir()}); p.dir != dir {
		t.Errorf("%v is found, want %s", p, dir)
	}
}

// A notebook is executed as Jupyter would, up to the first cell that fails.
func TestExec(t *testing.T) {
	kernel(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "n.ipynb")
	text := strings.Replace(smallNotebook, "fmt.Println(1)",
		`fmt.Println(filepath.Base(path.Join(os.Getenv(\"GONB_DIR\"))))`, 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "out.ipynb")
	prefix := filepath.Join(installed.place.dir, "..", "..", "..", "..")
	if err := execCommand(t.Context(), []string{"-q", "-prefix", prefix, "-o", to, path}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(`"`+filepath.Base(dir)+`\n"`)) ||
		!bytes.Contains(b, []byte(`"name": "`+kernelName+`"`)) {
		t.Errorf("cells do not run in the notebook's folder, or it does not say its kernel: %s", b)
	}
	if b, _ := os.ReadFile(path); string(b) != text {
		t.Error("the notebook itself was changed")
	}
	// What ran to its end leaves no autosaves.
	run := `lab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\")).Step(3)`
	text = strings.Replace(smallNotebook, "fmt.Println(1)", run, 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := execCommand(t.Context(), []string{"-q", "-prefix", prefix, path}); err != nil {
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
		text := strings.Replace(smallNotebook, c.is, c.becomes, 1)
		if text == smallNotebook {
			t.Fatalf("the notebook has no %s:\n%s", c.is, smallNotebook)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err = execCommand(t.Context(), []string{"-q", "-prefix", prefix, path})
		if err == nil || !strings.Contains(err.Error(), "cell 2") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("a cell that fails: %v, want %q", err, c.want)
		}
	}
}

// Without Go nothing is said of folders: there is none to go to.
func TestInstallWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := moduleRoot(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "https://go.dev/dl") || strings.Contains(err.Error(), "folder") {
		t.Errorf("without Go: %v", err)
	}
}
