package lab

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"metalab/kernel/internal/written"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// Cities writes cities to a .csv file and loads it as an instance. The arguments are columns of a
// data frame: names (nil for none), and longitudes and latitudes in degrees. Load loads an existing
// file:
//
//	pr := lab.Cities("towns.csv", names, longitude, latitude)
//	pr = lab.Load("towns.csv")
//
// Cities replaces a file that it wrote before, and any other file only with lab.Force.
func Cities(
	path string, names []string, longitude, latitude []float64, with ...Word,
) *Instance {
	if len(longitude) != len(latitude) || names != nil && len(names) != len(longitude) {
		fail(&Error{wire.CodeRequest, fmt.Sprintf("lab: Cities: %d names, %d longitudes and %d "+
			"latitudes, want as many of each", len(names), len(longitude), len(latitude))})
	}
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".csv" {
		fail(&Error{wire.CodeRequest, fmt.Sprintf("lab: Cities: the first argument is %q, want the name "+
			"of a file that ends in .csv, as towns.csv", path)})
	}
	num := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	rows := [][]string{{"longitude", "latitude"}}
	if names != nil {
		rows[0] = []string{"name", "longitude", "latitude"}
	}
	for i := range longitude {
		row := []string{num(longitude[i]), num(latitude[i])}
		if names != nil {
			row = append([]string{names[i]}, row...)
		}
		rows = append(rows, row)
	}
	var about reply.AboutReply
	ask("about", nil, &about)
	what := "the cities of lab.Cities"
	err := written.Open(filepath.Join(about.StateDir, "written")).Put(abs(path),
		written.Thing{What: what, Kind: "cities", Of: []string{what}}, forced("Cities", with),
		func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
	if errors.As(err, new(*record.TakenError)) {
		fail(&Error{wire.CodeTaken, fmt.Sprintf("lab: Cities: %v; take another name, or lab.Force as "+
			"the last argument, which replaces it", err)})
	}
	check(err)
	return Load(path)
}

// Scrub replays the run from its record, and shows a slider over its iterations in a cell: the
// curve with a line for each change, and the tour of that iteration. The figure holds all that it
// shows, up to 60 tours of at most 20,000 cities, so it needs no kernel: it works in a saved
// notebook that is trusted, and in a page exported from it. Scrub fails for runs that race, which
// nothing can replay.
func (r *Run) Scrub() *reply.ScrubReply {
	var rep reply.ScrubReply
	ask("scrub", wire.RunRequest{Run: r.id()}, &rep)
	return &rep
}

// Route lists the cities of the best tour in order, with the distances between them. from is the
// name of the first city, or its number counted from 1; "" is the first city.
func (r *Run) Route(from string) *reply.RouteReply {
	var rep reply.RouteReply
	ask("route", wire.RouteRequest{Run: r.id(), From: from}, &rep)
	return &rep
}
