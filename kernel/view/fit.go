package view

import (
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"metalab/kernel/view/cells"
)

// smallest is the size of letters below which a title is cut instead of made smaller.
const smallest = 8

// fit makes the title of p fit into a width: in lines broken at commas, in smaller letters,
// or cut.
func fit(p *plot.Plot, width vg.Length) {
	style := &p.Title.TextStyle
	for _, size := range [...]vg.Length{style.Font.Size, 9.5, smallest} {
		if size > style.Font.Size {
			continue
		}
		style.Font.Size = size
		p.Title.Text = broken(*style, p.Title.Text, width)
		if style.Width(p.Title.Text) <= width {
			return
		}
		if style.Font == cells.Font() {
			break
		}
	}
	lines := strings.Split(p.Title.Text, "\n")
	for i, l := range lines {
		lines[i] = cut(*style, l, width)
	}
	p.Title.Text = strings.Join(lines, "\n")
}

// broken breaks a title that is wider than so much into two lines at the comma or the colon
// nearest to the right end of what fits.
func broken(s text.Style, title string, width vg.Length) string {
	if strings.Contains(title, "\n") || s.Width(title) <= width {
		return title
	}
	at := -1
	for i := range title {
		if i > 0 && title[i] == ' ' && strings.ContainsRune(",:", rune(title[i-1])) &&
			s.Width(title[:i]) <= width {
			at = i
		}
	}
	if at < 0 {
		return title
	}
	return title[:at] + "\n" + title[at+1:]
}

// cut shortens a line that is wider than so much.
func cut(s text.Style, line string, width vg.Length) string {
	if s.Width(line) <= width {
		return line
	}
	r := []rune(line)
	for len(r) > 0 && s.Width(string(r)+"…") > width {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}
