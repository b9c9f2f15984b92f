package experiments_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Rows on a problem of one's own have verdicts only where it is known that they have one objective,
// whether or not the session has the problem's code: by the parameters that are kept with them, and
// in stores of before these were kept by none that differs.
func TestRowsOfAProblemNobodyDeclared(t *testing.T) {
	t.Parallel()
	const two, maybe = "are two objectives of sack, whose own parameter that is",
		"may be two objectives of sack: which parameters are its own was not kept with these rows"
	for _, c := range []struct{ own, want string }{
		{`"own":["moves"]`, two}, {`"own":[]`, ""}, {`"own":null`, maybe},
	} {
		o := hosttest.Options(t)
		l := start(t, o)
		l.Do("experiment e solvers=walk instances=rand-60-1 seeds=5 n=20 moves=1,100")
		l.End()
		ofOwnKind(t, filepath.Join(o.StateDir, "experiments.sqlite"), c.own)
		l = start(t, o)
		tex := filepath.Join(t.TempDir(), "e.tex")
		l.Do("experiment e export to " + tex)
		b, err := os.ReadFile(tex)
		if err != nil {
			t.Fatal(err)
		}
		table := l.Do("experiment e").(*reply.ExperimentReply)
		report := l.Do("experiment e report").String()
		if c.want == "" {
			l.Do("experiment e budgets; experiment e targets at=900; chart e ecdf")
			if strings.Contains(report, "No verdict") || !table.Rows[1].P.Known() ||
				!strings.Contains(string(b), "textbf") {
				t.Errorf("%s: no verdict:\n%s\n%s\n%s", c.own, table, report, b)
			}
			continue
		}
		for what, text := range map[string]string{
			"report": report, "table": table.Test, "best": l.Do("experiment e best").String(),
		} {
			if !strings.Contains(text, c.want) {
				t.Errorf("%s: %s: no %q in\n%s", c.own, what, c.want, text)
			}
		}
		if table.Rows[1].P.Known() || table.Rows[1].Effect.Known() ||
			strings.Contains(string(b), "textbf") ||
			!strings.Contains(string(b), "of different objectives") {
			t.Errorf("%s: %+v\n%s", c.own, table.Rows[1], b)
		}
		for _, line := range []string{
			"experiment e budgets", "experiment e targets at=900", "chart e ranks", "chart e ert",
			"chart e profile", "chart e ecdf", "chart e parallel", "chart e importance",
		} {
			l.Fails(line, wire.CodeRequest, c.want)
		}
		l.End()
	}
}

// ofOwnKind makes the instances of a store problems of somebody's own, called sack, that no session
// has the code of; own stands in what is kept of them.
func ofOwnKind(t *testing.T, path, own string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []string{
		`UPDATE instances SET name = 'sack', kind = 'own'`,
		`UPDATE instances SET ref = replace(replace(ref, '"rand-60-1"', '"sack"'), '"tsp"', '"own"')`,
		`UPDATE trace SET wall_s = iteration / 1000.0`, // "best" has times then
		`UPDATE instances SET ref = replace(ref, '"size":60', '"size":60,` + own + `')`,
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
}
