package reply

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"reflect"
	"slices"
	"strings"
)

// ownRows is how many rows of a table of one's own are shown.
const ownRows = 50

// Of returns how a notebook shows a value that is no result of lab: an image, and a plot of gonum,
// as a picture; a slice of structs, a slice of slices and a map as a table of at most 50 rows. It
// reports false for all else, which is printed, as is what has a text of its own.
func Of(v any) (Reply, bool) {
	x := reflect.ValueOf(v)
	if !x.IsValid() || x.Kind() == reflect.Pointer && x.IsNil() {
		return nil, false
	}
	if img, ok := v.(image.Image); ok {
		var b bytes.Buffer
		if png.Encode(&b, img) != nil { // it has no pixels, say
			return nil, false
		}
		return pictureOf("an image", b.Bytes(), img.Bounds().Dx(), img.Bounds().Dy()), true
	}
	if r, ok := plotOf(x); ok {
		return r, true
	}
	switch v.(type) {
	case fmt.Stringer, error, fmt.Formatter:
		return nil, false
	}
	t, ok := tableOf(x)
	return t, ok
}

// pictureOf is a PNG as a reply.
func pictureOf(words string, data []byte, wide, high int) *PlotReply {
	return &PlotReply{
		Figure: words, Mime: "image/png", Data: data, Wide: wide, High: high, Words: words,
	}
}

// plotOf draws a plot.Plot of gonum, of 6 by 4 inches. It knows it by its method, so that no cell
// links what draws plots on behalf of this package.
func plotOf(x reflect.Value) (r *PlotReply, ok bool) {
	m := x.MethodByName("WriterTo")
	if !m.IsValid() || !strings.HasPrefix(x.Type().String(), "*plot.") {
		return nil, false
	}
	t := m.Type()
	if t.NumIn() != 3 || t.NumOut() != 2 || t.In(0).Kind() != reflect.Float64 ||
		t.In(1) != t.In(0) || t.In(2).Kind() != reflect.String {
		return nil, false
	}
	const point = 72 // an inch
	length := func(inches float64) reflect.Value {
		return reflect.ValueOf(inches * point).Convert(t.In(0))
	}
	out := m.Call([]reflect.Value{length(6), length(4), reflect.ValueOf("png")})
	w, is := out[0].Interface().(io.WriterTo)
	if !is || !out[1].IsNil() {
		return nil, false
	}
	var b bytes.Buffer
	if _, err := w.WriteTo(&b); err != nil {
		return nil, false
	}
	size, err := png.DecodeConfig(bytes.NewReader(b.Bytes()))
	if err != nil {
		return nil, false
	}
	return pictureOf("a plot", b.Bytes(), size.Width, size.Height), true
}

// An OwnTable is a table of a program's own values.
type OwnTable struct {
	Head []string   `json:"head,omitempty"`
	Rows [][]string `json:"rows"`
	Of   int        `json:"of"` // the number of all rows

	number []bool // columns that hold numbers
}

// tableOf makes a table of a slice of structs or slices, or of a map.
func tableOf(x reflect.Value) (*OwnTable, bool) {
	t := &OwnTable{}
	switch x.Kind() {
	case reflect.Map:
		keys := x.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int {
			if a.CanFloat() && b.CanFloat() {
				return int(min(1, max(-1, a.Float()-b.Float())))
			}
			if a.CanInt() && b.CanInt() {
				return int(min(1, max(-1, a.Int()-b.Int())))
			}
			return strings.Compare(cell(a), cell(b))
		})
		t.Of = len(keys)
		for _, k := range keys[:min(t.Of, ownRows)] {
			t.add(k, x.MapIndex(k))
		}
		return t, t.Of > 0
	case reflect.Slice, reflect.Array:
	default:
		return nil, false
	}
	t.Of = x.Len()
	elem := x.Type().Elem()
	for i := range min(t.Of, ownRows) {
		row := x.Index(i)
		if row.Kind() == reflect.Pointer && !row.IsNil() {
			row = row.Elem()
		}
		var cells []reflect.Value
		switch {
		case row.Kind() == reflect.Struct && !row.CanInterface():
			return nil, false
		case row.Kind() == reflect.Struct:
			if _, ok := row.Interface().(fmt.Stringer); ok {
				return nil, false
			}
			for k := range row.NumField() {
				if !row.Type().Field(k).IsExported() {
					return nil, false
				}
				if i == 0 {
					t.Head = append(t.Head, row.Type().Field(k).Name)
				}
				cells = append(cells, row.Field(k))
			}
		case row.Kind() == reflect.Slice && elem.Kind() == reflect.Slice:
			for k := range row.Len() {
				cells = append(cells, row.Index(k))
			}
		default:
			return nil, false
		}
		t.add(cells...)
	}
	return t, len(t.Rows) > 0
}

// add adds a row.
func (t *OwnTable) add(cells ...reflect.Value) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = cell(c)
		if i >= len(t.number) {
			t.number = append(t.number, true)
		}
		t.number[i] = t.number[i] && (c.CanInt() || c.CanUint() || c.CanFloat())
	}
	t.Rows = append(t.Rows, row)
}

// cell is the text of a value.
func cell(v reflect.Value) string {
	const most = 80
	s := []rune(Printable(fmt.Sprint(v)))
	if len(s) > most {
		return string(s[:most-1]) + "…"
	}
	return string(s)
}

// more says how many rows are not shown; empty: none.
func (t *OwnTable) more() string {
	if len(t.Rows) == t.Of {
		return ""
	}
	return fmt.Sprintf("%d of %d rows", len(t.Rows), t.Of)
}

// String is the table in columns, numbers to the right.
func (t *OwnTable) String() string {
	rows := t.Rows
	if t.Head != nil {
		rows = append([][]string{t.Head}, rows...)
	}
	wide := make([]int, len(t.number))
	for _, r := range rows {
		for i, c := range r {
			wide[i] = max(wide[i], len([]rune(c)))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		var line strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", wide[i]-len([]rune(c)))
			if t.number[i] {
				c = pad + c
			} else {
				c += pad
			}
			line.WriteString(c + "  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return strings.TrimRight(b.String()+t.more(), "\n")
}

// HTML is the table, numbers to the right.
func (t *OwnTable) HTML() string {
	var b strings.Builder
	b.WriteString("<table>")
	row := func(kind string, cells []string) {
		b.WriteString("<tr>")
		for i, c := range cells {
			side := "left"
			if t.number[i] {
				side = "right"
			}
			fmt.Fprintf(&b, `<%s style="text-align:%s">%s</%s>`, kind, side, Escape(c), kind)
		}
		b.WriteString("</tr>")
	}
	if t.Head != nil {
		row("th", t.Head)
	}
	for _, r := range t.Rows {
		row("td", r)
	}
	b.WriteString("</table>")
	if s := t.more(); s != "" {
		b.WriteString("<div>" + s + "</div>")
	}
	return b.String()
}
