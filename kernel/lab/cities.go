package lab

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"metalab/kernel/internal/written"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// Cities writes cities into a .csv file and loads it as an instance: from the columns of a data
// frame, names (nil for none) and longitudes and latitudes in degrees. A file that is there already
// is loaded by Load:
//
//	pr := lab.Cities("towns.csv", names, longitude, latitude)
//	pr = lab.Load("towns.csv")
//
// A file that lab.Cities wrote before is replaced, and another one with lab.Force.
func Cities(
	path string, names []string, longitude, latitude []float64, with ...Word,
) *Instance {
	if len(longitude) != len(latitude) || names != nil && len(names) != len(longitude) {
		fail(&Error{wire.CodeRequest, fmt.Sprintf("lab: Cities: %d names, %d longitudes and %d "+
			"latitudes, want as many of each", len(names), len(longitude), len(latitude))})
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

// Scrub makes the run again, from its record, and shows it in a cell with a slider over its
// iterations: the curve with a line for each change, and the tour as it was then. The figure holds
// all that it shows, up to 60 tours of at most 20,000 cities, so it needs no kernel: it goes on
// working in a saved notebook that is trusted, and in a page made of it. It fails for runs that
// race, which cannot be made again.
func (r *Run) Scrub() *reply.ScrubReply {
	var rep reply.ScrubReply
	ask("scrub", wire.RunRequest{Run: r.name}, &rep)
	return &rep
}

// Route lists the cities of the best tour in their order, with the ways between them. from is the
// name of the city at which it begins, or its number from 1 on; the first city for "".
func (r *Run) Route(from string) *reply.RouteReply {
	var rep reply.RouteReply
	ask("route", wire.RouteRequest{Run: r.name, From: from}, &rep)
	return &rep
}
