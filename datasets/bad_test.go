package datasets_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"metalab/datasets"
)

// euc returns a file with the given DIMENSION and lines of cities.
func euc(dimension string, cities ...string) string {
	return "NAME: x\nTYPE: TSP\nDIMENSION: " + dimension + "\nEDGE_WEIGHT_TYPE: " +
		"EUC_2D\nNODE_COORD_SECTION\n" + strings.Join(cities, "\n") + "\nEOF\n"
}

// explicit returns a file with the given type, DIMENSION, format and weights.
func explicit(typ string, n int, format, weights string) string {
	return fmt.Sprintf(
		"TYPE: %s\nDIMENSION: %d\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: "+
			"%s\nEDGE_WEIGHT_SECTION\n%s\nEOF\n",
		typ, n, format, weights,
	)
}

func TestBadTSP(t *testing.T) {
	t.Parallel()
	three := []string{"1 0 0", "2 1 1", "3 2 2"}
	for _, tt := range []struct {
		name, text    string
		line          int
		section, want string
	}{
		{"empty", "", 0, "TYPE", "TSP or ATSP"},
		{"binary", "\x00\x01\x02\xff\xfe\n\x7fELF", 1, "", "KEYWORD : value"},
		{"text", "once upon a time\n", 1, "", "KEYWORD : value"},
		{"numbers", "1 2 3\n", 1, "", "a keyword or a section before numbers"},
		{"another type", "TYPE : CVRP\nDIMENSION : 3\n", 1, "TYPE", "TSP or ATSP"},
		{"tour", "NAME: a\nTYPE : TOUR\nDIMENSION : 3\n", 2, "TYPE", "TSP or ATSP"},
		{"no dimension", "TYPE: TSP\nEDGE_WEIGHT_TYPE: EUC_2D\n", 0, "DIMENSION", "a number of cities"},
		{"negative dimension", euc("-3", three...), 3, "DIMENSION", "a number of cities"},
		{"zero dimension", euc("0"), 3, "DIMENSION", "a number of cities"},
		{"dimension in words", euc("three", three...), 3, "DIMENSION", "a number of cities"},
		{
			"dimension beyond int", euc("99999999999999999999", three...), 3, "DIMENSION",
			"a number of cities",
		},
		{"two dimensions", "DIMENSION: 3\nDIMENSION: 4\n", 2, "", "DIMENSION once"},
		{
			"a billion cities", euc("1000000000", three...), 9, "NODE_COORD_SECTION", "city 4 of 1000000000",
		},
		{
			"a billion cities, last id", euc("1000000000", "1000000000 0 0"), 7, "NODE_COORD_SECTION",
			"1000000000 cities (DIMENSION), got fewer",
		},
		{"too few cities", euc("4", three...), 9, "NODE_COORD_SECTION", "city 4 of 4"},
		{
			"too many cities", euc("2", three...), 8, "NODE_COORD_SECTION",
			"the end of the section after 2 cities",
		},
		{
			"cut off in a city", strings.TrimSuffix(euc("3", "1 0 0", "2 1 1", "3 2"), "\nEOF\n"), 8,
			"NODE_COORD_SECTION", "a coordinate",
		},
		{"duplicate id", euc("3", "1 0 0", "2 1 1", "2 2 2"), 8, "NODE_COORD_SECTION", "each city once"},
		{
			"id too large", euc("3", "1 0 0", "4 1 1", "3 2 2"), 7, "NODE_COORD_SECTION",
			"a city's number from 1 to 3",
		},
		{
			"id zero", euc("3", "0 0 0", "1 1 1", "2 2 2"), 6, "NODE_COORD_SECTION",
			"a city's number from 1 to 3",
		},
		{
			"fractional id", euc("3", "1 0 0", "2.5 1 1", "3 2 2"), 7, "NODE_COORD_SECTION",
			"a city's number",
		},
		{"NaN", euc("3", "1 0 0", "2 nan 1", "3 2 2"), 7, "NODE_COORD_SECTION", "a coordinate"},
		{"infinite", euc("3", "1 0 0", "2 1 -Inf", "3 2 2"), 7, "NODE_COORD_SECTION", "a coordinate"},
		{
			"beyond float64", euc("3", "1 0 0", "2 1 1e999", "3 2 2"), 7, "NODE_COORD_SECTION",
			"a coordinate in the range of float64",
		},
		{"hexadecimal", euc("3", "1 0 0", "2 0x10 1", "3 2 2"), 7, "NODE_COORD_SECTION", "a coordinate"},
		{"a lonely sign", euc("3", "1 0 0", "2 - 1", "3 2 2"), 7, "NODE_COORD_SECTION", "a coordinate"},
		{"no exponent", euc("3", "1 0 0", "2 1e+ 1", "3 2 2"), 7, "NODE_COORD_SECTION", "a coordinate"},
		{
			"distances beyond 31 bits", euc("3", "1 0 0", "2 3e9 1", "3 2 2"), 5, "NODE_COORD_SECTION",
			"coordinates in range",
		},
		{
			"words among cities", euc("3", "1 0 0", "two 1 1", "3 2 2"), 7, "NODE_COORD_SECTION",
			"a number, a keyword or EOF",
		},
		{
			"no cities", "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nEOF\n", 0, "",
			"NODE_COORD_SECTION for EDGE_WEIGHT_TYPE EUC_2D",
		},
		{"section twice", euc("1", "1 0 0\nNODE_COORD_SECTION\n1 0 0"), 7, "", "each section once"},
		{"no weight type", "TYPE: TSP\nDIMENSION: 3\n", 0, "EDGE_WEIGHT_TYPE", "one of EXPLICIT"},
		{
			"unknown weight type", "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_9D\n", 3,
			"EDGE_WEIGHT_TYPE", "one of EXPLICIT",
		},
		{
			"special", "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: SPECIAL\n", 3, "EDGE_WEIGHT_TYPE",
			"cannot be computed",
		},
		{
			"no format", "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_SECTION\n1 2 3\n",
			0, "EDGE_WEIGHT_FORMAT", "one of FULL_MATRIX",
		},
		{
			"function format", explicit("TSP", 3, "FUNCTION", "1 2 3"), 4, "EDGE_WEIGHT_FORMAT",
			"one of FULL_MATRIX",
		},
		{
			"no weights",
			"TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n", 0, "",
			"EDGE_WEIGHT_SECTION",
		},
		{
			"weights of too large a matrix", explicit("TSP", 1000000, "FULL_MATRIX", "1 2 3"), 2,
			"DIMENSION", "at most 46340",
		},
		{
			"too few weights", explicit("TSP", 4, "UPPER_ROW", "1 2 3 4 5"), 7, "EDGE_WEIGHT_SECTION",
			"6 weights (UPPER_ROW, DIMENSION 4) where there are 5",
		},
		{
			"far too few weights", explicit("TSP", 46340, "FULL_MATRIX", "1 2 3"), 7, "EDGE_WEIGHT_SECTION",
			"where there are 3",
		},
		{
			"too many weights", explicit("TSP", 3, "UPPER_ROW", "1 2 3\n4"), 7, "EDGE_WEIGHT_SECTION",
			"the end of the section after 3 weights",
		},
		{
			"negative weight", explicit("TSP", 3, "UPPER_ROW", "1 -2 3"), 6, "EDGE_WEIGHT_SECTION",
			"a weight, a whole number from 0 to 2147483647",
		},
		{
			"fractional weight", explicit("TSP", 3, "UPPER_ROW", "1 2.5 3"), 6, "EDGE_WEIGHT_SECTION",
			"a weight",
		},
		{
			"weight beyond 31 bits", explicit("TSP", 3, "UPPER_ROW", "1 2 2147483648"), 6,
			"EDGE_WEIGHT_SECTION", "a weight, a whole number from 0",
		},
		{
			"weight beyond 63 bits", explicit("TSP", 3, "UPPER_ROW", "1 2 99999999999999999999"), 6,
			"EDGE_WEIGHT_SECTION", "a weight",
		},
		{
			"not symmetric", explicit("TSP", 2, "FULL_MATRIX", "0 1\n2 0"), 7, "EDGE_WEIGHT_SECTION",
			"1, the weight from city 1 to city 2, again",
		},
		{
			"weights beside a metric",
			strings.Replace(euc("1", "1 0 0"), "EOF", "EDGE_WEIGHT_SECTION\n1\nEOF", 1), 7,
			"EDGE_WEIGHT_SECTION", "no weights",
		},
		{
			"fixed edge out of range",
			strings.Replace(euc("2", "1 0 0", "2 1 1"), "EOF", "FIXED_EDGES_SECTION\n1 3\n-1\nEOF", 1), 9,
			"FIXED_EDGES_SECTION", "a city's number",
		},
		{
			"fixed edge to itself",
			strings.Replace(euc("2", "1 0 0", "2 1 1"), "EOF", "FIXED_EDGES_SECTION\n1 1\n-1\nEOF", 1), 9,
			"FIXED_EDGES_SECTION", "two different cities",
		},
		{
			"half a fixed edge",
			strings.Replace(euc("2", "1 0 0", "2 1 1"), "EOF", "FIXED_EDGES_SECTION\n1", 1), 10,
			"FIXED_EDGES_SECTION", "a city's number",
		},
		{
			"display cut off",
			strings.Replace(euc("2", "1 0 0", "2 1 1"), "EOF", "DISPLAY_DATA_SECTION\n1 1 1\nEOF", 1), 10,
			"DISPLAY_DATA_SECTION", "city 2 of 2",
		},
	} {
		_, err := datasets.ReadTSP(strings.NewReader(tt.text), "bad.tsp")
		checkBad(t, tt.name, err, "bad.tsp", tt.line, tt.section, tt.want)
	}
}

// checkBad compares an error with what the case wants of it.
func checkBad(t *testing.T, name string, err error, file string, line int, section, want string) {
	t.Helper()
	var e *datasets.SyntaxError
	if !errors.As(err, &e) {
		t.Errorf("%s: error is %v, want a *SyntaxError", name, err)
		return
	}
	if e.File != file || e.Line != line || e.Section != section || !strings.Contains(e.Want, want) {
		t.Errorf(
			"%s: %v\n  has line %d, section %q; want line %d, section %q, … %s …", name, err, e.Line,
			e.Section, line, section, want,
		)
	}
	if s := e.Error(); !strings.HasPrefix(s, "datasets: "+file) ||
		!strings.Contains(s, ": expected ") || strings.ContainsAny(s, "\x00\n") {
		t.Errorf("%s: message %q", name, s)
	}
}

func TestBadTours(t *testing.T) {
	t.Parallel()
	head := "TYPE: TOUR\nDIMENSION: 3\nTOUR_SECTION\n"
	for _, tt := range []struct {
		name, text    string
		line          int
		section, want string
	}{
		{"empty", "", 0, "", "TOUR_SECTION"},
		{"an instance", euc("1", "1 0 0"), 2, "TYPE", "TOUR"},
		{"nothing in it", head + "-1\nEOF\n", 5, "TOUR_SECTION", "3 cities (DIMENSION), there are fewer"},
		{"nothing at all", "TYPE: TOUR\nTOUR_SECTION\n-1\n", 3, "TOUR_SECTION", "a city's number"},
		{"duplicate", head + "1\n2\n1\n-1\n", 6, "TOUR_SECTION", "each city once"},
		{"out of range", head + "1\n4\n2\n-1\n", 5, "TOUR_SECTION", "from 1 to 3"},
		{"too short", head + "1\n2\n-1\nEOF", 6, "TOUR_SECTION", "city 3 of 3 of the tour"},
		{"too long", head + "1 2 3 3 -1\n", 4, "TOUR_SECTION", "-1 after the 3 cities of the tour"},
		{
			"more after the end", head + "1 2 3 -1 -1 5\n", 4, "TOUR_SECTION",
			"the end of the section after -1",
		},
		{
			"a billion cities", "TYPE: TOUR\nDIMENSION: 1000000000\nTOUR_SECTION\n1 2 3\n", 5,
			"TOUR_SECTION", "1000000000 cities",
		},
		{"binary", "\x1f\x8b\x08\x00", 1, "", "KEYWORD : value"},
	} {
		_, err := datasets.ReadTour(strings.NewReader(tt.text), "bad.tour")
		checkBad(t, tt.name, err, "bad.tour", tt.line, tt.section, tt.want)
	}
}

func TestBadQAP(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text    string
		line          int
		section, want string
	}{
		{"empty", "", 1, "size", "the size"},
		{"words", "nug12\n", 1, "size", "the size"},
		{"zero", "0\n", 1, "size", "the size, a number from 1"},
		{"negative", "-2\n1 2 3 4", 1, "size", "the size, a number from 1"},
		{"a billion", "1000000000\n1 2 3", 1, "size", "the size, a number from 1"},
		{"the largest", "46340\n1 2 3", 2, "matrices", "where there are 3"},
		{
			"too few", "2\n1 2 3 4\n5 6 7\n", 4, "matrices",
			"8 entries of two 2 x 2 matrices where there are 7",
		},
		{"too many", "2\n1 2 3 4\n5 6 7 8\n9", 4, "second matrix", "the end of the file"},
		{"NaN", "2\n1 2 3 4\n5 NaN 7 8\n", 3, "second matrix", "an entry"},
		{"fraction", "2\n1 2.5 3 4\n5 6 7 8\n", 2, "first matrix", "an entry"},
		{
			"beyond 31 bits", "2\n1 2 3 4000000000\n5 6 7 8\n", 2, "first matrix",
			"an entry, a whole number from",
		},
	} {
		_, err := datasets.ReadQAP(strings.NewReader(tt.text), "bad.dat")
		checkBad(t, tt.name, err, "bad.dat", tt.line, tt.section, tt.want)
	}
	for _, tt := range []struct {
		name, text    string
		line          int
		section, want string
	}{
		{"empty", "", 1, "size and cost", "the size"},
		{"no cost", "3\n", 2, "size and cost", "the cost"},
		{"too few", "3 10\n1 12\n", 2, "permutation", "from 0 to 3"},
		{"one too few", "3 10\n1   2\n", 3, "permutation", "entry 3 of 3"},
		{"far too few", "30000 10\n1 2\n", 3, "permutation", "30000 numbers, there are fewer"},
		{"too many", "3 10\n1 2 3 1\n", 2, "permutation", "the end of the file"},
		{"duplicate", "3 10\n1 2 2\n", 1, "permutation", "a permutation of 3 numbers"},
		{"out of range", "3 10\n1 2 4\n", 2, "permutation", "from 0 to 3"},
		{"zero and n", "3 10\n0 1 3\n", 1, "permutation", "a permutation of 3 numbers"},
	} {
		_, err := datasets.ReadQAPSolution(strings.NewReader(tt.text), "bad.sln")
		checkBad(t, tt.name, err, "bad.sln", tt.line, tt.section, tt.want)
	}
}

func TestErrorsStayReadable(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 500)
	_, err := datasets.ReadTSP(strings.NewReader(euc("2", "1 0 0", "2 0 "+long)), "x.tsp")
	if err == nil || len(err.Error()) > 200 || !strings.Contains(err.Error(), "ä") ||
		!strings.Contains(err.Error(), "…") {
		t.Errorf("a long word: %v", err)
	}
	// Lines end in LF, CR LF or CR.
	for _, end := range []string{"\n", "\r\n", "\r"} {
		text := strings.ReplaceAll(euc("3", "1 0 0", "2 x 0", "3 0 0"), "\n", end)
		_, err := datasets.ReadTSP(strings.NewReader(text), "x.tsp")
		checkBad(
			t, fmt.Sprintf("line end %q", end), err, "x.tsp", 7, "NODE_COORD_SECTION", "a coordinate",
		)
	}
}

// What real files do, and a strict reader would stumble over.
func TestRealFiles(t *testing.T) {
	t.Parallel()
	cities := "1 0 0\n2 3 4\n3 6 8\n"
	head := "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\n"
	for name, text := range map[string]string{
		"plain":               head + "NODE_COORD_SECTION\n" + cities + "EOF\n",
		"no EOF":              head + "NODE_COORD_SECTION\n" + cities,
		"no last line end":    head + "NODE_COORD_SECTION\n" + strings.TrimSpace(cities),
		"colon after section": head + "NODE_COORD_SECTION :\n" + cities,
		"section first":       "NODE_COORD_SECTION\n" + cities + head + "EOF",
		"no spaces":           strings.ReplaceAll(head, ": ", ":") + "NODE_COORD_SECTION:\n" + cities,
		"many spaces": strings.ReplaceAll(
			head, ": ", "   :\t ",
		) + "  NODE_COORD_SECTION  \n" + strings.ReplaceAll(cities, " ", " \t "),
		"no colons": strings.ReplaceAll(head, ":", " ") + "NODE_COORD_SECTION\n" + cities,
		"CR LF": strings.ReplaceAll(
			head+"NODE_COORD_SECTION\n"+cities+"EOF\n", "\n", "\r\n",
		),
		"CR":              strings.ReplaceAll(head+"NODE_COORD_SECTION\n"+cities+"EOF\n", "\n", "\r"),
		"control-Z":       head + "NODE_COORD_SECTION\n" + cities + "EOF\n\x1a",
		"byte order mark": "\ufeff" + head + "NODE_COORD_SECTION\n" + cities,
		"empty lines":     strings.ReplaceAll(head+"NODE_COORD_SECTION\n"+cities, "\n", "\n\n"),
		"one line of cities": head + "NODE_COORD_SECTION\n" + strings.ReplaceAll(
			cities, "\n", " ",
		) + "\n",
		"exponents": head + "NODE_COORD_SECTION\n1 0.0e+00 0\n2 +3.E0 .4e1\n3 60D-1 8.000\n",
		"long digits": head + "NODE_COORD_SECTION\n1 0 0\n2 3.00000000000000000000 4\n3 6 " +
			"8e0000\n",
		"shuffled": head + "NODE_COORD_SECTION\n3 6 8\n1 0 0\n2 3 4\n",
		"unknown keyword": "SALESMEN: 1\n" + head + "NODE_COORD_TYPE: " +
			"TWOD_COORDS\nNODE_COORD_SECTION\n" + cities,
		"rest after EOF": head + "NODE_COORD_SECTION\n" + cities + "EOF\nsome words\n4 5 6\n",
		"type in brackets": strings.Replace(
			head, "TSP", "TSP (somebody)", 1,
		) + "NODE_COORD_SECTION\n" + cities,
		"keyword repeated": head + head + "NODE_COORD_SECTION\n" + cities,
		"keyword between": strings.Replace(
			head, "DIMENSION: 3\n", "", 1,
		) + "NODE_COORD_SECTION\n" + cities + "DIMENSION: 3\nEOF\n",
	} {
		p, err := datasets.ReadTSP(strings.NewReader(text), "real")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.N != 3 || p.Dist(0, 1) != 5 || p.Dist(1, 2) != 5 || p.Dist(2, 0) != 10 {
			t.Errorf(
				"%s: distances %d, %d, %d, want 5, 5, 10", name, p.Dist(0, 1), p.Dist(1, 2), p.Dist(2, 0),
			)
		}
	}
}

// Every matrix format lists the same three distances: 1-2 is 1, 1-3 is 2, 2-3 is 3.
func TestMatrixFormats(t *testing.T) {
	t.Parallel()
	for format, weights := range map[string]string{
		"FULL_MATRIX":    "9 1 2  1 9 3  2 3 9",
		"UPPER_ROW":      "1 2  3",
		"LOWER_ROW":      "1  2 3",
		"UPPER_DIAG_ROW": "0 1 2  0 3  0",
		"LOWER_DIAG_ROW": "0  1 0  2 3 -5",
		"UPPER_COL":      "1  2 3",
		"LOWER_COL":      "1 2  3",
		"UPPER_DIAG_COL": "0  1 0  2 3 0",
		"LOWER_DIAG_COL": "0 1 2  0 3  0",
	} {
		p, err := datasets.ReadTSP(strings.NewReader(explicit("TSP", 3, format, weights)), "m")
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		want := []int32{0, 1, 2, 1, 0, 3, 2, 3, 0}
		if fmt.Sprint(p.Matrix) != fmt.Sprint(want) || p.Coordinates() {
			t.Errorf("%s: matrix %v, want %v", format, p.Matrix, want)
		}
	}
	p, err := datasets.ReadTSP(strings.NewReader(explicit("ATSP", 2, "FULL_MATRIX", "0 1 2 0")), "m")
	if err != nil || p.Kind() != datasets.KindATSP || p.Dist(0, 1) != 1 || p.Dist(1, 0) != 2 {
		t.Errorf("asymmetric matrix: %v", err)
	}
}

func TestDisplayAndSeveralTours(t *testing.T) {
	t.Parallel()
	text := explicit("TSP", 2, "UPPER_ROW", "7\nDISPLAY_DATA_SECTION\n1 5 6\n2 7 8")
	p, err := datasets.ReadTSP(strings.NewReader(text), "d")
	if err != nil || fmt.Sprint(p.ShowX, p.ShowY) != "[5 7] [6 8]" || p.X != nil {
		t.Errorf("to draw at: %v %v (%v)", p.ShowX, p.ShowY, err)
	}
	tours, err := datasets.ReadTours(
		strings.NewReader("TYPE: TOUR\nTOUR_SECTION\n1 2 3 -1\n3 1 2\n-1\n-1\nEOF"), "t",
	)
	if err != nil || fmt.Sprint(tours) != "[[0 1 2] [2 0 1]]" {
		t.Errorf("tours %v (%v)", tours, err)
	}
}

// An announced size costs nothing, whatever the format.
func TestMemoryInProportionToTheFile(t *testing.T) {
	for _, read := range []func() error{
		func() error {
			_, err := datasets.ReadTSP(strings.NewReader(euc("1000000000", "1 0 0")), "a")
			return err
		},
		func() error {
			_, err := datasets.ReadTSP(strings.NewReader(explicit("TSP", 46340, "FULL_MATRIX", "1 2")), "b")
			return err
		},
		func() error {
			_, err := datasets.ReadTour(
				strings.NewReader("TYPE: TOUR\nDIMENSION: 2000000000\nTOUR_SECTION\n1 2\n"), "c",
			)
			return err
		},
		func() error { _, err := datasets.ReadQAP(strings.NewReader("46340\n1 2 3\n"), "d"); return err },
		func() error {
			_, err := datasets.ReadQAPSolution(strings.NewReader("46340 1\n1 2 3\n"), "e")
			return err
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := read()
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Error("the file is taken")
		}
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
			t.Errorf("%d bytes were allocated for: %v", bytes, err)
		}
	}
}

func TestReadErrorsAreKept(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken cable")
	if _, err := datasets.ReadTSP(iotest.ErrReader(broken), "x"); !errors.Is(err, broken) {
		t.Errorf("error is %v", err)
	}
	p, err := datasets.ReadTSP(
		iotest.OneByteReader(strings.NewReader(euc("2", "1 0 0", "2 3 4"))), "x",
	)
	if err != nil || p.Dist(0, 1) != 5 {
		t.Errorf("byte by byte: %v", err)
	}
}
