package reply

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// Figures returns the measured figures of a column, or the published ones, one per row; NaN if
// there is none.
func (r *PaperReply) Figures(measured bool, column string) []float64 {
	if measured {
		return r.Measured(column)
	}
	return r.Published(column)
}

// GPU names the GPUs that measured figures of the columns, or of all columns if there are no
// arguments, such as "H100" or "H100 and H200". It is "GPU" if none is known.
func (r *PaperReply) GPU(columns ...string) string {
	var names []string
	for i := range r.Rows {
		for k := range r.Rows[i].Cells {
			c := &r.Rows[i].Cells[k]
			if c.GPU != "" && !slices.Contains(names, c.GPU) && k < len(r.Columns) &&
				(len(columns) == 0 || slices.Contains(columns, r.Columns[k])) {
				names = append(names, c.GPU)
			}
		}
	}
	if names == nil {
		return "GPU"
	}
	slices.Sort(names)
	return strings.Join(names, " and ")
}

// Sample returns a named sample of the known figures of columns.
func (r *PaperReply) Sample(name string, measured bool, columns ...string) Sample {
	s := Sample{Name: name}
	for _, c := range columns {
		for _, v := range r.Figures(measured, c) {
			if !math.IsNaN(v) {
				s.Values = append(s.Values, v)
			}
		}
	}
	return s
}

// Seeds returns the measured figures of a row, one per seed: a sample for each column.
func (r *PaperReply) Seeds(row string, columns ...string) []Sample {
	var out []Sample
	for _, c := range columns {
		out = append(out, Sample{c, r.Values(row, c)})
	}
	return out
}

// Ratio divides a column by another, one value per row; NaN if one of the two is missing.
func (r *PaperReply) Ratio(measured bool, a, b string) []float64 {
	x := slices.Clone(r.Figures(measured, a))
	for i, v := range r.Figures(measured, b) {
		x[i] /= v
	}
	return x
}

// Pair returns the figures of two columns in the rows that have both, for a claim about pairs.
func (r *PaperReply) Pair(measured bool, a, b string) (x, y Sample) {
	x.Name, y.Name = a, b
	v, w := r.Figures(measured, a), r.Figures(measured, b)
	for i := range v {
		if !math.IsNaN(v[i] + w[i]) {
			x.Values, y.Values = append(x.Values, v[i]), append(y.Values, w[i])
		}
	}
	return x, y
}

// byInstance are the measured figures of the rows whose name begins with a group, by what follows
// it: on a GPU where a search makes the same on both and the CPU was not measured.
func (r *PaperReply) byInstance(group string) map[string]float64 {
	out := map[string]float64{}
	cpu, gpu := r.Measured("CPU"), r.Measured("GPU")
	for i, row := range r.Labels() {
		if !strings.HasPrefix(row, group+",") {
			continue
		}
		v := cpu[i]
		if math.IsNaN(v) {
			v = gpu[i]
		}
		if !math.IsNaN(v) {
			out[row[strings.LastIndex(row, " ")+1:]] = v
		}
	}
	return out
}

// Instances returns the figures of two groups of rows on the instances measured in both, for a
// claim about pairs.
func (r *PaperReply) Instances(a, b string) (x, y Sample) {
	x.Name, y.Name = a, b
	v, w := r.byInstance(a), r.byInstance(b)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if other, ok := w[name]; ok {
			x.Values, y.Values = append(x.Values, v[name]), append(y.Values, other)
		}
	}
	return x, y
}

// Mean returns the mean of the measured figures of a group of rows, NaN if there are none.
func (r *PaperReply) Mean(group string) float64 {
	of := r.byInstance(group)
	sum := 0.
	for _, name := range slices.Sorted(maps.Keys(of)) {
		sum += of[name]
	}
	return sum / float64(len(of))
}

// Bars draws published and measured figures beside each other: for a table with one row a pair of
// bars per column, else a pair per row, from the first column. It names the GPU of the measurement.
// A unit that begins with "log" has a logarithmic scale.
func (r *PaperReply) Bars(unit string) *Sketch {
	unit, log := strings.CutPrefix(unit, "log ")
	labels, of := r.Columns, func(measured bool) []float64 {
		var out []float64
		for _, c := range r.Columns {
			out = append(out, r.Figures(measured, c)[0])
		}
		return out
	}
	if len(r.Rows) != 1 {
		labels = r.Labels()
		of = func(measured bool) []float64 {
			if len(r.Columns) == 0 {
				return nil
			}
			return r.Figures(measured, r.Columns[0])
		}
	}
	name := "measured"
	if gpu := r.GPU(); gpu != "GPU" {
		name += ", " + gpu
	}
	return Bars(r.Table.Title+": published and "+name+", by "+strings.Join(labels, ", "), unit, log,
		labels, Sample{"published", of(false)}, Sample{name, of(true)})
}
