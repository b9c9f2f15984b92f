package bundle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesInMemory lets a program of Go work on the files of a page, in Node without Node's own.
func TestFilesInMemory(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node on PATH (apt install nodejs)")
	}
	dir := t.TempDir()
	wasm := filepath.Join(dir, "files.wasm")
	build := exec.Command("go", "build", "-o", wasm, "./testdata/files")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	script.WriteString("const program = require('fs').readFileSync(process.argv[1])\n")
	for _, path := range []string{
		"memfs.js", filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"),
	} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		script.Write(b)
		script.WriteByte('\n')
	}
	script.WriteString(`const go = new Go()
WebAssembly.instantiate(program, go.importObject).then(async ({instance}) => {
  await go.run(instance)
  const all = changes().map(c => c.name + " " + (c.bytes ? c.bytes.length : "gone"))
  console.log("changed: " + all.sort().join(", "))
})`)
	out, err := exec.CommandContext(t.Context(), node, "-e", script.String(), wasm).CombinedOutput()
	if err != nil {
		t.Fatalf("node: %v: %s", err, out)
	}
	const want = `read: true <nil>
appended: 4004 -rw-r----- true <nil>
cut: "one\ntwo\ntw"
closed: true
none: true open none: No such file or directory
there: true
no folder: open a.txt/b: Not a directory
list: [- c.txt d down/] <nil>
not empty: true
moved: true
same: true false
hole: 6 "\x00\x00\x00\x00\x00z" <nil>
folder: /files <nil>
removed: true
changed: a.txt gone, deep/c.txt 0, deep/down/b.txt gone, gone.txt gone
`
	if string(out) != want {
		t.Errorf("it says\n%s\nwant\n%s", out, want)
	}
}
