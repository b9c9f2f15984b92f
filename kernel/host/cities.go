package host

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"metalab/datasets"
	"metalab/kernel/internal/written"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

var _ = handle("cities", (*Host).cities)

// Numbers of cities: the names in a reply, and the limit up to which all distances are computed.
const (
	toldNames = 6
	mostPairs = 2000
)

// cities reads a table of cities, and writes it as an instance.
func (h *Host) cities(_ *Call, q *wire.CitiesRequest) (*reply.CitiesReply, error) {
	if q.Path == "" {
		return nil, wrong("cities: which file? as in: cities towns.csv")
	}
	if err := Absolute("cities", q.Path); err != nil {
		return nil, err
	}
	columns, err := datasets.ParseCityColumns(q.Columns)
	if err != nil {
		return nil, wrong("cities: " + strings.TrimPrefix(err.Error(), "datasets: "))
	}
	f, err := os.Open(q.Path)
	if err != nil {
		return nil, fmt.Errorf("cities: %w", err)
	}
	defer f.Close()
	t, err := datasets.ReadCities(f, q.Path, columns, datasets.CityUnit(q.Unit))
	if err != nil {
		return nil, wrong("cities: " + strings.TrimPrefix(err.Error(), "datasets: "))
	}
	rep := &reply.CitiesReply{
		Verb: "cities", Path: q.Path, Cities: t.N, Metric: t.Metric.String(), Farthest: farthest(t),
		Names: append([]string{}, t.Names[:min(toldNames, len(t.Names))]...), Unit: wayUnit(t),
	}
	rep.Coarse = t.Coarse() != ""
	rep.Warning = t.FlatText()
	opens := q.Path
	if q.To != "" {
		if err := h.writeCities(q, t); err != nil {
			return nil, err
		}
		rep.To, opens = q.To, q.To
		rep.Nameless = t.Names != nil && filepath.Ext(q.To) != ".csv"
	}
	if q.To != "" || q.Columns == "" && q.Unit != string(datasets.Metres) {
		rep.Open = "open ils " + filepath.Base(opens) + " as a"
	}
	return rep, nil
}

// writeCities writes cities into a file whose ending says how.
func (h *Host) writeCities(q *wire.CitiesRequest, t *datasets.TSP) error {
	write := datasets.WriteCities
	switch filepath.Ext(q.To) {
	case ".csv":
	case ".tsp":
		write = datasets.WriteTSP
		t.Title = strings.TrimSuffix(filepath.Base(q.To), ".tsp")
	default:
		return wrong(fmt.Sprintf("cities: to is %s, want a file that ends in .csv or .tsp", q.To))
	}
	_, err := h.Write(&File{
		Verb: "cities", Path: q.To, Force: q.Force,
		Holds: written.Thing{What: "the cities of " + q.Path, Kind: "cities", Of: []string{q.Path}},
	}, func(w io.Writer) error { return write(w, t) })
	return err
}

// wayUnit is the unit of an instance's distances where that is known.
func wayUnit(t *datasets.TSP) string {
	switch {
	case t.Metric == datasets.Geo:
		return string(datasets.Kilometres)
	case t.ShowKm > 0:
		return string(datasets.Metres)
	}
	return ""
}

// farthest is the greatest distance of two cities; unknown of very many.
func farthest(t *datasets.TSP) reply.Num {
	if t.N > mostPairs {
		return nan
	}
	far := int32(0)
	for i := range t.N {
		for j := range i {
			far = max(far, t.Dist(i, j))
		}
	}
	return reply.Num(far)
}

var _ = handle("route", (*Host).route)

// route lists the cities of the best tour of a run.
func (h *Host) route(c *Call, q *wire.RouteRequest) (*reply.RouteReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	t, ok := e.run.Instance().(*datasets.TSP)
	if !ok {
		return nil, wrong(fmt.Sprintf("route: %s is on %s, of kind %s: only tours have routes", e.name,
			e.run.Instance().Name(), e.run.Instance().Kind()))
	}
	b, err := e.run.Best(c.ctx)
	if err != nil {
		return nil, err
	}
	if b.Iter == 0 || len(b.Solution.Perm) != t.N {
		return nil, wrong(fmt.Sprintf("route: %s has found nothing yet; step %s 1", e.name, e.name))
	}
	start, err := cityOf(t, q.From)
	if err != nil {
		return nil, err
	}
	rep := &reply.RouteReply{Status: e.Status("route"), Unit: wayUnit(t), Stops: stops(t,
		b.Solution.Perm, start), Warning: datasets.NotesText(t)}
	if q.To == "" {
		return rep, nil
	}
	if filepath.Ext(q.To) != ".csv" {
		return nil, wrong(fmt.Sprintf("route: to is %s, want a file that ends in .csv (export %s "+
			"FILE.tour writes it as TSPLIB does)", q.To, e.name))
	}
	_, err = h.Write(&File{Verb: "route", Path: q.To, Holds: OfRuns("route", e), Force: q.Force},
		func(w io.Writer) error { return writeRoute(w, rep) })
	if err != nil {
		return nil, err
	}
	rep.To = q.To
	return rep, nil
}

// cityOf is the city of a name or of a number from 1 on; the first for "".
func cityOf(t *datasets.TSP, name string) (int32, error) {
	if name == "" {
		return 0, nil
	}
	for i, n := range t.Names {
		if strings.EqualFold(n, name) {
			return int32(i), nil
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= t.N {
		return int32(n - 1), nil
	}
	return 0, wrong(fmt.Sprintf("route: from is %q, want the name of a city of %s, or a number from "+
		"1 to %d", name, t.Name(), t.N))
}

// stops are the cities of a tour, beginning at one of them.
func stops(t *datasets.TSP, tour []int32, start int32) []reply.Stop {
	first := 0
	for i, c := range tour {
		if c == start {
			first = i
		}
	}
	out := make([]reply.Stop, len(tour))
	total := int64(0)
	for i := range tour {
		at, next := int(tour[(first+i)%len(tour)]), int(tour[(first+i+1)%len(tour)])
		way := int64(0)
		if at != next {
			way = int64(t.Dist(at, next))
		}
		out[i] = reply.Stop{Place: i + 1, City: at + 1, Way: reply.Num(way), Total: reply.Num(total)}
		if t.Names != nil {
			out[i].Name = t.Names[at]
		}
		total += way
	}
	return out
}

// writeRoute writes a route as CSV.
func writeRoute(w io.Writer, r *reply.RouteReply) error {
	b := csv.NewWriter(w)
	err := b.Write([]string{"place", "city", "name", "way", "total"})
	for _, s := range r.Stops {
		err = errors.Join(err, b.Write([]string{
			strconv.Itoa(s.Place), strconv.Itoa(s.City), noFormula(s.Name), s.Way.String(), s.Total.String(),
		}))
	}
	b.Flush()
	return errors.Join(err, b.Error())
}

// noFormula keeps a spreadsheet from carrying out what came from elsewhere as a name: an apostrophe
// before it makes it text.
func noFormula(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
