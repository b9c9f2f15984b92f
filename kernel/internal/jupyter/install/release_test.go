package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/internal/jupyter"
)

// TestDescribe writes the kernelspec of a release, again over its own, and over nobody else's
// without being told to.
func TestDescribe(t *testing.T) {
	t.Parallel()
	const other = `{"argv": ["/old/metalab", "kernel", "{connection_file}"]}`
	const compiled = `{"argv": ["/x/metalab-kernel", "run", "-gonb", "g", "{connection_file}"]}`
	for _, c := range []struct {
		there string
		force bool
		says  string
	}{
		{"", false, ""},
		{`{"argv": ["/opt/metalab", "kernel", "{connection_file}"]}`, false, ""},
		{other, false, "the kernel of /old/metalab"},
		{other, true, ""},
		{compiled, false, "kernel uninstall takes it out"},
		{compiled, true, ""},
		{"{", false, "is no kernelspec"},
	} {
		p := jupyter.Under(t.TempDir())
		if c.there != "" {
			if err := os.MkdirAll(p.Dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(p.SpecFile(), []byte(c.there), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := describe(p, "/opt/metalab", c.force)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("over %s: %v, want %s", c.there, err, c.says)
			}
			if b, _ := os.ReadFile(p.SpecFile()); string(b) != c.there {
				t.Errorf("%s was replaced by %s", c.there, b)
			}
			continue
		}
		s, rerr := jupyter.ReadSpec(p.SpecFile())
		if err != nil || rerr != nil || !ofRelease(s) || s.Argv[0] != "/opt/metalab" ||
			s.InterruptMode != "message" {
			t.Errorf("over %q: %+v, %v, %v", c.there, s, err, rerr)
		}
		if _, err := os.Stat(filepath.Join(p.Dir, "logo-64x64.png")); err != nil {
			t.Error(err)
		}
	}
}
