package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the doctor says of Jupyter's launcher is what Jupyter answers: not "ok" where it does not
// answer, and why.
func TestLauncher(t *testing.T) { // not parallel: PATH is the process's
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	p := place{filepath.Join(dir, "share", "jupyter", "kernels", kernelName)}
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	spec := func(dir string) string {
		return `echo '{"kernelspecs": {"` + kernelName + `": {"resource_dir": "` + dir + `"}}}'`
	}
	for _, c := range []struct{ script, state, what, fix string }{
		{spec(p.dir), "ok", "Jupyter offers it", ""},
		{"echo 'an extension says hello'; " + spec(p.dir), "ok", "Jupyter offers it", ""},
		{spec(dir), "optional", "Jupyter takes the kernel of " + dir, "JUPYTER_PATH"},
		{`echo '{"kernelspecs": {}}'`, "optional", "Jupyter does not look into " + p.dir, "JUPYTER_PATH"},
		{
			"echo 'no command jupyter-kernelspec' >&2; exit 1", "optional",
			"does not list its kernels: exit status 1: no command jupyter-kernelspec",
			"jupyter kernelspec list",
		},
		{
			"echo none", "optional",
			"does not list its kernels: jupyter kernelspec list --json answers no JSON",
			"jupyter kernelspec list",
		},
	} {
		script := "#!/bin/sh\n" + c.script + "\n"
		if err := os.WriteFile(filepath.Join(dir, "jupyter"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		f := launcher(t.Context(), p)
		if f.state != c.state || !strings.Contains(f.what, c.what) || !strings.Contains(f.fix, c.fix) ||
			(f.fix == "") != (c.fix == "") {
			t.Errorf("%s: %+v", c.script, f)
		}
	}
}
