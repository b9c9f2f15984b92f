package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host"
)

// A folder of state that cannot be used is told by its name, with what is wrong, who names it and
// what to set, and without the system's call.
func TestStateFolderCannotBeUsed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, dir string
		want      []string
	}{
		{"a file", file, []string{"METALAB_STATE is " + file, ": that is a file; "}},
		{"below a file", file + "/state", []string{
			"METALAB_STATE is " + file + "/state", file + " is a file; ",
		}},
		{"below /proc", "/proc/metalab", []string{"METALAB_STATE is /proc/metalab", "it cannot be made"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(host.EnvState, c.dir)
			err := os.MkdirAll(filepath.Join(host.DefaultStateDir(), "autosave"), 0o700)
			if err == nil {
				t.Skip("this folder can be made here")
			}
			got := host.StateError(host.DefaultStateDir(), err).Error()
			for _, w := range append(c.want, "; set METALAB_STATE to a folder that you may write to") {
				if !strings.Contains(got, w) {
					t.Errorf("%q lacks %q", got, w)
				}
			}
			if strings.Contains(got, "mkdir") {
				t.Errorf("%q names the system's call", got)
			}
		})
	}
	t.Run("its own", func(t *testing.T) {
		t.Setenv(host.EnvState, "")
		got := host.StateError("/x/state", os.ErrPermission).Error()
		if want := "the folder of autosaves is /x/state: permission denied; set METALAB_STATE"; !strings.
			HasPrefix(got, want) {
			t.Errorf("got %q, want %q…", got, want)
		}
	})
}
