package main

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMessages(t *testing.T) {
	t.Parallel()
	parts := [][]byte{
		[]byte(`{"msg_type":"stream","msg_id":"1"}`), []byte(`{"msg_id":"2"}`),
		[]byte("{}"), []byte(`{"text":"x"}`),
	}
	frames := append([][]byte{[]byte("address"), []byte(delimiter), sign("key", parts)}, parts...)
	m, err := decodeMessage("key", frames)
	if err != nil || m.header.Type != "stream" || m.parent.ID != "2" ||
		string(m.content) != `{"text":"x"}` {
		t.Errorf("%+v, %v", m, err)
	}
	// The known answer of RFC 4231, test case 2.
	got := string(sign("Jefe", [][]byte{[]byte("what do ya want "), []byte("for nothing?")}))
	if got != "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" {
		t.Errorf("signature %s", got)
	}
	for name, frames := range map[string][][]byte{
		"another key": append([][]byte{[]byte(delimiter), sign("other", parts)}, parts...),
		"too short":   append([][]byte{[]byte(delimiter), sign("key", parts)}, parts[:3]...),
		"no frames":   nil,
		"no header": append([][]byte{[]byte(delimiter), sign("key", [][]byte{{}, {}, {}, {}})},
			[][]byte{{}, {}, {}, {}}...),
	} {
		if _, err := decodeMessage("key", frames); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

const smallNotebook = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "x",
   "metadata": {"tags": ["kept"]},
   "source": "a < b"
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "y",
   "metadata": {},
   "outputs": [{"output_type": "stream"}],
   "source": ["%%\n", "fmt.Println(1)"]
  }
 ],
 "metadata": {"other": 1},
 "nbformat": 4,
 "nbformat_minor": 5
}`

func TestNotebookFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "n.ipynb")
	if err := os.WriteFile(path, []byte(smallNotebook), 0o600); err != nil {
		t.Fatal(err)
	}
	nb, err := readNotebook(path)
	if err != nil {
		t.Fatal(err)
	}
	if nb.isCode(0) || !nb.isCode(1) || nb.source(0) != "a < b" ||
		nb.source(1) != "%%\nfmt.Println(1)" {
		t.Errorf("cells %q, %q", nb.source(0), nb.source(1))
	}
	var outs outputs
	for _, m := range [][2]string{
		{"status", `{"execution_state":"busy"}`},
		{"stream", `{"name":"stdout","text":"1\n"}`},
		{"stream", `{"name":"stdout","text":"2"}`},
		{"display_data", `{"data":{"text/plain":"<first>"},"transient":{"display_id":"d"}}`},
		{"stream", `{"name":"stderr","text":"e"}`},
		{"update_display_data", `{"data":{"text/plain":"<second>"},"transient":{"display_id":"d"}}`},
		{
			"update_display_data",
			`{"data":{"text/plain":"of another cell"},"transient":{"display_id":"z"}}`,
		},
		{"error", `{"ename":"E","evalue":"v"}`},
	} {
		if idle, err := outs.add(m[0], json.RawMessage(m[1])); idle || err != nil {
			t.Fatal(m, idle, err)
		}
	}
	if idle, _ := outs.add("status", json.RawMessage(`{"execution_state":"idle"}`)); !idle {
		t.Error("the end of the cell is not seen")
	}
	if err := nb.setResult(1, 3, outs); err != nil {
		t.Fatal(err)
	}
	if err := nb.setKernel(); err != nil {
		t.Fatal(err)
	}
	if err := nb.write(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(`"<second>"`)) || !bytes.HasSuffix(b, []byte("}\n")) {
		t.Errorf("not written as Jupyter does: %s", b)
	}
	var got any
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	cells := got.(map[string]any)["cells"].([]any)
	if diff := cmp.Diff([]any{"kept"},
		cells[0].(map[string]any)["metadata"].(map[string]any)["tags"]); diff != "" {
		t.Error(diff)
	}
	want := []any{
		map[string]any{"output_type": "stream", "name": "stdout", "text": []any{"1\n", "2"}},
		map[string]any{
			"output_type": "display_data",
			"data":        map[string]any{"text/plain": []any{"<second>"}}, "metadata": map[string]any{},
		},
		map[string]any{"output_type": "stream", "name": "stderr", "text": []any{"e"}},
		map[string]any{"output_type": "error", "ename": "E", "evalue": "v", "traceback": []any{}},
	}
	if diff := cmp.Diff(want, cells[1].(map[string]any)["outputs"]); diff != "" {
		t.Error(diff)
	}
	if cells[1].(map[string]any)["execution_count"] != 3.0 {
		t.Error("the cell is not numbered")
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want the file's own", st.Mode(), err)
	}
}

func TestNotANotebook(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "[]", `{"nbformat":3}`, `{"nbformat":4,"cells":7}`} {
		path := filepath.Join(t.TempDir(), "n.ipynb")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readNotebook(path); err == nil || !strings.Contains(err.Error(), "n.ipynb") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestLeftover(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		want bool
	}{
		{"/t/s1/gonb_1/gonb_1", true},
		{"/usr/bin/gopls -listen unix;/t/s1/gonb_1/gopls_socket", true},
		{"/usr/bin/gopls -listen unix;/t/s12/gonb_1/gopls_socket", false},
		{"/t/s12/gonb_1/gonb_1", false},
		{"tail -f /t/s1/log", false},
		{"/t/s1", false},
		{"", false},
	} {
		if got := leftover("/t/s1", strings.Fields(c.line)); got != c.want {
			t.Errorf("%q: %v", c.line, got)
		}
	}
	if leftover("", []string{"/bin/sh"}) {
		t.Error("everything is left over of no session")
	}
}

func TestSessionName(t *testing.T) {
	for path, want := range map[string]string{
		"/a/My notes (2).ipynb": "My_notes__2_-", "": "notebook-", "/x/ä.ipynb": "notebook-",
		"/x/" + strings.Repeat("long", 20) + ".ipynb": strings.Repeat("long", 7) + "-",
	} {
		if got := sessionName(path, 123456); !strings.HasPrefix(got, want) || len(got) > 40 {
			t.Errorf("%s: %s, want %s…", path, got, want)
		}
	}
}

func TestWatchProcess(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := watchProcess(cmd.Process.Pid, false)
	select {
	case <-done:
		t.Error("a living process has ended")
	case <-time.After(250 * time.Millisecond):
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	<-done
	<-watchProcess(cmd.Process.Pid, true) // is no parent of ours
}

func TestLogos(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := writeLogos(dir); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int{"logo-32x32.png": 32, "logo-64x64.png": 64} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(f)
		f.Close()
		if err != nil || img.Bounds().Dx() != size || img.Bounds().Dy() != size {
			t.Fatalf("%s: %v", name, err)
		}
		if _, _, _, a := img.At(0, 0).RGBA(); a != 0 {
			t.Errorf("%s: the corner is not clear", name)
		}
		if _, _, _, a := img.At(size/2, size/2).RGBA(); a != 0xffff {
			t.Errorf("%s: the middle is clear", name)
		}
	}
}

func TestSpec(t *testing.T) {
	t.Parallel()
	p := place{filepath.Join(t.TempDir(), "kernels", kernelName)}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := newSpec(p, "/src/metalab", "5eed", "/go/bin", "/usr/bin:/go/bin::/bin:/usr/bin")
	if err := s.write(p.spec()); err != nil {
		t.Fatal(err)
	}
	got, err := readSpec(p.spec())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, got); diff != "" {
		t.Error(diff)
	}
	if want := filepath.Join(p.dir, "bin") + ":/go/bin:/usr/bin:/bin"; got.Env["PATH"] != want {
		t.Errorf("PATH %s, want %s", got.Env["PATH"], want)
	}
	if got.flag("-module") != "/src/metalab" || got.flag("-sources") != "5eed" ||
		got.flag("-none") != "" || (kernelSpec{}).flag("-module") != "" {
		t.Errorf("flags of %v", got.Argv)
	}
	if got.InterruptMode != "message" {
		t.Error("interrupts by signal would reach nobody")
	}
}

// A kernel that does not start is told of with its own last words.
func TestKernelThatDies(t *testing.T) {
	t.Parallel()
	spec := kernelSpec{Argv: []string{
		"sh", "-c", "echo broken by hand >&2; exit 3",
		"{connection_file}",
	}}
	_, err := startKernel(t.Context(), spec, filepath.Join(t.TempDir(), "n.ipynb"))
	if err == nil || !strings.Contains(err.Error(), "broken by hand") {
		t.Errorf("a kernel that dies: %v", err)
	}
	if _, err := startKernel(t.Context(), kernelSpec{Argv: []string{"/nonexistent/kernel"}},
		"n.ipynb"); err == nil || !strings.Contains(err.Error(), "kernel install") {
		t.Errorf("a kernel that is not there: %v", err)
	}
}

func TestSourcesHash(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hash := func() string {
		t.Helper()
		h, err := sourcesHash(dir)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	write("go.mod", "module x")
	write("a/a.go", "package a")
	first := hash()
	for _, name := range []string{
		"a/a_test.go", ".git/x.go", "README.md", "a/testdata/x.go",
		"notebooks/n.go",
	} {
		write(name, "other")
		if hash() != first {
			t.Errorf("%s is of no concern to the kernel", name)
		}
	}
	if edited(dir, first) != "" || edited(dir, "") != "" || edited(dir+"/nothing", first) != "" {
		t.Error("sources that were not edited were")
	}
	write("a/a.go", "package a // edited")
	if hash() == first || edited(dir, first) == "" {
		t.Error("an edit is not noticed")
	}
}
