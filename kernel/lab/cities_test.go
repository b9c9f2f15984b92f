package lab_test

import (
	"os"
	"strings"
	"testing"

	"metalab/kernel/lab"
)

// The columns of a data frame become an instance, and its best tour a list of names.
func TestCitiesOfColumns(t *testing.T) {
	session(t)
	t.Chdir(t.TempDir())
	names, lon, lat := []string{"Bern", "Genf", "Chur", "Basel"}, []float64{7.45, 6.15, 9.53, 7.59},
		[]float64{46.95, 46.2, 46.85, 47.56}
	pr := lab.Cities("towns.csv", names, lon, lat)
	if pr.Size != 4 || pr.Metric != "GEO" || lab.Load("towns.csv").SHA256 != pr.SHA256 {
		t.Errorf("the cities: %+v", pr.Instance)
	}
	a := lab.Open("a", "ils", pr)
	a.Step(2)
	if r := a.Route("Chur"); len(r.Stops) != 4 || r.Stops[0].Name != "Chur" {
		t.Errorf("the route: %+v", r.Stops)
	}
	if pr = lab.Cities("bare.csv", nil, lon, lat); pr.Size != 4 {
		t.Errorf("without names: %+v", pr.Instance)
	}
	if err := lab.Try(func() { lab.Cities("towns", names, lon, lat) }); err == nil ||
		!strings.Contains(err.Error(), `is "towns", want the name of a file that ends in .csv`) {
		t.Errorf("a name that is no .csv: %v", err)
	}
	if _, err := os.Stat("towns"); err == nil {
		t.Error("a file was written under a name that is refused")
	}
	err := lab.Try(func() { lab.Cities("x.csv", names[:2], lon, lat) })
	if err == nil || !strings.Contains(err.Error(), "2 names, 4 longitudes and 4 latitudes") {
		t.Errorf("too few names: %v", err)
	}
}
