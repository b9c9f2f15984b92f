package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/sqlite"
)

// victimEnv is the file whose experiment a child of the test makes.
const victimEnv = "METALAB_TEST_EXPERIMENT"

func TestMain(m *testing.M) {
	if path := os.Getenv(victimEnv); path != "" {
		if err := victim(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if path, what, ok := strings.Cut(os.Getenv(fullEnv), " "); ok {
		if err := full(path, what); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// victim makes an experiment and writes a line for each unit that is stored.
func victim(path string) error {
	s, err := sqlite.Open(path)
	if err != nil {
		return err
	}
	_, err = experiment.Make(context.Background(), s, "e", experiment.Options{
		Load: load, Each: func(r experiment.Row) { fmt.Println(r.Unit.Number) },
	})
	return err
}

// An experiment that is killed again and again has the results of one that is not, and no unit
// that was stored is made again.
func TestKilled(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	p := plan(20, 20)
	us := units(t, p)
	calm := &experiment.Memory{}
	path := filepath.Join(t.TempDir(), "x.sqlite")
	s := open(t, path)
	for _, s := range []experiment.Store{calm, s} {
		if _, err := s.Add(ctx, "e", p, us); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := experiment.Make(ctx, calm, "e", experiment.Options{Load: load}); err != nil {
		t.Fatal(err)
	}
	stored := 0
	for _, after := range []int{1, 4, 7} {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), victimEnv+"="+path)
		c.Stderr = os.Stderr
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range after {
			if !lines.Scan() {
				t.Fatal("the child ended before it was killed")
			}
		}
		if err := c.Process.Kill(); err != nil { // SIGKILL
			t.Fatal(err)
		}
		_ = c.Wait() // it was killed
		info, err := s.Info(ctx, "e")
		if err != nil || info.Done < stored+after {
			t.Fatalf("%d units are stored after %d and %d more, %v", info.Done, stored, after, err)
		}
		stored = info.Done
	}
	made := 0
	info, err := experiment.Make(ctx, s, "e", experiment.Options{
		Load: load, Each: func(experiment.Row) { made++ },
	})
	if err != nil || info.Done != len(us) || made != len(us)-stored {
		t.Errorf("%d of %d units are stored, %d were made after %d; %v", info.Done, len(us), made, stored,
			err)
	}
	if got, want := table(t, s, "e"), table(t, calm, "e"); got != want {
		t.Errorf("killed:\n%s\nundisturbed:\n%s", got, want)
	}
}
