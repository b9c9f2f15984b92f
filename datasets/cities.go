package datasets

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// CityFields are the possible contents of a column in a table of cities.
var CityFields = []string{"name", "longitude", "latitude", "x", "y"}

// cityWords are the headings by which a column is known, in lower case.
var cityWords = map[string][]string{
	"name":      {"name", "city", "town", "place", "label"},
	"longitude": {"longitude", "lon", "lng", "long"},
	"latitude":  {"latitude", "lat"},
	"x":         {"x"},
	"y":         {"y"},
}

// A CityUnit is the unit of distances between cities that have a longitude and a latitude.
type CityUnit string

// The units of distances.
const (
	// Kilometres stands for whole kilometres on the Earth, by TSPLIB's rule GEO.
	Kilometres CityUnit = "km"
	// Metres stands for whole metres on a plane that touches the Earth in the middle of the cities, by
	// EUC_2D: for cities up to some hundred kilometres apart.
	Metres CityUnit = "m"
)

// ParseCityColumns parses a mapping of fields to columns, FIELD:COLUMN separated by commas, such as
// "name:Ort,longitude:Long".
func ParseCityColumns(text string) (map[string]string, error) {
	out := map[string]string{}
	if strings.TrimSpace(text) == "" {
		return out, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		field, column, ok := strings.Cut(strings.TrimSpace(part), ":")
		if !ok || column == "" || !slices.Contains(CityFields, field) {
			return nil, fmt.Errorf("datasets: columns has %q, want FIELD:COLUMN with a FIELD of %s",
				clip(part), strings.Join(CityFields, ", "))
		}
		if _, twice := out[field]; twice {
			return nil, fmt.Errorf("datasets: columns names the field %s twice", field)
		}
		out[field] = column
	}
	return out, nil
}

// ReadCities reads a table of cities: lines of values with commas, semicolons, tabs or | between
// them, as spreadsheets and data frames write CSV. The first line has the names of the columns.
// Cities have a longitude and a latitude in degrees, such as 8.54 and 47.38, or x and y, and may
// have a name. ReadCities ignores other columns. It finds columns called name (or city, town,
// place, label), longitude (lon, lng, long), latitude (lat), x and y by itself. columns names
// others, see ParseCityColumns.
//
// Distances of longitudes and latitudes are whole kilometres or, where unit says so, metres; those
// of x and y are rounded to whole units, by EUC_2D. Errors about the content are *SyntaxError, with
// line and column.
func ReadCities(r io.Reader, name string, columns map[string]string, unit CityUnit) (*TSP, error) {
	data, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	return parseCities(data, name, name, columns, unit)
}

// parseCities reads a table; file is named in errors.
func parseCities(
	data []byte, file, name string, columns map[string]string, unit CityUnit,
) (*TSP, error) {
	if err := stranger(data, file); err != nil {
		return nil, err
	}
	data = plainText(data)
	if err := notUTF8(data, file); err != nil {
		return nil, err
	}
	c := &cityTable{file: file}
	c.comma, data = commaOf(data)
	c.r = csv.NewReader(bytes.NewReader(data))
	c.r.Comma, c.r.ReuseRecord = c.comma, true
	if err := c.heading(columns); err != nil {
		return nil, err
	}
	if err := c.rows(); err != nil {
		return nil, err
	}
	return c.instance(name, unit)
}

// commaOf is what stands between the values: what the first line says, as sep=; of Excel, which is
// then left empty, or what it has most often.
func commaOf(data []byte) (rune, []byte) {
	line, rest, _ := bytes.Cut(data, []byte("\n"))
	if said, ok := bytes.CutPrefix(bytes.ToLower(bytes.TrimRight(line, "\r")), []byte("sep=")); ok &&
		len(said) == 1 && strings.ContainsRune(commas, rune(said[0])) {
		return rune(said[0]), append([]byte("\n"), rest...)
	}
	line, _, _ = bytes.Cut(bytes.TrimLeft(data, "\r\n"), []byte("\n"))
	best, most := ',', 0
	for _, r := range commas {
		if n := bytes.Count(line, []byte(string(r))); n > most {
			best, most = r, n
		}
	}
	return best, data
}

// commas can stand between values.
const commas = ",;\t|"

// A cityTable is a table that is being read.
type cityTable struct {
	file  string
	comma rune
	r     *csv.Reader
	at    map[string]int    // the column of a field, from 0
	title map[string]string // its heading
	line  int               // of the heading
	names []string
	x, y  []float64 // longitude and latitude, or x and y
}

// next is the next record; its error is a *SyntaxError or io.EOF.
func (c *cityTable) next() ([]string, error) {
	rec, err := c.r.Read()
	var p *csv.ParseError
	switch {
	case err == nil || err == io.EOF:
		return rec, err
	case errors.As(err, &p) && errors.Is(err, csv.ErrFieldCount):
		return nil, &SyntaxError{
			File: c.file, Line: p.Line,
			Want:  fmt.Sprintf("%d values, one for each column of the first line", c.r.FieldsPerRecord),
			Found: fmt.Sprint(len(rec)),
		}
	case errors.As(err, &p):
		return nil, &SyntaxError{
			File: c.file, Line: p.Line, Section: fmt.Sprintf("character %d", p.Column),
			Want:  `values in which quotes stand around the whole value and inside twice, as "a ""b"" c"`,
			Found: p.Err.Error(),
		}
	}
	return nil, fmt.Errorf("datasets: %s: %w", c.file, err)
}

// heading finds the columns.
func (c *cityTable) heading(columns map[string]string) error {
	first, err := c.next()
	if err == io.EOF {
		return &SyntaxError{File: c.file, Want: "a line with the names of the columns"}
	}
	if err != nil {
		return err
	}
	c.line, _ = c.r.FieldPos(0)
	have := slices.Clone(first)
	for i, h := range have {
		have[i] = strings.TrimSpace(h)
	}
	c.at, c.title = map[string]int{}, map[string]string{}
	for _, field := range CityFields {
		i, err := c.column(have, field, columns[field])
		if err != nil {
			return err
		}
		if i >= 0 {
			c.at[field], c.title[field] = i, have[i]
		}
	}
	_, lon := c.at["longitude"]
	_, lat := c.at["latitude"]
	_, x := c.at["x"]
	_, y := c.at["y"]
	if lon && lat && columns["x"] == "" && columns["y"] == "" || x && y {
		return nil
	}
	e := &SyntaxError{
		File: c.file, Line: c.line,
		Want: "columns longitude and latitude, or x and y (with other names: cities FILE " +
			"columns=longitude:NAME,latitude:NAME to places.csv, and open that)",
		Found: "“" + clip(strings.Join(have, string(c.comma))) + "”",
	}
	if c.square(have) {
		e.Found = "a table of distances: they go into a .tsp with EDGE_WEIGHT_TYPE EXPLICIT and " +
			"EDGE_WEIGHT_FORMAT FULL_MATRIX"
	}
	return e
}

// square tells whether the rows that follow are called as the columns.
func (c *cityTable) square(have []string) bool {
	for _, h := range have[1:] {
		rec, err := c.next()
		if err != nil || strings.TrimSpace(rec[0]) != h {
			return false
		}
	}
	return len(have) > 2
}

// column finds the column of a field: the named one, or one that is called so; -1: none.
func (c *cityTable) column(have []string, field, named string) (int, error) {
	found := -1
	for i, h := range have {
		is := h == named
		if named == "" {
			is = slices.Contains(cityWords[field], strings.ToLower(h))
		}
		if is && found >= 0 {
			return 0, &SyntaxError{
				File: c.file, Line: c.line,
				Want: fmt.Sprintf("one column for %s (columns=%s:NAME says which)", field, field),
				Found: fmt.Sprintf("“%s” in column %d and “%s” in column %d", clip(have[found]), found+1,
					clip(h), i+1),
			}
		}
		if is {
			found = i
		}
	}
	if found < 0 && named != "" {
		return 0, &SyntaxError{
			File: c.file, Line: c.line, Want: fmt.Sprintf("a column “%s” for %s", clip(named), field),
			Found: "“" + clip(strings.Join(have, string(c.comma))) + "”",
		}
	}
	return found, nil
}

// earth tells whether cities have longitudes and latitudes.
func (c *cityTable) earth() bool {
	_, x := c.at["x"]
	_, lon := c.at["longitude"]
	_, lat := c.at["latitude"]
	return lon && lat || !x
}

// rows reads the cities.
func (c *cityTable) rows() error {
	xs, ys := "x", "y"
	lowX, highX, lowY, highY := math.Inf(-1), math.Inf(1), math.Inf(-1), math.Inf(1)
	if c.earth() {
		xs, ys = "longitude", "latitude"
		lowX, highX, lowY, highY = -180, 180, -90, 90
	}
	name, named := c.at["name"]
	for {
		rec, err := c.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(rec, func(v string) bool { return strings.TrimSpace(v) != "" }) {
			continue // the empty rows below a table
		}
		x, err := c.number(rec, xs, lowX, highX)
		if err != nil {
			return err
		}
		y, err := c.number(rec, ys, lowY, highY)
		if err != nil {
			return err
		}
		c.x, c.y = append(c.x, x), append(c.y, y)
		if named {
			c.names = append(c.names, strings.Clone(strings.TrimSpace(rec[name])))
		}
	}
	if len(c.x) == 0 {
		return &SyntaxError{
			File: c.file, Line: c.line, Want: "a line for each city after the names of the columns",
			Found: "none",
		}
	}
	return nil
}

// number reads a value of a column. With other signs than commas between values, and of degrees
// in quotes, 47,38 is 47.38.
func (c *cityTable) number(rec []string, field string, low, high float64) (float64, error) {
	text := strings.TrimSpace(rec[c.at[field]])
	plain := text
	comma := strings.Count(text, ",") == 1 && !strings.Contains(text, ".")
	if comma && (c.comma != ',' || !math.IsInf(high, 0)) {
		plain = strings.Replace(text, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(plain, 64)
	if err == nil && v >= low && v <= high && !math.IsInf(v, 0) {
		return v + 0, nil
	}
	line, _ := c.r.FieldPos(c.at[field])
	want := "a number"
	if !math.IsInf(high, 0) {
		want = fmt.Sprintf("degrees from %g to %g, as 7.45", low, high)
	} else if comma {
		want = "a number with a point, as 7.45, and no comma"
	}
	return 0, &SyntaxError{
		File: c.file, Line: line,
		Section: fmt.Sprintf("column %d (%s)", c.at[field]+1, clip(c.title[field])),
		Want:    want, Found: "“" + clip(text) + "”",
	}
}

// acrossDateLine returns longitudes of which those in the west follow those in the east where the
// cities lie closer together so, as around Fiji.
func acrossDateLine(lon []float64) []float64 {
	turned := slices.Clone(lon)
	for i, v := range turned {
		if v < 0 {
			turned[i] = v + 360
		}
	}
	span := func(v []float64) float64 { return slices.Max(v) - slices.Min(v) }
	if span(turned) < span(lon) {
		return turned
	}
	return lon
}

// WriteCities writes cities as a table that ReadCities reads: names, and longitude and latitude of
// an instance of TSPLIB's rule GEO, else x and y.
func WriteCities(w io.Writer, t *TSP) error {
	if !t.Coordinates() || t.Metric != Geo && t.Metric != Euc2D {
		return fmt.Errorf("datasets: %s has no places that a table could hold: its distances are %s, "+
			"want GEO or EUC_2D", t.Name(), t.Metric)
	}
	b := csv.NewWriter(w)
	heading := []string{"x", "y"}
	if t.Metric == Geo {
		heading = []string{"longitude", "latitude"}
	}
	if t.Names != nil {
		heading = append([]string{"name"}, heading...)
	}
	err := b.Write(heading)
	for i := range t.N {
		var row []string
		if t.Names != nil {
			row = append(row, t.Names[i])
		}
		if t.Metric == Geo {
			row = append(row, degrees(t.Y[i]), degrees(t.X[i]))
		} else {
			row = append(row, string(appendFloat(nil, t.X[i])), string(appendFloat(nil, t.Y[i])))
		}
		err = errors.Join(err, b.Write(row))
	}
	b.Flush()
	if err = errors.Join(err, b.Error()); err != nil {
		return fmt.Errorf("datasets: write %s: %w", t.Name(), err)
	}
	return nil
}

// degrees turns DDD.MM into degrees, to a tenth of a millimetre.
func degrees(v float64) string {
	deg := math.Trunc(v)
	s := strconv.FormatFloat(deg+(v-deg)/0.6, 'f', 9, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
