package exchange_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/exchange"
)

func TestLaTeX(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if _, err := exchange.LaTeX(t.Context(), made(t), "e", &b, nil); err != nil {
		t.Fatal(err)
	}
	want := `% Needs \usepackage{booktabs}.
\begin{tabular}{lrr}
\toprule
instance & acs/seq q0=0.5 & acs/seq q0=0.9 \\
\midrule
d198 & 1.20 & \textbf{0.95} \\
mine\_1 & 15970 & \textbf{15925} \\
\bottomrule
\end{tabular}
% Medians of the gaps in percent, of the best values where a best known one is unknown over 2 to ` +
		"3 seeds, 10 iterations each.\n"
	if got := b.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Columns of different objectives are not compared: none is bold.
func TestLaTeXObjectives(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	_, err := exchange.LaTeX(t.Context(), made(t), "e", &b, func(u *experiment.Unit) (string, bool) {
		if u.Instance.Name == "d198" {
			return "", true
		}
		return u.Label, true
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`d198 & 1.20 & \textbf{0.95} \\`, `mine\_1 & 15970 & 15925 \\`,
		"The columns of mine_1 are of different objectives",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// Units of one name on other data have lines of their own.
func TestLaTeXOtherData(t *testing.T) {
	t.Parallel()
	s := made(t)
	u, err := s.Row(t.Context(), "e", 1)
	if err != nil {
		t.Fatal(err)
	}
	more := u.Unit
	more.Instance.SHA256 = "ef0123456789"
	more.Key, _ = more.MakeKey()
	if _, err := s.Add(t.Context(), "e", experiment.Plan{}, []experiment.Unit{more}); err != nil {
		t.Fatal(err)
	}
	q, err := s.Queue(t.Context(), "e", false)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for {
		v, ok, err := q.Take(t.Context(), "cpu")
		if err != nil || !ok {
			break
		}
		if err := q.Finish(t.Context(), v, experiment.Result{Best: 7, Gap: 1}); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if _, err := exchange.LaTeX(t.Context(), s, "e", &b, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nd198 (ab) & 1.20 ", "\nd198 (ef01234567) & "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	dir := filepath.Join(t.TempDir(), "e")
	if _, err := exchange.IOHprofiler(t.Context(), s, "e", dir); err != nil {
		t.Fatal(err)
	}
	runs, err := exchange.ReadIOHprofiler(dir)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]int{}
	for _, r := range runs {
		of[r.Instance]++
	}
	if of["d198 (ab)"] != 5 || of["d198 (ef01234567)"] != 1 {
		t.Errorf("%v", of)
	}
}
