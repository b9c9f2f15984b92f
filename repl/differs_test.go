package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A script that checks a record ends with status 1 where the record is false: in a point, in its
// best solution, in what it says of its instance. The word differs makes an answer of it.
func TestFalseRecordFailsScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
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
