package datasets

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ReadTSP reads an instance in the format of TSPLIB95, TYPE TSP or ATSP.
//
// It accepts the variations of real files: sections and keywords in any order and in small letters
// too, "KEY:value" and "KEY : value", colons after section names, any line ends, trailing blanks,
// numbers in scientific notation, a missing EOF. It reads all weight types but SPECIAL, and all
// matrix formats. name appears in errors and, when not empty, is the instance's name; the file's
// NAME becomes its Title. It ignores other keywords, and [Notes] lists them with their lines.
//
// Errors about the content are *SyntaxError. Memory stays in proportion to the bytes read, whatever
// the file announces.
//
// Source: G. Reinelt, TSPLIB 95, University of Heidelberg, 1995.
func ReadTSP(r io.Reader, name string) (*TSP, error) {
	data, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	file := name
	if file == "" {
		file = "TSPLIB input"
	}
	return parseTSP(data, file, name)
}

// parseTSP reads an instance from data; file is named in errors.
func parseTSP(data []byte, file, name string) (*TSP, error) {
	if err := stranger(data, file); err != nil {
		return nil, err
	}
	p := &tsplib{scanner: newScanner(file, data)}
	if err := p.outline(); err != nil {
		return nil, err
	}
	t, err := p.instance()
	if err != nil {
		return nil, err
	}
	t.name = name
	return t, nil
}

// tsplib reads a file in two passes, because sections may come before the
// keywords that say how to read them: the outline first, then the sections.
type tsplib struct {
	scanner
	keys     map[string]entry
	sections map[string]span
	comments []string
}

// entry is the value of a keyword and where it stands.
type entry struct {
	value string
	at    int
}

// span is where a section's data lie; its heading is on the line before.
type span struct{ start, end, heading int }

// knownSections are the sections of TSPLIB95. Those of other problems are
// recognised, so that the error can be about TYPE.
var knownSections = map[string]bool{
	"NODE_COORD_SECTION": true, "EDGE_WEIGHT_SECTION": true, "DISPLAY_DATA_SECTION": true,
	"FIXED_EDGES_SECTION": true, "TOUR_SECTION": true, "EDGE_DATA_SECTION": true,
	"DEPOT_SECTION": true, "DEMAND_SECTION": true,
}

// outline finds the keywords and the extent of each section.
func (p *tsplib) outline() error {
	p.keys, p.sections = map[string]entry{}, map[string]span{}
	open := "" // the section that the current line belongs to
	for p.pos < p.end {
		line, at := p.line()
		line = trim(line)
		if len(line) == 0 {
			continue
		}
		if c := line[0]; c-'0' < 10 || c == '-' || c == '+' || c == '.' {
			if open == "" {
				return p.errorf(at+lead(p.data[at:]), "a keyword or a section before numbers")
			}
			continue
		}
		word, value, colon := cutKey(line)
		if big := strings.ToUpper(word); colon && knownKeys[big] || knownSections[big] || big == "EOF" {
			word = big
		}
		if open != "" {
			sec := p.sections[open]
			sec.end = at
			p.sections[open] = sec
		}
		at += lead(p.data[at:])
		switch {
		case word == "EOF":
			return nil
		case knownSections[word] && value == "":
			if _, twice := p.sections[word]; twice {
				return p.errorf(at, "each section once")
			}
			p.sections[word] = span{start: p.pos, end: p.end, heading: at}
			open = word
		case !colon && !knownKeys[word]:
			p.section = open
			if open != "" {
				return p.errorf(at, "a number, a keyword or EOF%s", nearKey(word))
			}
			return p.errorf(at, "KEYWORD : value, a section or EOF%s", nearKey(word))
		case word == "COMMENT":
			p.comments = append(p.comments, value)
			open = ""
		default:
			if old, twice := p.keys[word]; twice && old.value != value {
				return p.errorf(at, "%s once (it was %s before)", clip(word), clip(old.value))
			}
			p.keys[word] = entry{value, at}
			open = ""
		}
	}
	return nil
}

// knownKeys may stand before their value without a colon. Other words need the colon; otherwise any
// text would look like a keyword.
var knownKeys = map[string]bool{
	"NAME": true, "TYPE": true, "COMMENT": true, "DIMENSION": true, "CAPACITY": true,
	"EDGE_WEIGHT_TYPE": true, "EDGE_WEIGHT_FORMAT": true, "EDGE_DATA_FORMAT": true,
	"NODE_COORD_TYPE": true, "DISPLAY_DATA_TYPE": true,
}

// lead returns how much white space b starts with.
func lead(b []byte) int {
	n := 0
	for n < len(b) && isSpace(b[n]) {
		n++
	}
	return n
}

// trim takes white space off both ends of b.
func trim(b []byte) []byte {
	b = b[lead(b):]
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// cutKey splits a line into keyword and value at its colon or first blank.
func cutKey(line []byte) (word, value string, colon bool) {
	n := bytes.IndexAny(line, ": \t")
	if n < 0 {
		return string(line), "", false
	}
	rest := bytes.TrimLeft(line[n:], " \t")
	if len(rest) > 0 && rest[0] == ':' {
		rest, colon = rest[1:], true
	}
	return string(line[:n]), strings.TrimSpace(string(rest)), colon
}

// keyError is about the value of a keyword, or its absence.
func (p *tsplib) keyError(key, want string, args ...any) *SyntaxError {
	e := &SyntaxError{File: p.file, Section: key, Want: fmt.Sprintf(want, args...)}
	if k, ok := p.keys[key]; ok {
		e.Line, e.Found = lineAt(p.data, k.at), "“"+clip(k.value)+"”"
	} else {
		e.Found = "no such keyword"
		for _, u := range p.unread() {
			if slices.Contains(nearKeys(u.Word), key) {
				e.Line, e.Found = u.Line, "“"+clip(u.Word)+"”"
			}
		}
	}
	return e
}

// enter makes the scanner read the section, if there is one.
func (p *tsplib) enter(section string) (found bool) {
	s, ok := p.sections[section]
	p.section, p.pos, p.end = section, s.start, s.end
	return ok
}

// dimension reads DIMENSION, at most most.
func (p *tsplib) dimension(most int64) (int, error) {
	n, err := strconv.ParseInt(p.keys["DIMENSION"].value, 10, 64)
	if err != nil || n < 1 || n > most {
		return 0, p.keyError("DIMENSION", "a number of cities from 1 to %d", most)
	}
	return int(n), nil
}

// value returns the first word of a keyword's value, as in "TSP (M. Hofmeister)".
func (p *tsplib) value(key string) string {
	w, _, _ := strings.Cut(p.keys[key].value, " ")
	w, _, _ = strings.Cut(w, "\t")
	return strings.ToUpper(w)
}

// instance reads what the outline found.
func (p *tsplib) instance() (*TSP, error) {
	t := &TSP{
		Title: inUTF8(p.keys["NAME"].value), Comment: inUTF8(strings.Join(p.comments, "\n")),
		unread: p.unread(),
	}
	switch typ := p.value("TYPE"); typ {
	case "TSP":
	case "ATSP":
		t.Asymmetric = true
	case "":
		if _, empty := p.keys["TYPE"]; empty || len(p.keys) == 0 {
			return nil, p.keyError("TYPE", "TSP or ATSP")
		}
	default:
		return nil, p.keyError("TYPE", "TSP or ATSP")
	}
	n, err := p.dimension(maxCities)
	if err != nil {
		return nil, err
	}
	t.N = n
	if t.Metric, err = ParseMetric(p.value("EDGE_WEIGHT_TYPE")); err != nil {
		if p.value("EDGE_WEIGHT_TYPE") == "SPECIAL" {
			return nil, p.keyError(
				"EDGE_WEIGHT_TYPE",
				"a distance function that the format defines; that of a SPECIAL instance is described only "+
					"in its own documentation and cannot be computed",
			)
		}
		return nil, p.keyError("EDGE_WEIGHT_TYPE", "one of %s", strings.Join(metricNames[:], ", "))
	}
	if t.Metric != Explicit {
		t.Asymmetric = false // every rule that takes coordinates is symmetric
	}
	for _, read := range []func(*TSP) error{p.weights, p.coordinates, p.display, p.fixed} {
		if err := read(t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// coordinates reads NODE_COORD_SECTION.
func (p *tsplib) coordinates(t *TSP) error {
	dim := t.Metric.Dim()
	if !p.enter("NODE_COORD_SECTION") {
		if dim > 0 {
			return &SyntaxError{
				File: p.file, Want: "NODE_COORD_SECTION for EDGE_WEIGHT_TYPE " + t.Metric.String(),
				Found: "no such section",
			}
		}
		return nil
	}
	if dim == 0 { // a matrix decides, these are for pictures
		dim = 2
		if p.value("NODE_COORD_TYPE") == "THREED_COORDS" {
			dim = 3
		}
	}
	c, err := p.points(t.N, dim)
	if err != nil {
		return p.widened(dim, err)
	}
	t.X, t.Y = c[0], c[1]
	if dim == 3 {
		t.Z = c[2]
	} else {
		t.setShow()
	}
	if err := t.Metric.checkRange(t.X, t.Y, t.Z); err != nil {
		return &SyntaxError{
			File: p.file, Line: lineAt(p.data, p.sections[p.section].heading), Section: p.section,
			Want: "coordinates in range", Found: strings.TrimPrefix(err.Error(), "datasets: "),
		}
	}
	return nil
}

// display reads DISPLAY_DATA_SECTION, which replaces the coordinates to draw at.
func (p *tsplib) display(t *TSP) error {
	if !p.enter("DISPLAY_DATA_SECTION") {
		return nil
	}
	c, err := p.points(t.N, 2)
	if err != nil {
		return p.widened(2, err)
	}
	t.ShowX, t.ShowY = c[0], c[1]
	return nil
}

// points reads n lines of a city's number and dim coordinates. Its slices grow
// with what is there: an announced n costs nothing.
func (p *tsplib) points(n, dim int) (c [3][]float64, err error) {
	// The shortest city is "1 1 1\n"; without its last end of line for the last.
	room := min(n, (p.end-p.pos)/(2+2*dim)+1)
	for d := range dim {
		c[d] = make([]float64, room)
	}
	seen := make([]uint64, (room+63)/64)
	for k := range n {
		if !p.skip() {
			return c, p.errorf(p.pos, "city %d of %d (DIMENSION)", k+1, n)
		}
		at := p.pos
		id, err := p.int(1, int64(n), "a city's number")
		if err != nil {
			return c, err
		}
		i := int(id - 1)
		if i >= room {
			// There are too few lines for n cities: say so, at the end.
			return c, p.errorf(p.end, "%d cities (DIMENSION), got fewer", n)
		}
		if seen[i>>6]&(1<<(i&63)) != 0 {
			return c, p.errorf(at, "each city once")
		}
		seen[i>>6] |= 1 << (i & 63)
		for d := range dim {
			if c[d][i], err = p.float("a coordinate"); err != nil {
				return c, err
			}
		}
	}
	return c, p.done("the end of the section after %d cities (DIMENSION)", n)
}
