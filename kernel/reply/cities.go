package reply

import (
	"fmt"
	"path/filepath"
	"strings"
)

// A CitiesReply describes cities read from a table.
type CitiesReply struct {
	Verb     string   `json:"verb"`
	Path     string   `json:"path"`
	Cities   int      `json:"cities"`
	Names    []string `json:"names"` // of the first few; empty if they have none
	Metric   string   `json:"metric"`
	Unit     string   `json:"unit,omitempty"`     // of distances: km, m; empty: of the coordinates
	Farthest Num      `json:"farthest"`           // distance of two cities; null for many cities
	Coarse   bool     `json:"coarse,omitempty"`   // whole units distinguish these cities badly
	Warning  string   `json:"warning,omitempty"`  // other warnings about the cities
	To       string   `json:"to,omitempty"`       // the written file
	Open     string   `json:"open,omitempty"`     // a line that opens a run on them
	Nameless bool     `json:"nameless,omitempty"` // the written file has no names
}

// String summarizes the cities.
func (r *CitiesReply) String() string {
	lines := []string{Printable(r.head())}
	if s := r.distances(); s != "" {
		lines = append(lines, "  "+s)
	}
	if r.Warning != "" {
		lines = append(lines, "  "+Printable(r.Warning))
	}
	if r.To != "" {
		s := "  written to " + Printable(filepath.Base(r.To))
		if r.Nameless {
			s += ", without the names, for which the format has no place"
		}
		lines = append(lines, s)
	}
	if r.Open != "" {
		lines = append(lines, "  "+Printable(r.Open)+" searches for a tour")
	}
	return strings.Join(lines, "\n")
}

// head is how many cities there are, and the first names.
func (r *CitiesReply) head() string {
	s := fmt.Sprintf("%s: %d cities", filepath.Base(r.Path), r.Cities)
	if r.Cities == 1 {
		s = filepath.Base(r.Path) + ": 1 city"
	}
	if len(r.Names) > 0 {
		s += ": " + strings.Join(r.Names, ", ")
		if r.Cities > len(r.Names) {
			s += ", …"
		}
	}
	return s
}

// distances says what they are.
func (r *CitiesReply) distances() string {
	unit := map[string]string{"km": "kilometres", "m": "metres", "": "units of x and y"}[r.Unit]
	if unit == "" {
		unit = r.Unit
	}
	s := fmt.Sprintf("distances are whole %s (%s)", unit, r.Metric)
	if r.Farthest.Known() {
		s += ", up to " + r.Farthest.String()
	}
	switch {
	case r.Coarse && r.Unit == "km":
		s += ": coarse for places so near; unit=m counts metres"
	case r.Coarse:
		s += ": coarse; multiply x and y by a thousand to tell ways apart"
	}
	return Printable(s)
}

// HTML returns the same for a page.
func (r *CitiesReply) HTML() string {
	out := ""
	for line := range strings.SplitSeq(r.String(), "\n") {
		out += htmlNote(strings.TrimSpace(line))
	}
	return out
}

// A Stop is a city of a route.
type Stop struct {
	Place int    `json:"place"` // in the tour, from 1
	City  int    `json:"city"`  // its number in the instance, from 1
	Name  string `json:"name,omitempty"`
	Way   Num    `json:"way"`   // to the next city, from the last one to the first
	Total Num    `json:"total"` // of the distances up to this city
}

// RouteReply is the best tour, city by city.
type RouteReply struct {
	Status
	Unit  string `json:"unit,omitempty"` // of distances: km; empty: of the instance
	Stops []Stop `json:"stops"`
	To    string `json:"to,omitempty"` // the written file

	Warning string `json:"warning,omitempty"` // warnings about the instance, a line each
}

// mostStops is the greatest number of cities that are listed.
const mostStops = 60

// rows are those of a table.
func (r *RouteReply) rows() [][]string {
	unit := ""
	if r.Unit != "" {
		unit = ", " + r.Unit
	}
	rows := [][]string{{"", "city", "name", "to the next" + unit, "so far" + unit}}
	for i, s := range r.Stops {
		if i == mostStops {
			break
		}
		rows = append(rows, []string{
			fmt.Sprint(s.Place), fmt.Sprint(s.City), Printable(s.Name), s.Way.String(), s.Total.String(),
		})
	}
	return trimmed(rows, "name")
}

// below says what the table does not.
func (r *RouteReply) below() string {
	var parts []string
	if n := len(r.Stops) - mostStops; n > 0 {
		parts = append(parts, fmt.Sprintf("and %d more cities", n))
	}
	if r.To != "" {
		parts = append(parts, fmt.Sprintf("all %d written to %s", len(r.Stops),
			Printable(filepath.Base(r.To))))
	} else if len(r.Stops) > mostStops {
		parts = append(parts, fmt.Sprintf("route %s to %s.csv writes all", r.Run, r.Run))
	}
	if n := len(r.Stops); n > 0 {
		parts = append(parts, "back at the first after "+
			(r.Stops[n-1].Total+r.Stops[n-1].Way).String()+unitOf(r.Unit))
	}
	return strings.Join(parts, "; ")
}

func unitOf(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit
}

// String returns the table.
func (r *RouteReply) String() string {
	return table(r.rows()) + "\n" + r.below() + warned(r.Warning)
}

// HTML returns the table for a page.
func (r *RouteReply) HTML() string {
	return htmlTable(r.rows()) + htmlNote(r.below()) + htmlWarned(r.Warning)
}
