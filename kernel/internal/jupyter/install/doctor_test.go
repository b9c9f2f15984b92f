package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/internal/jupyter"
)

// What the doctor says of Jupyter's launcher is what Jupyter answers: not "ok" where it does not
// answer, and why.
func TestLauncher(t *testing.T) { // not parallel: PATH is the process's
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	p := jupyter.Under(dir)
	if err := os.MkdirAll(p.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	spec := func(dir string) string {
		return `echo '{"kernelspecs": {"` + jupyter.KernelName + `": {"resource_dir": "` + dir + `"}}}'`
	}
	for _, c := range []struct{ script, state, what, fix string }{
		{spec(p.Dir), "ok", "Jupyter offers it", ""},
		{"echo 'an extension says hello'; " + spec(p.Dir), "ok", "Jupyter offers it", ""},
		{spec(dir), "optional", "Jupyter takes the kernel of " + dir, "JUPYTER_PATH"},
		{`echo '{"kernelspecs": {}}'`, "optional", "Jupyter does not look into " + p.Dir, "JUPYTER_PATH"},
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
		if f.State != c.state || !strings.Contains(f.What, c.what) || !strings.Contains(f.Fix, c.fix) ||
			(f.Fix == "") != (c.fix == "") {
			t.Errorf("%s: %+v", c.script, f)
		}
	}
}

// The doctor names the front ends that have widgets, and what is missing for the others; files of
// the first protocol of widgets do not count.
func TestWidgetsOfJupyter(t *testing.T) { // not parallel: PATH is the process's
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	answer := func(script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "jupyter"), []byte("#!/bin/sh\n"+script+"\n"),
			0o700); err != nil {
			t.Fatal(err)
		}
	}
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, "share", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	says := func(state string, words ...string) {
		t.Helper()
		f := widgetsOfJupyter(t.Context())
		for _, w := range words {
			if f.State != state || !strings.Contains(f.What, w) || (f.Fix == "") != (state == "ok") {
				t.Errorf("%+v, want %s and %q", f, state, w)
			}
		}
	}
	answer("echo cannot >&2; exit 1")
	says("optional", "is not known", "cannot")
	answer(`echo '{"data": ["/nowhere", "` + dir + `/share"], "config": ["/nowhere", "` + dir +
		`/share/user", "` + dir + `/share/all"]}'`)
	says("optional", "no jupyterlab_widgets", "no widgetsnbextension", "127.0.0.1")
	put(bookWidgets, `define("jupyter-js-widgets")`)
	says("optional", "no widgetsnbextension")
	put(bookWidgets, `define("@jupyter-widgets/controls")`)
	says("optional", "Notebook 6 (widgetsnbextension is not enabled)")
	const on, off = `{"load_extensions": {"jupyter-js-widgets/extension": true}}`,
		`{"load_extensions": {"jupyter-js-widgets/extension": false}}`
	put("all/nbconfig/notebook.d/broken.json", "{")
	put("all/nbconfig/notebook.d/widgetsnbextension.json", on)
	says("ok", "widgets in Notebook 6;")
	put("user/nbconfig/notebook.json", off) // the user's
	says("optional", "Notebook 6 (widgetsnbextension is not enabled)")
	put("user/nbconfig/notebook.json", on)
	says("ok", "widgets in Notebook 6;", "not in JupyterLab and Notebook 7 (no jupyterlab_widgets)")
	put(labWidgets, "{}")
	says("ok", "widgets in JupyterLab and Notebook 7, Notebook 6")
}
