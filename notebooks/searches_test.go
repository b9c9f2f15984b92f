package notebooks_test

import (
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
			"✓ holds: the speed-up of the H200 against a core grows with the number of tours",
		},
		"12_neighbourhood_search.ipynb": {
			"numbers that are not mapped there and back: 0", "96 configurations",
			"✓ holds: on an H200 the reduction on the device gains",
			"✓ holds: as published for pairs on a GTX 280, the reduction gains",
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
	}
}
