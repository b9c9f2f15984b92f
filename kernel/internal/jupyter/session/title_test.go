package session

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A kernel that was not told its notebook's name learns it from its own Jupyter, under a base URL
// too, and hears when the notebook is renamed.
func TestTitle(t *testing.T) {
	t.Parallel()
	path, status := "course/00_first_steps.ipynb", http.StatusOK
	jupyter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/base/api/sessions" || r.Header.Get("Authorization") != "token s3cret" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `[{"path": "other.ipynb", "kernel": {"id": "k-0"}},
			{"path": %q, "name": "", "type": "notebook", "kernel": {"id": "k-1", "name": "metalab"}}]`, path)
	}))
	defer jupyter.Close()
	dir := t.TempDir()
	note := func(name, token string) {
		t.Helper()
		text := fmt.Sprintf(`{"url": "%s/base/", "token": %q, "pid": 71}`, jupyter.URL, token)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"nbserver-71.json", "jpserver-72.json"} {
		note(name, "s3cret")
	}
	config := hostConfig{
		Connection: filepath.Join(dir, "kernel-k-1.json"), Jupyter: 71,
		Notebook: "/a/folder", // where Jupyter does not say the name
	}
	k := newTitled(t.Context(), config)
	if k.name != "" {
		t.Errorf("a folder is the name %q of a notebook", k.name)
	}
	if !k.ask() || k.name != path {
		t.Errorf("the notebook is %q, want %q", k.name, path)
	}
	if path = "course/first.ipynb"; !k.ask() || k.name != path {
		t.Errorf("after it was renamed it is %q, want %q", k.name, path)
	}
	config.Jupyter = 72
	if k := newTitled(t.Context(), config); !k.ask() || k.name != path {
		t.Errorf("of a newer Jupyter it is %q, want %q", k.name, path)
	}
	config.Notebook = "/a/folder/told.ipynb"
	told := newTitled(t.Context(), config)

	// What does not answer, or not this kernel, leaves the name that is known.
	config.Jupyter, config.Connection = 71, filepath.Join(dir, "kernel-k-9.json")
	unknown := newTitled(t.Context(), config)
	status = http.StatusInternalServerError
	if told.ask() || told.name != "/a/folder/told.ipynb" {
		t.Errorf("a Jupyter that fails leaves the name %q", told.name)
	}
	status = http.StatusOK
	if unknown.ask() || unknown.name != "/a/folder/told.ipynb" {
		t.Errorf("a Jupyter that has no such kernel leaves the name %q", unknown.name)
	}
	note("nbserver-71.json", "wrong")
	known := filepath.Join(dir, "kernel-k-1.json")
	if _, err := titleFromJupyter(t.Context(), known, 71); err == nil ||
		!strings.Contains(err.Error(), "403") {
		t.Errorf("a Jupyter that does not let in: %v", err)
	}
	if _, err := titleFromJupyter(t.Context(), config.Connection, 73); !os.IsNotExist(err) {
		t.Errorf("no Jupyter: %v", err)
	}
}
