package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestImages is the guard of the committed images: it fails when a source changed and its
// image did not.
func TestImages(t *testing.T) {
	t.Parallel()
	faults, err := check("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Error(f)
	}
	if len(faults) > 0 {
		t.Log("compile where nvcc is: go run ./kernels/build")
	}
}

// tree writes files into a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		put(t, root, name, text)
	}
	return root
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	p := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func example(t *testing.T) string {
	return tree(t, map[string]string{
		"go.mod":                "module metalab",
		"kernels/arith.h":       "#include \"deep.h\"\n#include <math.h>\n",
		"kernels/deep.h":        "// nothing\n",
		"kernels/a/one.cu":      "#include \"../arith.h\"\n  # include \"local.cuh\"\n",
		"kernels/a/local.cuh":   "#include \"arith.h\"\n",
		"kernels/b/two.cu":      "// #include \"commented.h\" is not at the line's start\n",
		"kernels/testdata/x.cu": "never compiled",
		// A compiler that copies its input behind a line of its own.
		"nvcc": "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Cuda compilation tools, release " +
			"99.1, V99.1.2'; exit; fi\n" +
			"for a; do case $prev in -o) out=$a;; esac; prev=$a; done\n" +
			"grep -q broken \"$prev\" && { echo \"$prev(1): error\"; exit 2; }\n(echo image; cat " +
			"\"$prev\") > \"$out\"\n",
	})
}

func build(t *testing.T, root string, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := run(
		context.Background(),
		append([]string{"-root", root, "-nvcc", filepath.Join(root, "nvcc")}, args...), &out,
	)
	return out.String(), err
}

func TestClosure(t *testing.T) {
	t.Parallel()
	root := example(t)
	got, err := closure(root, "kernels/a/one.cu")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{
		"kernels/a/local.cuh", "kernels/a/one.cu", "kernels/arith.h", "kernels/deep.h",
	}; !slices.Equal(got, want) {
		t.Errorf("closure %v, want %v", got, want)
	}
	put(t, root, "kernels/deep.h", "#include \"nowhere.h\"\n")
	if _, err := closure(root, "kernels/a/one.cu"); err == nil ||
		!strings.Contains(err.Error(), `kernels/deep.h includes "nowhere.h"`) {
		t.Errorf("a header that is not there: %v", err)
	}
}

func TestBuildAndStaleness(t *testing.T) {
	t.Parallel()
	root := example(t)
	wantFaults := func(want ...string) {
		t.Helper()
		got, err := check(root)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("faults %q, want %q", got, want)
		}
		for i := range want {
			if !strings.Contains(got[i], want[i]) {
				t.Errorf("fault %q does not say %q", got[i], want[i])
			}
		}
	}
	wantFaults(
		"a/one.cu: kernels/a/images/one.fatbin.gz was never compiled",
		"b/two.cu: kernels/b/images/two.fatbin.gz was never compiled",
	)
	if _, err := build(t, root, "-check"); err == nil {
		t.Error("-check is content without images")
	}
	if _, err := build(t, root, "-only", "b"); err != nil {
		t.Fatal(err)
	}
	wantFaults("one.fatbin.gz was never compiled")
	out, err := build(t, root)
	if err != nil || !strings.Contains(out, "two.fatbin.gz is up to date") ||
		!strings.Contains(out, "one.fatbin.gz in ") {
		t.Fatalf("%v\n%s", err, out)
	}
	wantFaults()
	if out, err := build(t, root, "-check"); err != nil || !strings.Contains(out, "fits its source") {
		t.Errorf("%v\n%s", err, out)
	}
	m, err := readManifest(root, "kernels/a/images")
	if err != nil || m["one.fatbin"].Nvcc != "99.1, V99.1.2" || len(m["one.fatbin"].Files) != 4 {
		t.Errorf("%+v, %v", m, err)
	}

	image, err := readImage(filepath.Join(root, "kernels/a/images/one.fatbin.gz"))
	if err != nil || !strings.HasPrefix(string(image), "image\n#include \"../arith.h\"") ||
		m["one.fatbin"].Image != shaOf(image) {
		t.Errorf("%q, %v: not what the compiler wrote, or not of the manifest's sum", image, err)
	}

	put(t, root, "kernels/deep.h", "int changed;\n") // a header of a header
	wantFaults("one.cu, a header it includes or the compiler's options changed")
	put(t, root, "kernels/deep.h", "\r\n// other words\r\n") // only a comment, and lines' ends
	wantFaults()
	two := filepath.Join(root, "kernels/b/images/two.fatbin.gz")
	if err := writeImage(two, []byte("something else")); err != nil {
		t.Fatal(err)
	}
	wantFaults("two.fatbin.gz is not the image")
	put(t, root, "kernels/b/images/two.fatbin.gz", "not packed")
	wantFaults("two.fatbin.gz: the image is damaged")
	if out, err := build(t, root); err != nil || !strings.Contains(out, "two.fatbin.gz in ") {
		t.Errorf("a damaged image is not compiled again: %v\n%s", err, out)
	}
	put(t, root, "kernels/b/images/two.fatbin", "unpacked by someone")
	wantFaults("two.fatbin does not belong")
	if err := os.Remove(filepath.Join(root, "kernels/b/images/two.fatbin")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(two); err != nil {
		t.Fatal(err)
	}
	wantFaults("two.fatbin.gz is missing")
	put(t, root, "kernels/b/two.cu", "broken\n")
	if out, err := build(t, root); err == nil ||
		!strings.Contains(err.Error(), "compile kernels/b/two.cu") ||
		!strings.Contains(out, "two.cu(1): error") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(root, "kernels/b/images/two.fatbin.gz.new")); err == nil {
		t.Error("half an image was left")
	}
	if err := os.Remove(filepath.Join(root, "kernels/b/two.cu")); err != nil {
		t.Fatal(err)
	}
	put(t, root, "kernels/b/images/two.fatbin.gz", "orphan")
	wantFaults("kernels/b/images/two.fatbin.gz has no source")
}

func TestOnly(t *testing.T) {
	t.Parallel()
	root := example(t)
	_, err := build(t, root, "-only", "b, c")
	const want = `-only names "c", which is no family of kernels: there are a, b`
	if err == nil || err.Error() != want {
		t.Errorf("an unknown family: %v, want %s", err, want)
	}
	out, err := build(t, root, "-only", "b")
	if err != nil || !strings.Contains(out, "kernels/b/") || strings.Contains(out, "kernels/a/") {
		t.Errorf("family b: %q, %v", out, err)
	}
}

func TestImagesNameNoFolder(t *testing.T) {
	t.Parallel()
	root := example(t)
	put(t, root, "kernels/b/two.cu", "// "+root+"/kernels\n") // the example's compiler copies it
	if _, err := build(t, root, "-only", "b"); err == nil ||
		!strings.Contains(err.Error(), "names the folder") {
		t.Errorf("%v", err)
	}
	lines := filepath.Join(root, "lines")
	if out, err := build(t, root, "-only", "b", "-lines", lines); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(lines, "b_two.fatbin")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(root, "kernels/b/images/two.fatbin.gz")); err == nil {
		t.Error("-lines wrote a committed image")
	}
}

func TestNoCompiler(t *testing.T) {
	t.Parallel()
	root := example(t)
	var out strings.Builder
	err := run(context.Background(), []string{"-root", root, "-nvcc", "/nonexistent/nvcc"}, &out)
	if err == nil || !strings.Contains(err.Error(), "install the CUDA toolkit") {
		t.Errorf("%v", err)
	}
}

// many is a tree of sources whose order in time is another than in the list: each waits for
// the file that the next one makes.
func many(t *testing.T) string {
	files := map[string]string{
		"go.mod": "module metalab",
		// A compiler that tells its source, then copies it, or fails on broken ones.
		"nvcc": "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'release 99.1'; exit; fi\n" +
			"for a; do case $prev in -o) out=$a;; esac; prev=$a; done\n" +
			"next=$(sed -n 's/^after //p' \"$prev\")\n" +
			"while [ -n \"$next\" ] && [ ! -e \"$next.done\" ]; do sleep 0.02; done\n" +
			"echo \"warning in $prev\"\n" +
			"grep -q broken \"$prev\" && { echo \"$prev(1): error\"; exit 2; }\n" +
			"cat \"$prev\" > \"$out\"; : > \"$prev.done\"\n",
	}
	for i, after := range []string{
		"after kernels/f/b.cu\n", "after kernels/f/c.cu\n", "after kernels/g/d.cu\n", "",
	} {
		files[[]string{"kernels/f/a.cu", "kernels/f/b.cu", "kernels/f/c.cu", "kernels/g/d.cu"}[i]] = after
	}
	return tree(t, files)
}

func TestParallelInOrder(t *testing.T) {
	t.Parallel()
	root := many(t)
	out, err := build(t, root, "-j", "4")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	at := 0
	for _, want := range []string{
		"warning in kernels/f/a.cu\nkernels/f/images/a.fatbin.gz in ", "warning in " +
			"kernels/f/b.cu\nkernels/f/images/b.fatbin.gz in ",
		"warning in kernels/f/c.cu\nkernels/f/images/c.fatbin.gz in ", "warning in " +
			"kernels/g/d.cu\nkernels/g/images/d.fatbin.gz in ",
	} {
		i := strings.Index(out[at:], want)
		if i < 0 {
			t.Fatalf("%q is missing, or before what comes before it:\n%s", want, out)
		}
		at += i + len(want)
	}
	if faults, err := check(root); err != nil || len(faults) > 0 {
		t.Errorf("a manifest lost entries: %q, %v", faults, err)
	}
}

func TestFirstErrorCancels(t *testing.T) {
	t.Parallel()
	root := many(t)
	put(t, root, "kernels/g/d.cu", "broken\n") // for which the others wait, for ever
	out, err := build(t, root, "-j", "4")
	if err == nil || !strings.HasPrefix(err.Error(), "compile kernels/g/d.cu: ") {
		t.Errorf("%v", err)
	}
	if want := "warning in kernels/g/d.cu\nkernels/g/d.cu(1): error\n"; out != want {
		t.Errorf("told %q, want %q", out, want)
	}
	left, err := filepath.Glob(filepath.Join(root, "kernels", "*", "images", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
	if _, err := build(t, root, "-j", "0"); err == nil || !strings.Contains(err.Error(), "-j is 0") {
		t.Errorf("-j 0: %v", err)
	}
}

func TestKeepGoing(t *testing.T) {
	t.Parallel()
	root := many(t)
	put(t, root, "kernels/f/b.cu", "broken\n")
	put(t, root, "kernels/f/a.cu", "after kernels/f/c.cu\nbroken\n") // fails later
	out, err := build(t, root, "-j", "3", "-keep-going")
	if err == nil {
		t.Fatalf("two errors, and none is returned:\n%s", out)
	}
	a, b := strings.Index(
		err.Error(), "compile kernels/f/a.cu: ",
	), strings.Index(err.Error(), "compile kernels/f/b.cu: ")
	if !strings.HasPrefix(err.Error(), "2 of 4 failed:") || a < 0 || b < a {
		t.Errorf("%v", err)
	}
	for _, want := range []string{
		"kernels/f/a.cu(1): error", "kernels/f/b.cu(1): error", "images/c.fatbin.gz in ",
		"images/d.fatbin.gz in ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not told:\n%s", want, out)
		}
	}
}

func TestCancelledFromOutside(t *testing.T) {
	t.Parallel()
	root := many(t)
	put(t, root, "kernels/g/d.cu", "after kernels/nowhere\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out strings.Builder
	err := run(ctx, []string{"-root", root, "-nvcc", filepath.Join(root, "nvcc")}, &out)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
