package rooms_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"metalab/kernel/host/internal/hosttest"
)

// What lies in folders of the user alone is the user's alone too.
func TestModes(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	private := filepath.Join(t.TempDir(), "mine")
	if err := os.Mkdir(private, 0o700); err != nil {
		t.Fatal(err)
	}
	l.Do("open walk rand-30-1 as a; step a 40; save a " + private + "/a.run; export a " + private +
		"/a.csv; export a " + private + "/a.tour; plot a to " + private + "/a.svg; experiment e " +
		"solvers=walk instances=rand-20-1 seeds=2 n=5; experiment e export to " + private + "/e.csv; " +
		"close a; open walk rand-20-1 as c; recover")
	files := 0
	for _, dir := range []string{l.O.StateDir, private} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.Type()&fs.ModeSocket != 0 {
				return err
			}
			st, err := d.Info()
			if err != nil {
				return err
			}
			files++
			if st.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %v", path, st.Mode())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 10 {
		t.Errorf("only %d files were seen", files)
	}
}
