package exchange_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/exchange"
)

// What a spreadsheet would compute, or a terminal act on, is text in an exported file, numbers are
// as they were, and what is imported again is what there was.
func TestFormulasAreText(t *testing.T) {
	for text, want := range map[string]string{
		"=cmd|'/c calc'!A1": "'=cmd|'/c calc'!A1", "+1+1": "'+1+1", "-2+3": "'-2+3",
		"@SUM(A1)": "'@SUM(A1)",
		"\t=1":     "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1", "＝1": "'＝1", "-": "'-",
		"\x1b]0;x\a": `\x1b]0;x\x07`, "a\u009bb": `a\x9bb`, "a\nb": "a\nb",
		"-5": "-5", "+1e9": "+1e9", "-0.25": "-0.25", "-Inf": "-Inf", "": "",
		"acs/seq q0=0.5": "acs/seq q0=0.5",
		"'quoted'":       "'quoted'",
	} {
		if got := exchange.Cell(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	const solver, label, instance = "=cmd|calc", "@SUM(1)", "-a+b\x1b[2J"
	var in bytes.Buffer
	w := csv.NewWriter(&in)
	if err := w.WriteAll([][]string{
		{"solver", "label", "instance", "best", "error"}, {solver, label, instance, "-7.5", "+x"},
	}); err != nil {
		t.Fatal(err)
	}
	runs, err := exchange.ReadCSV(&in, "r.csv", exchange.Mapping{})
	if err != nil {
		t.Fatal(err)
	}
	s := &experiment.Memory{}
	if _, err := exchange.Add(t.Context(), s, "e", runs, nil); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := exchange.CSV(t.Context(), s, "e", &out); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(out.Bytes())).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%q, %v", rows, err)
	}
	got := map[string]string{}
	for i, name := range rows[0] {
		got[name] = rows[1][i]
	}
	for name, want := range map[string]string{
		"solver": "'" + solver, "label": "'" + label, "instance": `'-a+b\x1b[2J`, "best": "-7.5",
		"error": "'+x",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	again, err := exchange.ReadCSV(&out, "r.csv", exchange.Mapping{})
	if err != nil || len(again) != 1 || again[0].Solver != solver || again[0].Label != label ||
		again[0].Result.Error != "+x" {
		t.Errorf("imported again: %+v, %v", again, err)
	}
}

// zeros is an endless number.
type zeros struct{ read int }

func (z *zeros) Read(p []byte) (int, error) {
	z.read += len(p)
	return copy(p, bytes.Repeat([]byte("1"), len(p))), nil
}

// A line without an end is refused when it is too long, not when the memory is full.
func TestLongLine(t *testing.T) {
	for _, begin := range []string{
		"", "solver,instance,best\n", "solver,instance,best\nx,y,1\nx,y,",
		"solver,instance,best\nx,y,1\n\"",
	} {
		z := &zeros{}
		all := io.MultiReader(strings.NewReader(begin), z)
		_, err := exchange.ReadCSV(all, "r.csv", exchange.Mapping{})
		at := fmt.Sprintf("r.csv:%d: a line has more than 1048576 bytes", 1+strings.Count(begin, "\n"))
		if err == nil || !strings.HasPrefix(err.Error(), at) || z.read > 4<<20 {
			t.Errorf("%q and an endless number: %v after %d bytes, want %s", begin, err, z.read, at)
		}
	}
	long := strings.Repeat("x", 1<<19)
	for _, text := range []string{
		"solver,instance,best\nx,y," + long + "\n", "solver,instance,best,seed\nx,y,1," + long + "\n",
	} {
		_, err := exchange.ReadCSV(strings.NewReader(text), "r.csv", exchange.Mapping{})
		if err == nil || len(err.Error()) > 300 || !strings.Contains(err.Error(), "bytes more") {
			t.Errorf("a long value: %.400v", err)
		}
	}
	// Many lines are no long one.
	text := "solver,instance,best\n" + strings.Repeat("x,y,1\n", 1<<19)
	runs, err := exchange.ReadCSV(strings.NewReader(text), "r.csv", exchange.Mapping{})
	if err != nil ||
		len(runs) != 1<<19 {
		t.Errorf("%d lines: %d runs, %v", 1<<19, len(runs), err)
	}
}

// Nothing outside of a folder of IOHprofiler is read, and nothing in it is waited for, whatever its
// files are and name.
func TestHostileFolder(t *testing.T) {
	const about = `{"version": "0.3.17", "function_name": "f", "algorithm": {"name": "a"},
		"scenarios": [
		{"dimension": 2, "path": %q, "runs": [
			{"instance": 1, "evals": 3, "best": {"evals": 3, "y": 1}}]}]}`
	const data = "evaluations raw_y\n1 5\n3 1\n"
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.dat")
	if err := os.WriteFile(secret, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(to string) func(string) error {
		return func(path string) error { return os.Symlink(to, path) }
	}
	up := "../" + filepath.Base(outside) + "/secret.dat"
	for name, c := range map[string]struct {
		path string                  // in the JSON file
		make func(path string) error // of f.dat
		want string
	}{
		"upwards": {"../" + filepath.Base(outside) + "/secret.dat", nil, "want one inside"},
		"upwards, hidden": {
			"a/../../" + filepath.Base(outside) + "/secret.dat", nil, "want one inside",
		},
		"absolute":           {secret, nil, "want one inside"},
		"nothing":            {"", nil, "want one inside"},
		"the folder":         {".", nil, "want a file"},
		"a zero byte":        {"f\x00.dat", nil, "f.json"},
		"a link out":         {"f.dat", link(secret), "escapes"},
		"a link up":          {"f.dat", link(up), "escapes"},
		"a link to itself":   {"f.dat", link("f.dat"), "f.dat"},
		"a link to a device": {"f.dat", link("/dev/zero"), "escapes"},
		"a pipe": {
			"f.dat", func(path string) error { return syscall.Mkfifo(path, 0o600) }, "want a file",
		},
		"a folder": {"f.dat", func(path string) error { return os.Mkdir(path, 0o700) }, "want a file"},
	} {
		dir := filepath.Join(filepath.Dir(outside), strings.ReplaceAll(name, " ", "-"))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+"/f.json", fmt.Appendf(nil, about, c.path), 0o600); err != nil {
			t.Fatal(err)
		}
		if c.make != nil {
			if err := c.make(dir + "/f.dat"); err != nil {
				t.Fatal(err)
			}
		}
		runs, err := exchange.ReadIOHprofiler(dir)
		if err == nil || len(runs) != 0 || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), dir) {
			t.Errorf("%s: %d runs, %v; want %q", name, len(runs), err, c.want)
		}
		// The same in place of the JSON file.
		if c.make == nil {
			continue
		}
		err = errors.Join(os.Remove(dir+"/f.json"), os.Rename(dir+"/f.dat", dir+"/f.json"))
		if err != nil {
			t.Fatal(err)
		}
		if runs, err := exchange.ReadIOHprofiler(dir); err == nil || len(runs) != 0 {
			t.Errorf("%s as JSON: %d runs, %v", name, len(runs), err)
		}
	}
	// The way out of one that is meant well.
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/data", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"f.json": fmt.Sprintf(about, "data/f.dat"), "data/f.dat": data,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if runs, err := exchange.ReadIOHprofiler(dir); err != nil || len(runs) != 1 {
		t.Errorf("a good folder: %d runs, %v", len(runs), err)
	}
}
