package datasets_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
)

func cities(t *testing.T, text, columns string, unit datasets.CityUnit) (*datasets.TSP, error) {
	t.Helper()
	m, err := datasets.ParseCityColumns(columns)
	if err != nil {
		t.Fatal(err)
	}
	return datasets.ReadCities(strings.NewReader(text), "towns.csv", m, unit)
}

// Tables are read as spreadsheets and data frames write them; however they are spelt, they are the
// same cities. Distances are those of TSPLIB's GEO for the degrees and minutes of the same places.
func TestReadCities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ columns, text string }{
		{"", "name,longitude,latitude\nBern,7.45,46.95\nGenf,6.15,46.20\n"},
		{"", "\xef\xbb\xbfLat;Lng;Einwohner;City\r\n46,95;7,45;134000;Bern\r\n46,2;6,15;;\"Genf\"\r\n"},
		{"", "town\tlat\tlon\n\"Bern\"\t46.95\t7.45\n\nGenf\t46.2\t6.15"},
		{
			"name:Ort,longitude:Ost,latitude:Nord",
			"Ort,Ost,Nord,x,y\nBern,7.45,46.95,1,1\nGenf,6.15,46.2,0,0",
		},
	} {
		p, err := cities(t, c.text, c.columns, "")
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if !slices.Equal(p.Names, []string{"Bern", "Genf"}) || p.Metric != datasets.Geo {
			t.Errorf("%q: %q, %s", c.text, p.Names, p.Metric)
		}
		// 46.57 and 7.27 are 46° 57' and 7° 27'.
		want, err := datasets.NewTSP("", datasets.Geo, []float64{46.57, 46.12}, []float64{7.27, 6.09})
		if err != nil {
			t.Fatal(err)
		}
		if p.Dist(0, 1) != want.Dist(0, 1) || p.Dist(0, 1) != 130 {
			t.Errorf("%q: from Bern to Genf %d, want %d", c.text, p.Dist(0, 1), want.Dist(0, 1))
		}
		if p.ShowX[0] <= p.ShowX[1] || p.ShowY[0] <= p.ShowY[1] ||
			math.Abs((p.ShowX[0]-p.ShowX[1])*p.ShowKm-99) > 2 {
			t.Errorf("%q: drawn at %v %v", c.text, p.ShowX, p.ShowY)
		}
	}
	plane, err := cities(t, "x,y\n0,0\n30,40\n", "", "")
	if err != nil || plane.Metric != datasets.Euc2D || plane.Dist(0, 1) != 50 || plane.Names != nil {
		t.Errorf("a plane: %+v %v", plane, err)
	}
	const near = "lat,lon\n46.948,7.447\n46.949,7.447\n46.948,7.448\n"
	metres, err := cities(t, near, "", datasets.Metres)
	if err != nil || metres.Dist(0, 1) != 111 || metres.Dist(0, 2) != 76 {
		t.Errorf("metres: %d %d %v", metres.Dist(0, 1), metres.Dist(0, 2), err)
	}
	fiji, err := cities(t, "lat,lon\n-17,179.5\n-17,-179.5\n", "", "")
	if err != nil || math.Abs(fiji.ShowX[0]-fiji.ShowX[1]) > 1 {
		t.Errorf("across 180 degrees: %v %v", fiji.ShowX, err)
	}
}

// An error about a table names the line, the column and what was found there.
func TestReadCitiesErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ columns, text, want string }{
		{"", "", "the names of the columns"},
		{"", "\n\n", "the names of the columns"},
		{"", "name,lon,lat\n", "towns.csv:1: expected a line for each city"},
		{"", "Bern,7.4,46.9\n", "towns.csv:1: expected columns longitude and latitude"},
		{"", "lon,lat\n7,46\n8,north\n", "towns.csv:3: column 2 (lat): expected degrees from -90 to 90"},
		{"", "lon,lat\n7,46\n8,north\n", "found “north”"},
		{"", "lon,lat\n190,46\n", "towns.csv:2: column 1 (lon): expected degrees from -180 to 180"},
		{"", "lon,lat\nNaN,46\n", "towns.csv:2: column 1 (lon)"},
		{"", "x,y\n1,2\n,2\n", "towns.csv:3: column 1 (x): expected a number, found “”"},
		{"", "x,y\n1,+Inf\n", "towns.csv:2: column 2 (y): expected a number"},
		{"", "x,y\n1,1e300\n2,2\n", "distances fit in 31 bits"},
		{"", "lon,lat\n7,46\n8\n", "towns.csv:3: expected 2 values, one for each column"},
		{"", "lon,lat\n7,46\n\"8,9\n", "towns.csv:3: character"},
		{"", "lon,long,lat\n7,7,46\n", "“lon” in column 1 and “long” in column 2"},
		{"name:Ort", "lon,lat\n7,46\n", "a column “Ort” for name, found “lon,lat”"},
	} {
		_, err := cities(t, c.text, c.columns, "")
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	for _, columns := range []string{"Ort", "town:Ort", "name:", "name:a,name:b"} {
		if m, err := datasets.ParseCityColumns(columns); err == nil {
			t.Errorf("columns %q: %v", columns, m)
		}
	}
	if _, err := cities(t, "x,y\n1,2\n", "", datasets.Metres); err == nil {
		t.Error("metres of x and y")
	}
	if _, err := cities(t, "lat,lon\n1,2\n", "", "miles"); err == nil {
		t.Error("miles")
	}
}

// A table is an instance like any other: its path loads it, and the instance is called as the file.
// Tables in folders of METALAB_DATA are not taken for cities.
func TestLoadCities(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "towns.csv")
	if err := os.WriteFile(path, []byte("name,lon,lat\nBern,7.45,46.95\nGenf,6.15,46.2\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	p, err := datasets.LoadTSP(path)
	if err != nil || p.Name() != "towns" || p.N != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	t.Setenv("METALAB_DATA", dir)
	if slices.Contains(datasets.Names(), "towns") {
		t.Error("a table in a folder of METALAB_DATA is listed")
	}
	if _, err := datasets.Load("towns", datasets.Offline(), datasets.Cache("")); err == nil {
		t.Error("a table is loaded by its name alone")
	}
	var e *datasets.SyntaxError
	if err := os.WriteFile(path, []byte("name\nBern\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := datasets.Load(path); !errors.As(err, &e) || e.Line != 1 {
		t.Errorf("without places: %v", err)
	}
}

func FuzzReadCities(f *testing.F) {
	seed(f, "cities")
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzLimit {
			t.Skip()
		}
		p, err := datasets.ReadCities(bytes.NewReader(data), "fuzz", nil, "")
		if err != nil {
			checkSyntaxError(t, data, err)
			return
		}
		if p.N < 1 || p.N > len(data) || len(p.ShowX) != p.N || len(p.ShowY) != p.N ||
			p.Names != nil && len(p.Names) != p.N {
			t.Fatalf("%d cities, %d names from %d bytes", p.N, len(p.Names), len(data))
		}
		if d, e := p.Dist(0, p.N-1), p.Dist(p.N-1, 0); d < 0 || d != e {
			t.Fatalf("distances %d and %d", d, e)
		}
		var out, twice bytes.Buffer
		if err := datasets.WriteCities(&out, p); err != nil {
			t.Fatal(err)
		}
		again, err := datasets.ReadCities(bytes.NewReader(out.Bytes()), "fuzz", nil, "")
		if err != nil {
			t.Fatalf("what was written does not read: %v\n%s", err, out.Bytes())
		}
		if err := datasets.WriteCities(&twice, again); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Names, again.Names) || out.String() != twice.String() {
			t.Fatalf("what was written reads differently: %q, then %q", out.String(), twice.String())
		}
	})
}
