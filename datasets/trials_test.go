package datasets_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"metalab/datasets"
)

const six = "1 0 0\n2 10 0\n3 20 0\n4 20 10\n5 10 10\n6 0 10\n"

// put writes a file and returns its path.
func put(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Files that are something else, or are spelt otherwise than the format says, get an error that
// says what they are, where, and what is read.
func TestStrangeFiles(t *testing.T) {
	t.Parallel()
	const reads = ".csv and .tsv (tables of cities)"
	matrix := func(rows string) string {
		return "NAME: x\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: " +
			"FULL_MATRIX\nEDGE_WEIGHT_SECTION\n" + rows + "EOF\n"
	}
	for _, c := range []struct {
		file, text string
		line       int
		want       []string
	}{
		{
			"six.zip", "PK\x03\x04\x14\x00six.tspNAME: six\nTYPE: TSP\n", 0,
			[]string{"a ZIP archive", reads},
		},
		{"six.tsp", "PK\x03\x04\x14\x00six.tspNAME: six\nTYPE: TSP\n", 0, []string{"a ZIP archive"}},
		{"m.npy", "\x93NUMPY\x01\x00v\x00{'descr'", 0, []string{"NumPy", "EXPLICIT"}},
		{
			"places.geojson", `{"type":"FeatureCollection","features":[{"type":"Feature"}]}`, 0,
			[]string{"GeoJSON", "longitude and latitude"},
		},
		{"places.json", `[[1,2],[3,4]]`, 0, []string{"JSON", "x and y"}},
		{"a.tsp", "<!DOCTYPE html>\n<html>404 Not Found</html>\n", 0, []string{"a web page (HTML)"}},
		{
			"places.txt", "name\tlat\tlon\nBern\t46.95\t7.44\n", 1,
			[]string{"taken for an instance of TSPLIB", "is called places.csv", reads},
		},
		{
			"flowshop.txt", "3 2 123456 20 15\n5 6 7\n8 9 1\n", 4,
			[]string{"taken for an instance of QAPLIB, as it begins with a number", reads},
		},
		{"knapsack.txt", "3 50\n60 10\n100 20\n120 30\n", 5, []string{"taken for an instance of QAPLIB"}},
		{
			"q.dat", "3 44\n0 1 2\n1 0 3\n2 3 0\n0 5 2\n5 0 3\n2 3 0\n", 1,
			[]string{"the size alone", "“44”"},
		},
		{
			"f.tsp", matrix("0 1.5 2\n1.5 0 5\n2 5 0\n"), 7,
			[]string{"a whole number", "“1.5”"},
		},
		{
			"b.tsp", matrix("[0 1 2]\n[1 0 5]\n[2 5 0]\n"), 7,
			[]string{"a number, a keyword or EOF", "“[0”"},
		},
		{
			"minus.atsp", strings.Replace(matrix("-1 3 -1\n4 -1 2\n1 5 -1\n"), "TSP", "ATSP", 1), 7,
			[]string{"a whole number from 0", "“-1”"},
		},
		{"hash.tsp", "# a comment\nNAME: x\n", 1, []string{"KEYWORD : value", "“#”"}},
		{"z.tsp", euc("4", "1 0 0 7", "2 3 0 7", "3 3 4 7", "4 0 4 7"), 6, []string{
			"a city's number and 2 coordinates a line", "3 coordinates",
		}},
		{"z.tsp", euc("4", "1 0 0 2", "2 3 0 2", "3 3 4 2", "4 0 4 2"), 6, []string{"3 coordinates"}},
		{
			"slip.tsp", strings.Replace(euc("2", "1 0 0", "2 3 0"), "DIMENSION", "DIMENTION", 1), 3,
			[]string{"DIMENSION", "“DIMENTION”"},
		},
		{
			"slip.tsp", strings.Replace(euc("2", "1 0 0", "2 3 0"), "NODE_COORD_", "NODE_COORDS_", 1), 5,
			[]string{"(NODE_COORD_SECTION?)", "“NODE_COORDS_SECTION”"},
		},
		{
			"gtsp.tsp", euc("2", "1 0 0", "2 3 0", "GTSP_SET_SECTION", "1 1 -1"), 8,
			[]string{"“GTSP_SET_SECTION”"},
		},
		{"latin1.csv", "name,lat,lon\nBern,46.95,7.44\nZ\xfcrich,47.38,8.54\n", 3, []string{
			"UTF-8", "“Zürich” in Windows-1252",
		}},
		{"matrix.csv", ",Bern,Basel,Zug\nBern,0,96,120\nBasel,96,0,110\nZug,120,110,0\n", 1, []string{
			"a table of distances", "EXPLICIT",
		}},
		{"comma.csv", "x,y\n\"1,5\",\"2,5\"\n", 2, []string{"a number with a point", "“1,5”"}},
	} {
		inst, err := datasets.Load(put(t, c.file, c.text), datasets.Offline(), datasets.Cache(""))
		var e *datasets.SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%s: %v, %v", c.file, inst, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nwithout %q", c.file, err, want)
			}
		}
		if e.Line != c.line {
			t.Errorf("%s: line %d, want %d: %v", c.file, e.Line, c.line, err)
		}
	}
}

// Files that other programs write otherwise are read.
func TestFilesOfOthers(t *testing.T) {
	t.Parallel()
	four := euc("4", "1 0 0", "2 3 0", "3 3 4", "4 0 4")
	units := utf16.Encode([]rune(strings.ReplaceAll("\ufeff"+four, "\n", "\r\n")))
	little, big := []byte{}, []byte{}
	for _, u := range units {
		little = binary.LittleEndian.AppendUint16(little, u)
		big = binary.BigEndian.AppendUint16(big, u)
	}
	plane, err := datasets.ReadTSP(strings.NewReader(four), "four")
	if err != nil {
		t.Fatal(err)
	}
	towns := "name,lat,lon\nBern,46.95,7.44\nBasel,47.56,7.59\nZug,47.17,8.52\n"
	table, err := cities(t, towns, "", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, text string
		want       *datasets.TSP
	}{
		{"four.tsp", string(little), plane},
		{"four.TSP", string(big), plane},
		{"four.tsp", strings.ToLower(four), plane},
		{"three.CSV", towns, table},
		{"three.tsv", strings.ReplaceAll(towns, ",", "\t"), table},
		{"pipe.csv", strings.ReplaceAll(towns, ",", "|"), table},
		{
			"sep.csv",
			"sep=;\r\n" + strings.NewReplacer(",", ";", ".", ",", "\n", "\r\n").Replace(towns), table,
		},
		{
			"q.csv", "name,lat,lon\nBern,\"46,95\",\"7,44\"\nBasel,\"47,56\",\"7,59\"\n" +
				"Zug,\"47,17\",\"8,52\"\n", table,
		},
		{"blank.csv", towns + ",,\n,,\n", table},
	} {
		p, err := datasets.LoadTSP(put(t, c.file, c.text), datasets.Offline(), datasets.Cache(""))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if p.SHA256() != c.want.SHA256() || !slices.Equal(p.Names, c.want.Names) ||
			strings.Contains(p.Name(), ".") {
			t.Errorf("%s: %s, %d cities %q", c.file, p.Name(), p.N, p.Names)
		}
	}
	// The error of a table with a line sep= has the line of the file.
	if _, err := cities(t, "sep=;\nlat;lon\n46;7\nx;8\n", "", ""); err == nil ||
		!strings.Contains(err.Error(), "towns.csv:4:") {
		t.Errorf("below sep=: %v", err)
	}
	latin := strings.Replace(four, "NAME: x", "NAME: Z\xfcrich", 1)
	old, err := datasets.ReadTSP(strings.NewReader(latin), "")
	if err != nil || old.Title != "Zürich" {
		t.Errorf("a title in Latin-1: %v, %v", old, err)
	}
	for _, text := range []string{
		"NAME: t\nTYPE: TOUR\nDIMENSION: 6\nTOUR_SECTION\n1\n3\n2\n4\n5\n6\n1\n-1\nEOF\n",
		"TYPE: TOUR\nTOUR_SECTION\n1 3 2 4 5 6 1\nEOF\n",
		"TYPE: TOUR\nTOUR_SECTION\n1 3 2 4 5 6 -1\n",
	} {
		tour, err := datasets.ReadTour(strings.NewReader(text), "closed.tour")
		if err != nil || !slices.Equal(tour, []int32{0, 2, 1, 3, 4, 5}) {
			t.Errorf("%q: %v, %v", text, tour, err)
		}
	}
}

// What a file says and the instance does not have is named with its line.
func TestPassedOver(t *testing.T) {
	t.Parallel()
	text := "NAME: x\nTYPE: TSP\nDIMENSION: 2\nSCALE: 1000\nSALESMEN : 3\nVEHICLES: 2\n" +
		"GTSP_SETS: 1\nEDGE_WEIGHT_TYP: CEIL_2D\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n" +
		"1 0 0\n2 900 0\nDEMAND_SECTION\n1 5\n2 5\nDEPOT_SECTION\n1\n-1\nEOF\n"
	p, err := datasets.ReadTSP(strings.NewReader(text), "x")
	if err != nil {
		t.Fatal(err)
	}
	notes := datasets.Notes(p)
	if len(notes) != 1 {
		t.Fatalf("notes %q", notes)
	}
	for _, want := range []string{
		"SCALE (line 4)", "SALESMEN (line 5)", "VEHICLES (line 6)", "GTSP_SETS (line 7)",
		"EDGE_WEIGHT_TYP (line 8, perhaps EDGE_WEIGHT_TYPE), DEM", "DEMAND_SECTION (line 13)",
		"DEPOT_SECTION (line 16)", "are passed over",
	} {
		if !strings.Contains(notes[0], want) {
			t.Errorf("%q lacks %q", notes[0], want)
		}
	}
	plain, err := datasets.ReadTSP(strings.NewReader(euc("2", "1 0 0", "2 900 0")), "x")
	if err != nil || len(datasets.Notes(plain)) != 0 {
		t.Errorf("a plain file has the notes %q (%v)", datasets.Notes(plain), err)
	}
}

// Fixed edges belong to the instance: a tour without one has no length, and the hash knows them.
func TestFixedEdges(t *testing.T) {
	t.Parallel()
	read := func(edges string) (*datasets.TSP, error) {
		return datasets.ReadTSP(strings.NewReader(euc("6", strings.TrimSpace(six),
			"FIXED_EDGES_SECTION", edges)), "x")
	}
	p, err := read("1 4\n3 6\n-1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Length([]int32{0, 1, 2, 3, 4, 5}); err == nil ||
		!strings.Contains(err.Error(), "lacks the fixed edge 1-4") {
		t.Errorf("a tour without them: %v", err)
	}
	if d, err := p.Length([]int32{0, 3, 4, 5, 2, 1}); err != nil || d != 84 {
		t.Errorf("a tour with both: %d, %v", d, err)
	}
	if s := p.FixedText(); s != "2 fixed edges (FIXED_EDGES_SECTION, line 12)" {
		t.Error(s)
	}
	same, err := read("6 3\n4 1\n1 4\n")
	if err != nil || same.SHA256() != p.SHA256() {
		t.Errorf("the same edges otherwise spelt: %v", err)
	}
	if d, err := p.Unfixed().Length([]int32{0, 1, 2, 3, 4, 5}); err != nil || d != 60 ||
		p.Unfixed().SHA256() == p.SHA256() {
		t.Errorf("without its fixed edges: %d, %v", d, err)
	}
	for _, bad := range []string{"1 2\n1 3\n1 4", "1 2\n2 3\n3 1", "1 2\n2 3\n3 4\n4 5\n5 1"} {
		var e *datasets.SyntaxError
		if _, err := read(bad); !errors.As(err, &e) || e.Line != 12+strings.Count(bad, "\n")+1 {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := read("1 2\n2 3\n3 4\n4 5\n5 6\n6 1"); err != nil {
		t.Errorf("a whole tour: %v", err)
	}
}

// Rounding that changes the ways of a tour by more than the stated share is said, and
// less is not.
func TestCoarse(t *testing.T) {
	t.Parallel()
	var unit, plan strings.Builder
	unit.WriteString("name,x,y\n")
	plan.WriteString("x,y\n")
	for i := range 100 {
		x, y := (i*37)%100, (i*i*13)%97
		fmt.Fprintf(&unit, "p%d,%.2f,%.4f\n", i, float64(x)/100, float64(y)/97)
		fmt.Fprintf(&plan, "%d,%d\n", 100*x, 100*y)
	}
	for _, c := range []struct {
		name, text, want string
		unit             datasets.CityUnit
	}{
		{"unit square", unit.String(), "multiply the coordinates by a thousand", ""},
		{"unit square", unit.String(), "rounding changes a tour to 0", ""},
		{"a plan", plan.String(), "", ""},
		{
			"a town", "name,lat,lon\nBern,46.95,7.44\nBern,46.95,7.44\nKiosk,46.953,7.441\n",
			"cities towns.csv unit=m to towns-m.csv", "",
		},
		{"a town in metres", "lat,lon\n46.95,7.44\n46.951,7.44\n46.953,7.441\n", "", datasets.Metres},
		{
			"stops twice", "lat,lon\n46.95,7.44\n46.95,7.44\n47.56,7.59\n47.17,8.52\n47.17,8.52\n",
			"a place that is there twice is 1 km from itself", "",
		},
		{
			"one place twice", "lat,lon\n46.95,7.44\n46.95,7.44\n",
			"all 2 cities are at one place, so every tour is as long", "",
		},
		{
			"one place in the plane", "x,y\n5,5\n5,5\n5,5\n", "all 3 cities are at one place", "",
		},
		{
			"a long way in kilometres", "lat,lon\n" + strings.Repeat("46.95,7.44\n46.951,7.44\n", 600),
			"rounding changes a tour from 0 to 1198", "",
		},
		{"a country", "lat,lon\n46.95,7.44\n47.56,7.59\n46.2,6.15\n46.01,8.96\n", "", ""},
	} {
		p, err := datasets.ReadCities(strings.NewReader(c.text), "towns", nil, c.unit)
		if err != nil {
			t.Fatal(c.name, err)
		}
		got := strings.Join(datasets.Notes(p), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	degrees, err := datasets.ReadTSP(strings.NewReader(euc("5", "1 47.38 8.54", "2 46.95 7.44",
		"3 47.56 7.59", "4 46.20 6.15", "5 46.01 8.96")), "towns")
	if err != nil || !strings.Contains(degrees.Coarse(), "whole units are coarse") {
		t.Errorf("degrees as EUC_2D: %q, %v", degrees.Coarse(), err)
	}
	for _, name := range []string{"E1k.0", "E10k.0", "C3k.0"} {
		big, err := datasets.LoadTSP(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range []float64{1, 1e-6} {
			x, y := slices.Clone(big.X), slices.Clone(big.Y)
			for i := range x {
				x[i], y[i] = x[i]*by, y[i]*by
			}
			p, err := datasets.NewTSP("mine", big.Metric, x, y)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Coarse(); (got == "") != (by == 1) {
				t.Errorf("%s times %g: %q", name, by, got)
			}
		}
	}
}

// A plane of metres for places far apart is refused, and from some share on said.
func TestFarMetres(t *testing.T) {
	t.Parallel()
	_, err := cities(t, "name,lat,lon\nOslo,59.91,10.75\nHelsinki,60.17,24.94\n"+
		"Cape Town,-33.92,18.42\nLagos,6.52,3.38\n", "", datasets.Metres)
	if err == nil || !strings.Contains(err.Error(), "Oslo") || !strings.Contains(err.Error(), "787") ||
		!strings.Contains(err.Error(), "unit=km") {
		t.Errorf("over two continents: %v", err)
	}
	spain := "name,lat,lon\nGijon,43.54,-5.66\nMalaga,36.72,-4.42\nMadrid,40.42,-3.70\n" +
		"Santander,43.46,-3.81\n"
	p, err := cities(t, spain, "", datasets.Metres)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Join(datasets.Notes(p), "\n"); !strings.Contains(n, "on the globe") {
		t.Errorf("over Spain: %q", n)
	}
	town, err := cities(t, "lat,lon\n46.95,7.44\n46.96,7.45\n47.05,7.6\n", "", datasets.Metres)
	if err != nil || len(datasets.Notes(town)) != 0 {
		t.Errorf("in a town: %q, %v", datasets.Notes(town), err)
	}
}
