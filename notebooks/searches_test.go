package notebooks_test

import (
	"regexp"
	"strings"
	"testing"
)

// What the notebooks of three papers sum up is what their cells show: the verdicts on the claims,
// and a record that replays.
func TestSearchesOfPapers(t *testing.T) {
	t.Parallel()
	for path, wants := range map[string][]string{
		"10_tour_local_search.ipynb": {
			"✓ holds: 3-opt has smaller gaps than 2-opt", "✓ holds: n kicks have smaller gaps than 0.1 n",
			"✓ holds: there 10 n kicks have smaller gaps than n", "✓ holds: n kicks end lower than 0.1 n",
			"✓ holds: the speed-up grows with the number of cities", "5785 blocks of 128",
		},
		"11_constructive_crossovers.ipynb": {
			"? is not shown: 150 generations on from local minima, ARX is ahead of BCSCX",
			"✓ holds: from local minima of 662 cities ARX is ahead",
			"? is not shown: bcscx: eight groups are ahead of one",
			"✗ does not hold: arx: eight groups are ahead of one",
			"✓ holds: of the same cities and groups, the H100 gains more on a core with 2048 tours",
		},
		"12_neighbourhood_search.ipynb": {
			"numbers that are not mapped there and back: 0", "96 configurations",
			"✓ holds: on an H200 the reduction on the device gains",
			"which nobody measured here, it holds: for pairs on a GTX 280 the reduction gains",
			"✓ holds: after 60 iterations: the larger the neighbourhood",
			"? is not shown: with as many neighbours looked at",
		},
	} {
		all := ""
		for _, c := range read(t, path) {
			if c.Type == "code" {
				all += c.text()
			}
		}
		for _, want := range append(wants, "identical: true") {
			if !strings.Contains(all, want) {
				t.Errorf("%s does not show %q", path, want)
			}
		}
	}
}

var (
	sentenceEnd = regexp.MustCompile(`\.(\s|$)`)
	// A card of a claim about published figures has a head of its own.
	holdsOnPaper = regexp.MustCompile(`^✓.*\bpublished\b`)
)

// The notebook of a paper opens with what was found: in three sentences, a picture, and what each
// table shows for who asks for it.
func TestPapersOpenWithTheResult(t *testing.T) {
	t.Parallel()
	for path, paper := range map[string]string{
		"08_mmas_on_gpus.ipynb": "mmas", "09_acs_on_gpus.ipynb": "acs",
		"10_tour_local_search.ipynb": "fosin", "11_constructive_crossovers.ipynb": "kang",
		"12_neighbourhood_search.ipynb": "luong",
	} {
		cells := read(t, path)
		if !strings.Contains(strings.Join(cells[0].Source, ""), "**In short.**") {
			t.Errorf("%s does not open with the result", path)
		}
		if !strings.Contains(strings.Join(cells[1].Source, ""), `lab.Glance("`+paper+`")`) ||
			len(cells[1].Outputs) != 1 {
			t.Fatalf("%s: the second cell is %q", path, cells[1].Source)
		}
		html := strings.Join(cells[1].Outputs[0].Data["text/html"], "")
		picture, table := strings.Index(html, "<img "), strings.Index(html, "<details>")
		if picture != 0 || table < 0 || !strings.Contains(html[table:], "of what was measured here") {
			t.Errorf("%s: its second cell shows %.200s", path, html)
		}
		// Three sentences, and one of what is below.
		_, short, _ := strings.Cut(strings.Join(cells[0].Source, ""), "**In short.** ")
		if n := len(sentenceEnd.FindAllString(short, -1)); n != 4 {
			t.Errorf("%s tells its result in %d sentences: %s", path, n, short)
		}
		for _, c := range cells {
			if c.Type != "code" {
				continue
			}
			for _, o := range c.Outputs {
				html := strings.Join(o.Data["text/html"], "")
				if strings.HasPrefix(html, "<div>") && strings.Contains(html, "measured (medians)") {
					t.Errorf("%s: a table of the paper is not folded: %.150s", path, html)
				}
				if text := strings.Join(o.Data["text/plain"], ""); holdsOnPaper.MatchString(text) {
					t.Errorf("%s counts what was published as found here: %.150s", path, text)
				}
			}
		}
	}
}
