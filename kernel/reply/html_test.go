package reply

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

const hostile = `<script>"&'` + "\x1b"

// wellFormed reads HTML that is XML too, as all of ours is.
func wellFormed(s string) error {
	d := xml.NewDecoder(strings.NewReader("<x>" + s + "</x>"))
	d.Strict = true
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Columns of numbers are set to the right.
func TestTableAligns(t *testing.T) {
	t.Parallel()
	h := htmlTable([][]string{{"name", "value"}, {"a", "-1.5"}, {"b", "-"}, {"c", "12 ms"}})
	if strings.Count(h, "text-align:right") != 4 || strings.Count(h, "text-align:left") != 4 {
		t.Errorf("%s", h)
	}
}

func TestLeader(t *testing.T) {
	t.Parallel()
	side := func(best Num, seeds int, median Num) Side {
		return Side{
			Status: Status{Instance: "x", Best: best}, Seeds: seeds,
			Budget: map[bool]string{true: "1 s"}[seeds > 1], BestQ: Quartiles{Median: median},
		}
	}
	for name, c := range map[string]struct {
		sides []Side
		want  int
	}{
		"none":          {nil, -1},
		"by best":       {[]Side{side(3, 1, 0), side(2, 1, 0)}, 1},
		"by median":     {[]Side{side(3, 5, 4), side(2, 5, 5)}, 0},
		"shared":        {[]Side{side(3, 1, 0), side(3, 1, 0)}, -1},
		"other seeds":   {[]Side{side(3, 1, 0), side(2, 5, 2)}, -1},
		"nothing known": {[]Side{side(Num(math.NaN()), 1, 0), side(2, 1, 0)}, -1},
	} {
		if got := (&CompareReply{Sides: c.sides}).leader(); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// A small curve is a small picture: of one point nothing, of many no more than of its columns,
// with a mark for a change within it.
func TestCurve(t *testing.T) {
	t.Parallel()
	if Curve(nil, nil, 1, "") != "" || Curve([]Point{{Iter: 1, Best: 5}}, nil, 1, "") != "" {
		t.Error("a curve of nothing")
	}
	ps := make([]Point, 20_000)
	for i := range ps {
		ps[i] = Point{
			Iter: int64(i + 1), Best: Num(1000 + 1e6/float64(i+1)),
			IterBest: Num(2000 + 1e6/float64(i+1)),
		}
	}
	for _, optimum := range []Num{990, Num(math.NaN()), 0, 2000} {
		h := Curve(ps, []int64{100, 30_000}, optimum, hostile)
		if len(h) > 12_000 {
			t.Errorf("optimum %v: %d bytes", optimum, len(h))
		}
		_, data, _ := strings.Cut(h, "base64,")
		data, _, _ = strings.Cut(data, `"`)
		svg, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := wellFormed(string(svg)); err != nil {
			t.Error(err)
		}
		if n := bytes.Count(svg, []byte(curveSet)); n != 1 {
			t.Errorf("%d changes are marked, want 1", n)
		}
		if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
			t.Errorf("%s", svg)
		}
	}
	level := Curve([]Point{
		{Iter: 1, Best: 5, IterBest: Num(math.NaN())},
		{Iter: 9, Best: 5, IterBest: 6},
	}, nil, 5, "")
	if level == "" {
		t.Error("no curve of a run that does not improve")
	}
}
