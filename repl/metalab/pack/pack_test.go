package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// small is a release of a few files.
func small(t *testing.T) (*release, []file) {
	t.Helper()
	r := &release{
		out: t.TempDir(), version: "1.2.3+gabc",
		when: time.Date(2026, 11, 29, 1, 2, 3, 0, time.UTC),
	}
	return r, []file{
		{"bin/metalab", 0o755, bytes.Repeat([]byte("program "), 1000)},
		{"lib/python3/dist-packages/metalab.py", 0o644, []byte("magic")},
		{"share/doc/metalab/LICENSE", 0o644, []byte("licence")},
		{"share/doc/metalab/NOTICES.txt", 0o644, []byte("notices")},
		{"share/doc/metalab/README.md", 0o644, []byte("# what it is\n")},
		{"share/jupyter/kernels/metalab/kernel.json", 0o644, []byte("{}")},
		{"share/metalab/src/go.mod", 0o644, []byte("module metalab\n")},
	}
}

// TestWheel packs a wheel twice, with the same bytes, whose list names each file with its sum, and
// whose program may be executed.
func TestWheel(t *testing.T) {
	t.Parallel()
	r, files := small(t)
	linux := targets[1]
	var both [2][]byte
	for i := range both {
		path := filepath.Join(r.out, fmt.Sprint(i), r.wheelName(&linux))
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := r.writeWheel(path, &linux, files); err != nil {
			t.Fatal(err)
		}
		both[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(both[0], both[1]) {
		t.Error("two wheels of the same files differ")
	}
	z, err := zip.NewReader(bytes.NewReader(both[0]), int64(len(both[0])))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range z.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		texts[f.Name] = string(b)
		if may := f.Mode().Perm()&0o111 != 0; may != strings.HasSuffix(f.Name, "/scripts/metalab") {
			t.Errorf("%s has the mode %v", f.Name, f.Mode())
		}
	}
	const info, data = "metalab-1.2.3+gabc.dist-info/", "metalab-1.2.3+gabc.data/"
	list := strings.Split(strings.TrimSpace(texts[info+"RECORD"]), "\n")
	if len(list) != len(texts) {
		t.Errorf("RECORD has %d lines of %d files", len(list), len(texts))
	}
	for _, line := range list {
		f := strings.Split(line, ",")
		sum := sha256.Sum256([]byte(texts[f[0]]))
		want := "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:])
		if f[0] == info+"RECORD" {
			want = ""
		}
		if _, there := texts[f[0]]; !there || f[1] != want {
			t.Errorf("RECORD says %s, want %s", line, want)
		}
	}
	for name, part := range map[string]string{
		data + "scripts/metalab": "program ",
		"metalab.py":             "magic",
		data + "data/share/jupyter/kernels/metalab/kernel.json": "{}",
		data + "data/share/metalab/src/go.mod":                  "module metalab\n",
		info + "WHEEL":                                          "Tag: py3-none-musllinux_1_1_x86_64\n",
		info + "METADATA":                                       "Version: 1.2.3+gabc\n",
		info + "NOTICES.txt":                                    "notices",
	} {
		if !strings.Contains(texts[name], part) {
			t.Errorf("%s holds %.60q, want %q in it", name, texts[name], part)
		}
	}
	if !strings.HasSuffix(texts[info+"METADATA"], "\n\n# what it is\n") {
		t.Error("README is not what the wheel says of itself")
	}
}

// TestArchive reads what it has packed: one folder, sorted, with the commit's time.
func TestArchive(t *testing.T) {
	t.Parallel()
	r, files := small(t)
	path := filepath.Join(r.out, "metalab-1-linux-amd64.tar.zst")
	if err := r.writeArchive(path, files); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	from := tar.NewReader(z)
	n := 0
	for {
		h, err := from.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(h.Name, "metalab-1-linux-amd64/") || !h.ModTime.Equal(r.when) {
			t.Errorf("%s of %v", h.Name, h.ModTime)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		b, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		want := files[n]
		if h.Name != "metalab-1-linux-amd64/"+want.path || !bytes.Equal(b, want.data) ||
			os.FileMode(h.Mode) != want.mode {
			t.Errorf("file %d is %s, mode %o, %d bytes; want %s", n, h.Name, h.Mode, len(b), want.path)
		}
		n++
	}
	if n != len(files) {
		t.Errorf("%d files are in it, want %d", n, len(files))
	}
}

// TestDebian has Debian's own tool read the package.
func TestDebian(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("there is no dpkg-deb")
	}
	r, files := small(t)
	linux := target{name: "linux-amd64", cuda: true, debian: "amd64", wheel: "manylinux_2_28_x86_64"}
	var both [2][]byte
	for i := range both {
		path := filepath.Join(r.out, fmt.Sprint(i)+".deb")
		if err := r.writeDebian(t.Context(), path, &linux, files); err != nil {
			t.Fatal(err)
		}
		both[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(both[0], both[1]) {
		t.Error("two packages of the same files differ")
	}
	out, err := exec.Command("dpkg-deb", "-I", filepath.Join(r.out, "0.deb")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Depends: libc6 (>= 2.28)") {
		t.Errorf("%v: %s", err, out)
	}
	to := filepath.Join(r.out, "unpacked")
	if out, err = exec.Command("dpkg-deb", "-x", filepath.Join(r.out, "0.deb"), to).
		CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(to, "usr", f.path))
		if err != nil || !bytes.Equal(b, f.data) {
			t.Errorf("%s: %v", f.path, err)
		}
	}
	mac := targets[3]
	if err := r.writeDebian(t.Context(), "x.deb", &mac, files); err != errNotHere {
		t.Errorf("a package for %s: %v", mac.name, err)
	}
}

// TestNotices finds a licence of each module that is shipped, and the names of those that want to
// be named.
func TestNotices(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("lists all packages")
	}
	r := &release{version: "1", when: time.Unix(0, 0).UTC()}
	var err error
	if r.root, err = output(t.Context(), "", nil, "go", "list", "-m", "-f", "{{.Dir}}"); err != nil {
		t.Fatal(err)
	}
	static := targets[1]
	modules, err := r.modules(t.Context(), &static)
	if err != nil {
		t.Fatal(err)
	}
	text, err := noticesOf(modules)
	if err != nil {
		t.Fatal(err)
	}
	if len(modules) < 30 {
		t.Errorf("%d modules are linked, want them all", len(modules))
	}
	for _, m := range modules {
		if !strings.Contains(string(text), "\n  "+m.shipped().Name()+" (") ||
			!strings.Contains(string(text), "\n"+m.shipped().Name()+", ") {
			t.Errorf("the notices lack %s", m.shipped().Name())
		}
		if m.Path != "std" && m.Sum == "" {
			t.Errorf("go.sum has no sum of %s", m.shipped().Name())
		}
	}
	for _, want := range []string{"ajstarks/svgo", "CC-BY-4.0", "SIL OPEN FONT LICENSE"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the notices lack %s", want)
		}
	}
	bill, err := billOf(r, &static, modules)
	if err != nil || !bytes.Contains(bill, []byte("pkg:golang/modernc.org/sqlite@")) {
		t.Errorf("the bill has no SQLite: %v", err)
	}
	bare := &module{Path: "example.org/bare", Version: "v1.0.0", Dir: t.TempDir()}
	if _, err := noticesOf([]*module{bare}); err == nil {
		t.Error("a module without a licence is shipped")
	}
}

// TestVendored writes a go.mod and a list as Go's own are.
func TestVendored(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module metalab\n\ngo 1.26.0\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	mod, list, err := vendored(root, map[string]*module{
		"b.org/b": {Path: "b.org/b", Version: "v1.0.0", GoVersion: "1.21"},
		"a.org/a": {Path: "a.org/a", Version: "v0.2.0"},
	}, map[string][]string{"b.org/b": {"b.org/b/y", "b.org/b/x"}, "a.org/a": {"a.org/a"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "module metalab\n\ngo 1.26.0\n\nrequire a.org/a v0.2.0\n\n" +
		"require b.org/b v1.0.0\n"; mod != want {
		t.Errorf("go.mod is\n%s", mod)
	}
	if want := "# a.org/a v0.2.0\n## explicit\na.org/a\n" +
		"# b.org/b v1.0.0\n## explicit; go 1.21\nb.org/b/x\nb.org/b/y\n"; list != want {
		t.Errorf("modules.txt is\n%s", list)
	}
}

// TestChoose names a target that there is not, and those that there are.
func TestChoose(t *testing.T) {
	t.Parallel()
	all, err := choose("")
	if err != nil || len(all) != len(targets) {
		t.Errorf("%d of %d, %v", len(all), len(targets), err)
	}
	if two, err := choose("darwin-arm64,linux-amd64"); err != nil || len(two) != 2 ||
		two[1].name != "linux-amd64" {
		t.Errorf("%v, %v", two, err)
	}
	if _, err := choose("linux-amd64,plan9"); err == nil ||
		!strings.Contains(err.Error(), `no target "plan9", but linux-amd64, `) {
		t.Errorf("plan9: %v", err)
	}
}

// TestManylinux refuses a program with symbols of a glibc that clusters do not have, and names
// them; built as releases are, the same program fits.
func TestManylinux(t *testing.T) {
	t.Parallel()
	if runtime.GOOS+runtime.GOARCH != "linuxamd64" {
		t.Skip("the symbols are those of linux on amd64")
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not there")
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "a.c")
	if err := os.WriteFile(source, []byte("#include <dlfcn.h>\n"+
		"int main(void) { return dlopen(\"none.so\", RTLD_NOW) != 0; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	header := filepath.Join("..", "..", "..", "gpu", "internal", "driver", "include", "oldglibc.h")
	for name, flags := range map[string][]string{
		"new": nil,
		"old": {
			"-include", header, "-no-pie", "-Wl,--wrap=__libc_start_main", "-Wl,--no-as-needed",
			"-l:libpthread.so.0", "-l:libdl.so.2",
		},
	} {
		path := filepath.Join(dir, name)
		args := append([]string{"-o", path, source}, flags...)
		if b, err := exec.CommandContext(t.Context(), gcc, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, b)
		}
		tag, err := manylinux(path)
		if name == "old" {
			if tag != "manylinux_2_28_x86_64" || err != nil {
				t.Errorf("%s: %q, %v", name, tag, err)
			}
			continue
		}
		symbols, objdumpErr := exec.CommandContext(t.Context(), "objdump", "-T", path).Output()
		if objdumpErr != nil || !bytes.Contains(symbols, []byte("GLIBC_2.34")) {
			t.Skip("this machine's glibc is an old one itself")
		}
		if err == nil || !strings.Contains(err.Error(), "__libc_start_main@GLIBC_2.34") ||
			!strings.Contains(err.Error(), "newer than 2.28") {
			t.Errorf("%s: %q, %v", name, tag, err)
		}
	}
}

// TestSums lists what was made of this version, and nothing else.
func TestSums(t *testing.T) {
	t.Parallel()
	r := &release{out: t.TempDir(), version: "2.0"}
	for _, name := range []string{"metalab-2.0-b.deb", "metalab-2.0-a.whl", "metalab-1.9-a.whl"} {
		if err := os.WriteFile(filepath.Join(r.out, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.sums(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(b)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		names = append(names, name)
		if want := fmt.Sprintf("%x", sha256.Sum256([]byte(name))); sum != want {
			t.Errorf("%s: want %s", line, want)
		}
	}
	if !slices.Equal(names, []string{"metalab-2.0-a.whl", "metalab-2.0-b.deb"}) {
		t.Errorf("the sums are of %v", names)
	}
}
