package install

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"metalab/kernel/internal/jupyter/process"
)

// The files of the front end's side of widgets below a folder share/jupyter, by front end.
const (
	labWidgets  = "labextensions/@jupyter-widgets/jupyterlab-manager/package.json"
	bookWidgets = "nbextensions/jupyter-js-widgets/extension.js"
)

// widgetsModule is the name by which the widgets' second protocol knows the controls; files of the
// first one do not have it.
const widgetsModule = "@jupyter-widgets/controls"

// widgetsOfJupyter reports which front ends of the Jupyter on PATH have widgets, which sliders use;
// without widgets, sliders are a page of their own.
func widgetsOfJupyter(ctx context.Context) Finding {
	f := Finding{
		Name: "widgets", State: "optional",
		Fix: "pip install 'ipywidgets>=8.1'   (brings jupyterlab_widgets and widgetsnbextension)",
	}
	b, err := process.Output(exec.CommandContext(ctx, "jupyter", "--paths", "--json"))
	var paths struct {
		Data   []string `json:"data"`
		Config []string `json:"config"`
	}
	if err == nil {
		err = json.Unmarshal([]byte(b[max(strings.IndexByte(b, '{'), 0):]), &paths)
	}
	if err != nil {
		f.What = "whether front ends have them is not known: " + err.Error()
		return f
	}
	lab, book := widgetsIn(paths.Data)
	off := book && !widgetsOn(paths.Config)
	has, lacks := []string{}, []string{}
	for _, x := range []struct {
		ok          bool
		front, file string
	}{
		{lab, "JupyterLab and Notebook 7", "jupyterlab_widgets"},
		{book && !off, "Notebook 6", "widgetsnbextension"},
	} {
		if x.ok {
			has = append(has, x.front)
		} else {
			lacks = append(lacks, x.front+" (no "+x.file+")")
		}
	}
	if off { // the files are there
		f.Fix = "jupyter nbextension enable --py widgetsnbextension"
		lacks[len(lacks)-1] = "Notebook 6 (widgetsnbextension is not enabled)"
	}
	if len(has) == 0 {
		f.What = "none in " + strings.Join(lacks, " and ") +
			": sliders are a page that the browser takes from 127.0.0.1"
		return f
	}
	f.State, f.Fix = "ok", ""
	f.What = "sliders are widgets in " + strings.Join(has, ", ")
	if len(lacks) > 0 {
		f.What += "; not in " + strings.Join(lacks, ", ")
	}
	return f
}

// widgetsIn looks for the files of widgets in folders share/jupyter.
func widgetsIn(dirs []string) (lab, book bool) {
	for _, d := range dirs {
		_, err := os.Stat(filepath.Join(d, filepath.FromSlash(labWidgets)))
		lab = lab || err == nil
		b, err := os.ReadFile(filepath.Join(d, filepath.FromSlash(bookWidgets)))
		book = book || err == nil && bytes.Contains(b, []byte(widgetsModule))
	}
	return lab, book
}

// widgetsOn reports whether Notebook 6 loads the widgets: whether a file of its configuration, in
// one of the folders, says so. It takes the first that says anything.
func widgetsOn(dirs []string) bool {
	for _, d := range dirs {
		// The pattern is sound.
		files, _ := filepath.Glob(filepath.Join(d, "nbconfig", "notebook.d", "*.json"))
		for _, name := range append([]string{filepath.Join(d, "nbconfig", "notebook.json")}, files...) {
			var c struct {
				Load map[string]bool `json:"load_extensions"`
			}
			b, err := os.ReadFile(name)
			if err != nil || json.Unmarshal(b, &c) != nil {
				continue
			}
			if on, said := c.Load["jupyter-js-widgets/extension"]; said {
				return on
			}
		}
	}
	return false
}
