package host_test

import (
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
)

// Opening tells of a variant that does better on the instance, where the values are the variant's
// own.
func TestOpenAdvises(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	for line, want := range map[string]string{
		"open mmas E3k.0 as a":                                    "mmas/focused, which came nearer",
		"open mmas E3k.0 as g preset=best":                        "mmas/focused, which came nearer",
		"open mmas E3k.0 as h ants=2":                             "mmas/focused comes nearer",
		"open mmas E3k.0 as i variant=scan":                       "mmas/focused comes nearer",
		"open mmas rand-1001-1 as j":                              "mmas/focused comes nearer",
		"open mmas E3k.0 as b preset=paper candidates=8 ants=2":   "",
		"open mmas rand-100-1 as c":                               "",
		"open tabu rand-100-1 as k":                               "and 169 % with swap",
		"open hill rand-100-1 as l neighbourhood=2opt":            "10 % above it with neigh",
		"open mmas/focused E3k.0 as d":                            "",
		"open mmas rand-100-1 as e variant=wrs":                   "mmas/scan makes several times",
		"open mmas rand-100-1 as f variant=wrs preset=best-local": "",
	} {
		r := l.Do(line).(*reply.OpenReply)
		said := r.Named + r.Advice
		if !strings.Contains(said, want) || want == "" && said != "" {
			t.Errorf("%s: says %q, want %q", line, said, want)
		}
		for _, text := range []string{r.String(), r.HTML()} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not print its advice, %q:\n%s", line, want, text)
			}
		}
		if focused := r.Named != "" || strings.Contains(line, "/focused"); focused !=
			(r.Variant == "focused") {
			t.Errorf("%s opens %s/%s and says %q of it", line, r.Solver, r.Variant, r.Named)
		}
	}
	if r := l.Do("open tabu rand-100-1 as m neighbourhood=2opt").(*reply.OpenReply); strings.Contains(
		r.Advice, "the default") {
		t.Errorf("with 2opt: %s", r.Advice)
	}
	// Typed again, the line joins the run, and says the same of it.
	if r := l.Do("open mmas E3k.0 as a").(*reply.OpenReply); !r.Attached || r.Named == "" {
		t.Errorf("the line typed again answers %v", r)
	}
}
