package glance

import (
	"math"
	"slices"

	"metalab/kernel/reply"
)

// mmas is R. Skinderowicz, 2020.
func mmas(p *page) {
	six := []string{"RWM-LC", "RWM-BT", "RWM-CT", "WRS-LC", "WRS-BT", "WRS-CT"}
	row := p.table("mmas-4", "pr2392 GPU")
	gpu := row.GPU(six...)
	type figures = func(column string) float64
	slowest := func(v figures) bool {
		return min(v("RWM-BT")-max(v("RWM-LC"), v("RWM-CT")),
			v("WRS-BT")-max(v("WRS-LC"), v("WRS-CT"))) > 0
	}
	wrs := func(v figures) bool {
		return v("WRS-LC") < v("RWM-LC") && v("WRS-CT") < v("RWM-CT") && v("WRS-BT") < v("RWM-BT")
	}
	beforeLC := func(v figures) bool { return v("RWM-BT") < v("RWM-LC") && v("WRS-BT") < v("WRS-LC") }
	fastest := func(v figures) bool {
		return beforeLC(v) && v("RWM-BT") < v("RWM-CT") && v("WRS-BT") < v("WRS-CT")
	}
	p.picture("Milliseconds of the six variants without candidate lists on pr2392, on a logarithmic "+
		"scale: published for a V100, and measured on one "+gpu+"."+
		told(row.Shape("the bitmask (BT) is the slowest", slowest))+
		told(row.Shape("reservoir sampling (WRS) is faster than the roulette wheel (RWM) with each list",
			wrs)),
		"log ms, pr2392, no lists", six,
		bars("published, V100", first(row, false, six)),
		bars("measured, "+gpu, first(row, true, six)))
	for _, name := range []string{"mmas-3", "mmas-4"} {
		t := p.table(name, "GPU")
		p.rows(t, "without lists BT is the slowest, by either rule", slowest)
		p.rows(t, "without lists WRS is faster than RWM, with each list", wrs)
	}
	for _, name := range []string{"mmas-5", "mmas-6"} {
		t := p.table(name, "GPU")
		t.Rows = t.Rows[max(len(t.Rows)-3, 0):]
		p.rows(t, "with lists BT is faster than LC, the three largest instances", beforeLC)
		p.rows(t, "with lists BT is the fastest, the three largest instances", fastest)
	}
	for _, of := range [][2]string{{"mmas-5", "P100"}, {"mmas-6", "V100"}} {
		share := func(measured bool) (c reply.Count) {
			rest := p.table("mmas-7", "").Figures(measured, of[1])
			for _, x := range ratio(rest, p.table(of[0], "GPU").Figures(measured, "RWM-LC")) {
				if !math.IsNaN(x) {
					c.Of++
					if x < 1./3 {
						c.So++
					}
				}
			}
			return c
		}
		p.line("mmas-7", "all but the construction takes less than a third of it, "+of[1], share(false),
			share(true))
	}
	p.rows(p.table("mmas-8", "GPU"), "Friedman's test finds no difference in quality, p > 0.05",
		func(v figures) bool { return v("p-value") > 0.05 })
	p.rows(p.table("mmas-9", "GPU"), "the mean is not above that of ESACO",
		func(v figures) bool { return v("mean") <= v("ESACO mean") })
	p.rows(p.onAny("mmas-10"), "the mean is not above that of MCF-ABC",
		func(v figures) bool { return v("mean") <= v("MCF-ABC mean") })
}

// first are the figures of columns in the first row of a table; NaN without one.
func first(t *reply.PaperReply, measured bool, columns []string) []float64 {
	var out []float64
	for _, c := range columns {
		v := math.NaN()
		if f := t.Figures(measured, c); len(f) > 0 {
			v = f[0]
		}
		out = append(out, v)
	}
	return out
}

// acs is R. Skinderowicz, 2016.
func acs(p *page) {
	periods := []string{"k = 1", "k = 2", "k = 4", "k = 8", "k = 16"}
	fives := p.table("acs-5", "pr2392 GPU")
	gpu := fives.GPU(periods...)
	type figures = func(column string) float64
	three := p.table("acs-3", "")
	p.rows(three, "Alt is faster than ACS-GPU",
		func(v figures) bool { return v("ACS-GPU-Alt") < v("ACS-GPU") })
	p.rows(three, "ACS-GPU is faster than ACS-SEQ",
		func(v figures) bool { return v("ACS-GPU") < v("ACS-SEQ") })
	p.rows(p.table("acs-4", ""), "k = 16 takes less time than k = 1",
		func(v figures) bool { return v("k = 16") < v("k = 1") })
	longer := func(sign float64) func(figures) bool {
		return func(v figures) bool {
			return !slices.ContainsFunc(periods[1:], func(k string) bool {
				return !(sign*(v("k = 1")-v(k)) > 0)
			})
		}
	}
	p.picture("Gaps on pr2392 after 1000 iterations by the period k of local updates: published for "+
		"a Kepler GPU, and measured on one "+gpu+"."+told(fives.Shape("a period of 1 is the worst",
		longer(1))),
		"% above the optimum, pr2392", periods,
		bars("published, GK104", first(fives, false, periods)),
		bars("measured, "+gpu, first(fives, true, periods)))
	five, top := p.table("acs-5", "GPU"), p.table("acs-5", "GPU")
	five.Rows = five.Rows[:min(2, len(five.Rows))]
	top.Rows = top.Rows[max(len(top.Rows)-3, 0):]
	p.rows(five, "d198 and a280: each longer period is worse than k = 1", longer(-1))
	p.rows(top, "above 1000 cities each longer period is better than k = 1", longer(1))
	var alt [][2]cell
	for _, c := range p.table("acs-6", "").Columns {
		alt = append(alt, [2]cell{
			{"acs-6", "ACS-GPU-Alt, GPU, best", c}, {"acs-6", "ACS-SEQ, best", c},
		})
	}
	p.less("acs-6", "Alt has shorter tours than ACS-SEQ; measured up to 442 cities", 1, alt...)
	var few, ants, period, worse, slots, slower [][2]cell
	for _, i := range []string{"nrw1379", "pr2392"} {
		for _, m := range []string{"128", "256", "512", "1024"} {
			ants = append(ants, [2]cell{
				{"acs-7", i + ", " + m + " ants, GPU", "mean"}, {"acs-7", i + ", n ants, GPU", "mean"},
			})
		}
		few = append(few, [2]cell{
			{"acs-7", i + ", 256 ants, time", "ms"}, {"acs-7", i + ", n ants, time", "ms"},
		})
		period = append(period, [2]cell{
			{"acs-8", i + ", k = 16, time", "ms"}, {"acs-8", i + ", k = 1, time", "ms"},
		})
		worse = append(worse, [2]cell{
			{"acs-8", i + ", k = 1, GPU", "mean"}, {"acs-8", i + ", k = 16, GPU", "mean"},
		})
		for _, k := range periods {
			slots = append(slots, [2]cell{
				{"acs-fig9", i + ", " + k + ", GPU", "256 ants"}, {"acs-8", i + ", " + k + ", GPU", "mean"},
			})
			slower = append(slower, [2]cell{
				{"acs-fig8", i + ", " + k, "Alt, 256 ants"}, {"acs-fig8", i + ", " + k, "SPM, 256 ants"},
			})
		}
	}
	p.less("acs-7", "fewer ants than n are better, with as many tours", 1, ants...)
	p.less("acs-8", "k = 16 takes less time than k = 1, 256 ants", 1, period...)
	p.less("acs-8", "k = 16 is worse than k = 1, 256 ants", 1, worse...)
	spm := func(v figures) bool { return v("SPM") < v("Alt") && v("p") < .05 }
	p.rows(p.table("acs-9", "GPU"), "SPM is better than Alt in the same time, p < 0.05", spm)
	p.rows(p.table("acs-9", "CPU"), "SPM is better than Alt with as many tours, on a CPU, p < 0.05",
		spm)
	p.rows(p.table("acs-10", "GPU"), "the best of the runs is within 20 % of the optimum",
		func(v figures) bool { return v("best") < 20 })
	p.less("acs-7", "256 ants make n tours in less time than n ants", 1, few...)
	large := p.table("acs-fig7", "GPU")
	large.Rows = large.Rows[max(len(large.Rows)-4, 0):]
	p.rows(large, "from 783 cities on Alt is better than ACS-GPU",
		func(v figures) bool { return v("ACS-GPU-Alt") < v("ACS-GPU") })
	p.less("acs-fig8", "SPM takes more time than Alt, 256 ants", 1, slower...)
	p.less("acs-fig9", "SPM is better than Alt, 256 ants", 1, slots...)
	var faster, ahead [][2]cell
	for _, i := range three.Labels() {
		ms := func(name string) cell { return cell{"acs-fig10", name + ", " + i, "ms"} }
		faster = append(faster, [2]cell{ms("ACS-GPU-Alt"), ms("ACS-GPU-SPM*")})
		ahead = append(ahead, [2]cell{ms("ACS-GPU-SPM*"), ms("ACS-GPU")})
	}
	p.less("acs-fig10", "Alt is faster than SPM*", 1, faster...)
	p.less("acs-fig10", "SPM* is faster than ACS-GPU", 1, ahead...)
}

// onAny is a table with one row an instance: that of a GPU, and where there is none that of a CPU,
// which makes the same tours.
func (p *page) onAny(name string) *reply.PaperReply {
	t := p.table(name, "")
	labels := t.Labels()
	t.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(r reply.PaperRow) bool {
		return slices.Contains(labels, r.Label+", GPU")
	})
	return t
}
