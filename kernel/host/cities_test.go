package host_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

const towns = `Ort;Ost;Nord
Bern;7,45;46,95
=Genf();6,15;46,20
Chur;9,53;46,85
Basel;7,59;47,56
`

// A table of cities becomes an instance, a tour, a picture with their names and a list in the order
// of the tour; a record of the run replays.
func TestCities(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := filepath.Dir(l.O.StateDir)
	write := func(name, text string) {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("orte.csv", towns)
	l.Fails("cities "+dir+"/orte.csv", wire.CodeRequest, "orte.csv:1", "columns=longitude:NAME",
		"Ort;Ost;Nord")
	const columns = " columns=name:Ort,longitude:Ost,latitude:Nord"
	c := l.Do("cities " + dir + "/orte.csv" + columns + " to " +
		dir + "/towns.csv").(*reply.CitiesReply)
	if c.Cities != 4 || c.Metric != "GEO" || c.Unit != "km" || c.Farthest < 250 || c.Farthest > 280 ||
		c.Coarse || len(c.Names) != 4 || c.Open != "open ils towns.csv as a" {
		t.Errorf("cities: %+v", c)
	}
	if m := l.Do("cities " + dir + "/orte.csv unit=m" + columns + " to " +
		dir + "/m.tsp").(*reply.CitiesReply); m.Metric != "EUC_2D" || !m.Nameless || m.Unit != "m" {
		t.Errorf("in metres: %+v", m)
	}
	write("near.csv", "lat,lon\n46.94,7.44\n46.95,7.45\n")
	if n := l.Do("cities " + dir + "/near.csv").(*reply.CitiesReply); !n.Coarse ||
		!strings.Contains(n.String(), "unit=m counts metres") {
		t.Errorf("near by: %s", n)
	}
	l.Do("open ils " + dir + "/towns.csv as a")
	l.Fails("route a", wire.CodeRequest, "step a 1")
	l.Do("step a 5; save a " + dir + "/a.run")
	r := l.Do("route a from=basel to " + dir + "/route.csv").(*reply.RouteReply)
	sum := reply.Num(0)
	for _, s := range r.Stops {
		sum += s.Way
	}
	if len(r.Stops) != 4 || r.Stops[0].Name != "Basel" || r.Unit != "km" || sum != r.Best ||
		r.Stops[3].Total+r.Stops[3].Way != r.Best {
		t.Errorf("route: %+v, best %v", r.Stops, r.Best)
	}
	f, err := os.Open(dir + "/route.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 5 || rows[1][2] != "Basel" {
		t.Errorf("route.csv: %q, %v", rows, err)
	}
	for _, row := range rows {
		if strings.HasPrefix(row[2], "=") {
			t.Errorf("a spreadsheet would carry out %q", row[2])
		}
	}
	l.Fails("route a from=Nowhere", wire.CodeRequest, "Nowhere", "1 to 4")
	l.Fails("route a to "+dir+"/route.txt", wire.CodeRequest, ".csv")
	l.Do("plot a tour to " + dir + "/a.svg")
	svg, err := os.ReadFile(dir + "/a.svg")
	if err != nil || !strings.Contains(string(svg), ">Basel<") ||
		!strings.Contains(string(svg), " km<") {
		t.Errorf("the picture has no names or no scale: %v", err)
	}
	if p := l.Do("replay " + dir + "/a.run").(*reply.ReplayReply); !p.Identical {
		t.Errorf("replay: %v", p)
	}
	l.Do("open tabu tai10a as q; step q 1")
	l.Fails("route q", wire.CodeRequest, "only tours have routes")
}
