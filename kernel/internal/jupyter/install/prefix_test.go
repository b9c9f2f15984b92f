package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/internal/jupyter"
)

// What was installed with -prefix is found without it, as long as it is there.
func TestPrefixIsRemembered(t *testing.T) {
	t.Setenv("METALAB_STATE", filepath.Join(t.TempDir(), "state"))
	t.Setenv("PATH", t.TempDir()) // no Jupyter is asked
	user := jupyter.Place{Dir: filepath.Join(t.TempDir(), "kernels", jupyter.KernelName)}
	if p := jupyter.Elsewhere(t.Context(), user); p != user {
		t.Errorf("nothing is anywhere, and %v is found", p)
	}
	put := func(p jupyter.Place) {
		t.Helper()
		if err := os.MkdirAll(p.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := (jupyter.Spec{}).Write(p.SpecFile()); err != nil {
			t.Fatal(err)
		}
	}
	a, b := t.TempDir(), t.TempDir()
	for _, prefix := range []string{a, b, a} {
		put(jupyter.Under(prefix))
		if err := jupyter.Remember(jupyter.Under(prefix)); err != nil {
			t.Fatal(err)
		}
		if p := jupyter.Elsewhere(t.Context(), user); p != jupyter.Under(prefix) ||
			p.Prefix() != prefix ||
			!strings.Contains(p.InstallHint(), "install -prefix "+prefix+" ") {
			t.Errorf("%v is found, prefix %q, want %s", p, p.Prefix(), prefix)
		}
	}
	if all := jupyter.Places(); len(all) != 2 {
		t.Errorf("remembered: %v", all)
	}
	if err := Uninstall(t.Context(), []string{"-prefix", a}); err != nil {
		t.Fatal(err)
	}
	if p := jupyter.Elsewhere(t.Context(), user); p != jupyter.Under(b) {
		t.Errorf("%v is found, want the one that is left, %s", p, b)
	}
	if strings.Contains(user.InstallHint(), "-prefix") {
		t.Errorf("the user's place: %s", user.InstallHint())
	}
	put(user)
	if p := jupyter.Elsewhere(t.Context(), user); p != user || p.Prefix() != "" {
		t.Errorf("%v is found, want the user's", p)
	}
}

// Where Jupyter takes the kernel from is looked at, too.
func TestJupyterIsAsked(t *testing.T) {
	t.Setenv("METALAB_STATE", t.TempDir())
	bin, dir := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\necho '{\"kernelspecs\": {\"" + jupyter.KernelName +
		"\": {\"resource_dir\": \"" + dir + "\"}}}'\n"
	if err := os.WriteFile(filepath.Join(bin, "jupyter"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	if p := jupyter.Elsewhere(t.Context(), jupyter.Place{Dir: t.TempDir()}); p.Dir != dir {
		t.Errorf("%v is found, want %s", p, dir)
	}
}
