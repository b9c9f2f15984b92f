package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"metalab/kernel/host"
	"metalab/solvers/experiment/sqlite"
	"metalab/solvers/record"
)

// experimentsOf says how the file of all experiments is; ok is false where there is none.
func experimentsOf(ctx context.Context) (f Finding, ok bool) {
	path := filepath.Join(host.DefaultStateDir(), "experiments.sqlite")
	there := false
	for _, end := range []string{"", "-wal"} { // who only asks makes none
		_, err := os.Stat(path + end)
		there = there || !errors.Is(err, os.ErrNotExist)
	}
	if !there {
		return f, false
	}
	f = Finding{Name: "experiments", State: "ok"}
	s, err := sqlite.Open(path)
	if err == nil {
		err = s.Check(ctx)
		if err == nil {
			size, _ := s.Size() // the check has read it
			f.What = fmt.Sprintf("%s is whole, %.1f MB", path, float64(size)/1e6)
		}
		err = errors.Join(err, s.Close())
	}
	if err != nil {
		f.State, f.What = "damaged", strings.TrimPrefix(err.Error(), "experiments: ")
		f.Fix = record.Started() + " -c doctor   (says more)"
		if errors.As(err, new(*sqlite.DamageError)) {
			f.Fix = record.Started() + " -c 'experiment recover'   (saves what can be read, and keeps " +
				"this file beside it)"
		}
	}
	return f, true
}
