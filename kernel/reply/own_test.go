package reply_test

import (
	"errors"
	"image"
	"io"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"

	"metalab/kernel/reply"
)

// Values of a program's own: pictures, tables with a limit, and what is printed.
func TestOf(t *testing.T) {
	t.Parallel()
	p := plot.New()
	p.Title.Text = "my own"
	for name, v := range map[string]any{
		"image": image.NewRGBA(image.Rect(0, 0, 30, 20)), "plot": p,
	} {
		r, ok := reply.Of(v)
		pic, is := r.(*reply.PlotReply)
		if !ok || !is || pic.Mime != "image/png" || len(pic.Data) < 50 || pic.Wide < 30 {
			t.Errorf("%s: %v %T", name, ok, r)
		}
	}
	type row struct {
		Name string
		Gap  float64
	}
	many := make([]row, 10000)
	for name, c := range map[string]struct {
		v    any
		text string
	}{
		"structs": {
			[]row{{"acs", 1.5}, {"ils", 12.25}},
			"Name    Gap\nacs     1.5\nils   12.25",
		},
		"pointers": {[]*row{{"a", 1}}, "Name  Gap\na       1"},
		"strings":  {[][]string{{"a", "<b>"}, {"ccc"}}, "a    <b>\nccc"},
		"numbers":  {[][]float64{{1, 22}, {333, 4}}, "  1  22\n333   4"},
		"a map":    {map[string]int{"b": 2, "a": 10}, "a  10\nb   2"},
		"by number": {
			map[int]string{10: "x", 9: "y"}, " 9  y\n10  x",
		},
	} {
		r, ok := reply.Of(c.v)
		if !ok || r.String() != c.text {
			t.Errorf("%s: %v\n%v\nwant\n%s", name, ok, r, c.text)
		}
		if ok && (strings.Contains(r.HTML(), "<b>") || !strings.Contains(r.HTML(), "<table>")) {
			t.Errorf("%s: %s", name, r.HTML())
		}
	}
	r, _ := reply.Of(many)
	if s := r.String(); !strings.HasSuffix(s, "\n50 of 10000 rows") {
		t.Errorf("many rows end with %s", s[len(s)-40:])
	}
	if s := r.HTML(); !strings.Contains(s, "50 of 10000 rows") || !strings.Contains(s,
		`<td style="text-align:right">0</td>`) {
		t.Error("many rows as HTML")
	}
	for _, v := range []any{
		nil, 1, "text", time.Second, io.EOF, errors.New("x"),
		[]int{1},
		[]row{},
		map[string]int{},
		(*row)(nil),
		row{},
		[]time.Time{{}},
		(*image.RGBA)(nil), (*plot.Plot)(nil),
		[][]int{},
		[]struct{ a int }{{1}},
	} {
		if r, ok := reply.Of(v); ok {
			t.Errorf("%T is shown as %v", v, r)
		}
	}
}
