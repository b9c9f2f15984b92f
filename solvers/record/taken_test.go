package record_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"metalab/solvers/record"
)

func TestRecordsOfOtherRunsStay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(r *record.Record)
		want   bool
	}{
		"the same":           {func(*record.Record) {}, true},
		"further":            {func(r *record.Record) { r.End += 5 }, true},
		"made again":         {func(r *record.Record) { r.Header.StartedAt = time.Now() }, true},
		"under another name": {func(r *record.Record) { r.Header.Run = "other" }, true},
		"another, the same": {func(r *record.Record) {
			r.Header.StartedAt, r.Header.Run = time.Now(), "other"
		}, false},
		"fork of it": {func(r *record.Record) {
			r.Journal = append(r.Journal, record.Change{Iter: 9, Kind: record.KindFork, Name: "f"})
		}, false},
		"back": {func(r *record.Record) { r.End--; r.Points = r.Points[:1] }, true},
		"made again, shorter": {func(r *record.Record) {
			r.Header.StartedAt = time.Now()
			r.End--
		}, false},
		"made again, changed": {func(r *record.Record) {
			r.Header.StartedAt = time.Now()
			r.Journal = nil
		}, false},
		"made again, another": {func(r *record.Record) {
			r.Header.StartedAt = time.Now()
			r.Points[0].Digest++
		}, false},
		"without its seeds": {func(r *record.Record) {
			r.Header.StartedAt = time.Now()
			r.Repeats = nil
		}, false},
		"made again, another result of a seed": {func(r *record.Record) {
			r.Header.StartedAt = time.Now()
			r.Repeats[0].Seeds[0].Digest++
		}, false},
		"made again, changed after its end": {func(r *record.Record) {
			r.Header.StartedAt = time.Now()
			r.End += 5
			r.Journal = append(r.Journal, record.Change{
				Iter: 2, Kind: record.KindSet, Name: "q0", New: record.Num(0.5),
			})
		}, true},
		"made again, stopped before": {func(r *record.Record) {
			r.Header.StartedAt = time.Now()
			r.Journal = append([]record.Change{{Iter: 1, Kind: record.KindStop}}, r.Journal...)
		}, true},
		"seed": {func(r *record.Record) { r.Header.StartedAt = time.Now(); r.Header.Seed++ }, false},
		"fork": {func(r *record.Record) {
			r.Journal = append([]record.Change{{Iter: 1, Kind: record.KindFork, Name: "f"}}, r.Journal...)
		}, false},
	} {
		path := filepath.Join(t.TempDir(), "a.run")
		if err := sample().WriteFile(path); err != nil {
			t.Fatal(err)
		}
		r := sample()
		c.change(r)
		err := r.Vacant(path)
		if (err == nil) != c.want || err != nil && !errors.As(err, new(*record.TakenError)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.run")
	if err := sample().Vacant(path); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(path, []byte("DIMENSION: 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := sample().Vacant(path); !errors.As(err, new(*record.TakenError)) {
		t.Errorf("a file that is no record: %v", err)
	}
}

// A symbolic link stays one: what it leads to is written.
func TestAtomicFollowsLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(at("deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("deep/file"), []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"direct": "deep/file", "twice": "direct", "whole": at("deep/file"), "nowhere": "deep/new",
		"round": "round", "null": "/dev/null", "out": "/dev/stdout", "devices": "/dev", "folder": "deep",
	} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	for link, file := range map[string]string{
		"direct": "deep/file", "twice": "deep/file", "whole": "deep/file", "nowhere": "deep/new",
		"folder/file": "deep/file",
	} {
		if err := record.Atomic(at(link), write(link)); err != nil {
			t.Errorf("%s: %v", link, err)
			continue
		}
		if b, _ := os.ReadFile(at(file)); string(b) != link {
			t.Errorf("%s: %s holds %q", link, file, b)
		}
		if st, err := os.Lstat(at(link)); err != nil ||
			!strings.Contains(link, "/") && st.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", link, st.Mode(), err)
		}
	}
	if st, err := os.Stat(at("deep/file")); err != nil || st.Mode().Perm() != 0o640 {
		t.Errorf("the mode of the file is %v, %v", st.Mode(), err)
	}
	for _, path := range []string{
		at("null"), at("out"), at("round"), at("devices/stdout"), at("folder"), at("deep"), "/dev/null",
		"/dev/stdout", "/dev/fd/1", "/proc/self/comm", "/proc/self/fd/1", "/dev/new",
	} {
		before, berr := os.Lstat(path)
		if err := record.Atomic(path, write("x")); err == nil {
			t.Errorf("%s was written", path)
		}
		if err := record.Writable(path); err == nil {
			t.Errorf("%s counts as writable", path)
		}
		after, aerr := os.Lstat(path)
		if (berr == nil) != (aerr == nil) || berr == nil && before.Mode() != after.Mode() {
			t.Errorf("%s was changed", path)
		}
	}
}
