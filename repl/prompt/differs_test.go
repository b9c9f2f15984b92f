package prompt

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metalab/solvers/conform"
)

// An error in JSON names the line of the script.
func TestJSONErrorLine(t *testing.T) {
	t.Parallel()
	for _, last := range []string{"set a q0=7", "nonsense", "diff a a.run"} {
		text := "open acs rand-30-1 as a\n\n# a comment\nsave a nostate\nset a q0=0.5\nstep a 2\n" +
			"fork a as b q0=0.1\nstep a b 3; save b\n" + strings.Replace(last, "a a.run", "a b.run", 1)
		out, errs, code := repl(t, shortDir(t), text, nil, "-json")
		all := lines(t, out)
		if code != 1 || len(all) == 0 || all[len(all)-1]["line"] != 9.0 || all[0]["line"] != nil {
			t.Errorf("%s: code %d: %v %s", last, code, all[len(all)-1], errs)
		}
	}
}

// Where the locale is C, changes are told without arrows.
func TestPlainText(t *testing.T) {
	t.Parallel()
	for locale, want := range map[string]string{"C": "q0 0.98 -> 0.5", "C.UTF-8": "q0 0.98 → 0.5"} {
		out, errs, code := repl(t, shortDir(t), "", []string{"LC_ALL=" + locale}, "-c",
			"open acs rand-30-1 as a; set a q0=0.5; journal a")
		if code != 0 || strings.Count(out, want) != 2 {
			t.Errorf("%s: code %d: %s%s", locale, code, out, errs)
		}
	}
}

// A script that checks a record ends with status 1 where the record is false: in a point, in its
// best solution, in what it says of its instance. The word differs makes an answer of it.
func TestFalseRecordFailsScript(t *testing.T) {
	conform.Brief(t, "starts some thirty processes")
	t.Parallel()
	dir := shortDir(t)
	out, errs, code := repl(t, dir, "", nil, "-c",
		"open acs rand-60-1 as a seed=3; step a 9; save a good.run nostate; step a 3; save a more.run")
	if code != 0 {
		t.Fatalf("exit status %d: %s%s", code, out, errs)
	}
	b, err := os.ReadFile(filepath.Join(dir, "good.run"))
	if err != nil {
		t.Fatal(err)
	}
	good := string(b)
	swap := func(text string) string {
		return regexp.MustCompile(`"perm":\[(\d+),(\d+),`).ReplaceAllString(text, `"perm":[$2,$1,`)
	}
	for name, text := range map[string]string{
		"point.run": regexp.MustCompile(`"iter_best":(\d+),"mean":`).
			ReplaceAllString(good, `"iter_best":1$1,"mean":`),
		"best.run": swap(good),
		"size.run": strings.Replace(good, `"size":60`, `"size":61`, 1),
	} {
		if text == good {
			t.Fatalf("%s is the good record", name)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"replay good.run": "", "load good.run": "", "diff good.run more.run": "",
		"replay point.run":                "what is made again is another",
		"replay best.run":                 "what is made again is another",
		"replay size.run":                 "what is made again is another",
		"load point.run":                  "made again it differs from the record",
		"load best.run":                   "what is made again is another",
		"load size.run":                   "what is made again is another",
		"diff good.run point.run":         "what is made again is another",
		"replay point.run differs":        "",
		"load best.run differs":           "",
		"diff good.run point.run differs": "",
		"diff good.run point.run; runs":   "what is made again is another", // it ends there
	} {
		status := 0
		if want != "" {
			status = 1
		}
		if out, errs, code := repl(t, dir, "", nil, "-c", line); code != status ||
			!strings.Contains(errs, want) || want == "" && errs != "" {
			t.Errorf("%s: exit status %d, want %d: %s%s", line, code, status, out, errs)
		}
		out, errs, code := repl(t, dir, "", nil, "-json", "-c", line)
		all := lines(t, out)
		if code != status || len(all) != 1 || errs != "" {
			t.Errorf("-json %s: exit status %d, want %d: %s%s", line, code, status, out, errs)
			continue
		}
		said, _ := all[0]["error"].(string)
		if !strings.Contains(said, want) || (said == "") != (want == "") ||
			want != "" && all[0]["code"] != "differs" {
			t.Errorf("-json %s: error %q, code %v, want %q", line, said, all[0]["code"], want)
		}
		if v, ok := all[0]["identical"]; ok && v == true && want != "" {
			t.Errorf("-json %s: %s", line, out)
		}
	}
}
