package figures

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cells are the rows of a file of this folder, or of those that bench keeps, without its head.
func cells(t *testing.T, file string) [][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n\n")
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		row := strings.Split(line, "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		rows = append(rows, row)
	}
	return rows
}

// of are the cells of a column in the rows that begin with one of the words.
func of(rows [][]string, column int, words ...string) (out []string) {
	for _, row := range rows {
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(row[0], w) }) {
			out = append(out, row[column])
		}
	}
	return out
}

func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// span is "least to greatest" of cells as they are written.
func span(all []string) string {
	all = slices.SortedFunc(slices.Values(all), func(a, b string) int {
		return int(math.Copysign(1, number(a)-number(b)))
	})
	if len(all) == 0 {
		return "none"
	}
	return all[0] + " to " + all[len(all)-1]
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	if len(v) == 0 {
		return math.NaN()
	}
	return (v[len(v)/2] + v[(len(v)-1)/2]) / 2
}

// linkern are the figures of ils-test that the page of benchmarks tells, and README's row of them.
func linkern(rows [][]string) (said []string, front string) {
	ratios := map[bool][]float64{}
	shorter, equal, longer, own := 0, 0, 0, 0
	for _, row := range rows {
		ils, peer, first, peerFirst := number(row[4]), number(row[5]), number(row[2]), number(row[3])
		mark := strings.HasSuffix(row[1], "*")
		if mark {
			own++
		}
		switch {
		case ils < peer:
			shorter++
		case ils == peer:
			equal++
		}
		if first > peerFirst {
			longer++
		}
		if peer > 0 {
			ratios[mark] = append(ratios[mark], ils/peer)
		}
	}
	said = []string{
		fmt.Sprintf("shorter than that of Concorde's linkern on %d of %d instances of five kinds, and "+
			"as long on %d. After 1 s it was longer on %d.", shorter, len(rows), equal, longer),
		fmt.Sprintf("On %d instances that tour comes from elsewhere; there the distance of `ils` was "+
			"%.2f of linkern's", len(rows)-own, median(ratios[false])),
		fmt.Sprintf("On the other %d it is the shortest of all runs of that day; there the distance was "+
			"%.2f of linkern's", own, median(ratios[true])),
	}
	return said, fmt.Sprintf("after 10 s shorter than Concorde's linkern on %d and as long on %d, "+
		"after 1 s longer on %d; medians of three seeds, no test", shorter, equal, longer)
}

// kept are the figures of a row that bench keeps, by its instance and the beginning of what it is.
func kept(rows [][]string, instance, what string) []float64 {
	for _, row := range rows {
		if row[2] == instance && strings.HasPrefix(row[1], what) {
			var out []float64
			for _, f := range strings.Fields(row[6]) {
				out = append(out, number(f))
			}
			return out
		}
	}
	return nil
}

// The sentences of the page of benchmarks say what the kept rows say.
func TestSentences(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(text)), " ")
	say, front := linkern(cells(t, "ils-test.txt"))

	ants := cells(t, "ants-gpu-gap.txt")
	first := func(i, field, column int) string { return strings.Fields(ants[i][column])[field] }
	say = append(say,
		fmt.Sprintf("took %s, %s and %s s to the gaps of 0.2, 0.43 and 0.48 %%", first(0, 0, 1),
			first(0, 0, 2), first(0, 0, 3)),
		fmt.Sprintf("had %s, %s and %s %% after %s, %s and %s s", first(2, 0, 1), first(2, 0, 2),
			first(2, 0, 3), first(2, 3, 1), first(2, 3, 2), first(2, 3, 3)))

	pools := cells(t, "ils-pools-gpu.txt")
	six := []string{"xqc2175", "rl5934", "C10k.0", "brd14051", "E10k.0", "d15112"}
	small := append(six, "E10k.1", "V10k.0", "C10k.1", "E3k.1", "C3k.1", "usa13509", "d18512",
		"fl3795")
	large := []string{
		"E31k", "V31k", "C31k", "pla", "V100k", "E100k", "bbz25234",
	}
	say = append(say,
		fmt.Sprintf("It kept %s of them busy up to 18,512 cities, %s above", span(of(pools, 6, small...)),
			span(of(pools, 6, large...))),
		fmt.Sprintf("%s %% above that of `rl5934`", span(of(pools, 3, "rl5934"))),
		fmt.Sprintf("%s %% above those of `E10k.0` and `d15112`", span(of(pools, 5, "E10k.0", "d15112"))),
		fmt.Sprintf("%s %% above that of `bbz25234`", span(of(pools, 5, "bbz25234"))),
		fmt.Sprintf("%s %% above that of `pla85900`", of(pools, 5, "pla85900")[0]),
		fmt.Sprintf("at %s %% on the first six, at %s %% and at %s %%", span(of(pools, 1, six...)),
			span(of(pools, 1, "bbz25234")), of(pools, 1, "pla85900")[0]))
	for _, at := range append(of(pools, 3, "xqc2175"), of(pools, 5, "C10k.0", "brd14051")...) {
		if at != "0" {
			t.Errorf("the page says that ils/pools is at an optimum where a row has %s", at)
		}
	}

	eax := cells(t, "eax-gpu-optimum.txt")
	say = append(say, fmt.Sprintf("`fnl4461` after %s s (five seeds of five), and at that of "+
		"`usa13509` after %s s", span(of(eax, 4, "fnl4461")), of(eax, 4, "usa13509")[0]))

	gpu := cells(t, "../measured/tours-gpu.txt")
	at := func(instance, what string) float64 { return median(kept(gpu, instance, what)) }
	say = append(say, fmt.Sprintf("%.2f and %.2f %% above the best known tours of `E100k.0` and "+
		"`E1M.0` after ten seconds and %.2f and %.2f %% after a minute", at("E100k.0", "gap after 10 s"),
		at("E1M.0", "gap after 10 s"), at("E100k.0", "gap after 60 s"), at("E1M.0", "gap after 60 s")))
	million := of(cells(t, "ils-tiles-million.txt"), 4, "250", "1000")
	whole := func(s string) float64 { return number(strings.ReplaceAll(s, ",", "")) }
	say = append(say, fmt.Sprintf("`E10M.1` is %s long after a minute, %.2f %% shorter", million[3],
		100*(1-whole(million[3])/whole(million[0]))))

	tabu := cells(t, "../measured/tabu-gpu.txt")
	scans := func(instance string) float64 {
		return median(kept(tabu, instance, "scans a second")) / 1e6
	}
	gap := func(instance string) []float64 { return kept(tabu, instance, "gap after 10 s") }
	say = append(say,
		fmt.Sprintf("make %.0f million scans a second of `kra30b` over all, on an H100 %.1f million of "+
			"`tai100a`", scans("kra30b"), scans("tai100a")),
		fmt.Sprintf("%.3f and %.3f %% above the best known values of `tai100a` and `tai80a`",
			median(gap("tai100a")), median(gap("tai80a"))))
	for instance, want := range map[string]int{"tai50a": 2, "bur26a": 3, "kra30b": 3, "ste36a": 3} {
		zero := slices.DeleteFunc(gap(instance), func(v float64) bool { return v != 0 })
		if len(zero) != want {
			t.Errorf("%s: the page says %d seeds at the best known value, the rows %d", instance, want,
				len(zero))
		}
	}
	for _, s := range say {
		if !strings.Contains(page, s) {
			t.Errorf("the page does not say what its rows say: %q", s)
		}
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		front,
		fmt.Sprintf("the optimum after %s s, five seeds of five", span(of(eax, 4, "fnl4461"))),
		fmt.Sprintf("%.3f %% above the best known value after 10 s, median of three seeds",
			median(gap("tai100a"))),
	} {
		if !strings.Contains(string(readme), s) {
			t.Errorf("README's table does not say what its rows say: %q", s)
		}
	}
}

// What the page of benchmarks quotes of a table's notes stands in them.
func TestNotes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(text)), " ")
	for file, figures := range map[string][]string{
		"ils-tiles-million": {".345", ".168", "2,257,887,342", ".226 %", "6.2 GB"},
		"ils-pools-several": {".125", "18.3", ".067"},
	} {
		own, err := os.ReadFile(file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range figures {
			if !strings.Contains(page, f) || !strings.Contains(string(own), f) {
				t.Errorf("%s stands in the page or in %s, and not in both", f, file)
			}
		}
	}
}
