package glance

import (
	"math"
	"strings"

	"metalab/kernel/reply"
)

// fosin is J. Fosin et al., 2013.
func fosin(p *page) {
	// Speed-ups of the groups of table 1, each the mean time of a core over that of the GPU, and of
	// the instances of table 2.
	names := []string{"70-400", "400-2000", "2000-18512"}
	// If the paper's own 3-opt was not measured on a GPU, that of all reconnections replaces it.
	passes := func(table string, measured bool) (cpu, gpu []float64) {
		t := p.table(table, "")
		cpu, gpu = t.Figures(measured, "CPU"), t.Figures(measured, "GPU")
		for i := range cpu {
			if measured && math.IsNaN(cpu[i]+gpu[i]) {
				return t.Figures(measured, "*CPU"), t.Figures(measured, "*GPU")
			}
		}
		return cpu, gpu
	}
	ups := func(measured bool) (groups, largest []float64) {
		t := p.table("fosin-1", "")
		cpu, gpu := passes("fosin-1", measured)
		for _, g := range names {
			sums, n := [2]float64{}, 0
			for i, name := range t.Labels() {
				if strings.HasPrefix(name, g+",") && !math.IsNaN(cpu[i]+gpu[i]) {
					sums[0], sums[1], n = sums[0]+cpu[i], sums[1]+gpu[i], n+1
				}
			}
			groups = append(groups, sums[0]/sums[1])
		}
		return groups, ratio(passes("fosin-2", measured))
	}
	was, wasLarge := ups(false)
	now, nowLarge := ups(true)
	on := p.table("fosin-2", "").GPU("GPU")
	p.picture("Speed-up of a pass of 3-opt on a GPU against a core, by the number of cities: "+
		"published for a GTX 470 against an i7 920, and measured for one "+on+" against a core of a "+
		"Xeon."+told(reply.Shape{
		Says: "each group has a greater one than the group before", Published: below(was[:2], was[1:]),
		Measured: below(now[:2], now[1:]),
	}),
		"log times as fast", append(names[:3:3], p.table("fosin-2", "").Labels()...),
		bars("GTX 470, published", append(was[:3:3], wasLarge...)),
		bars(on+", measured", append(now[:3:3], nowLarge...)))

	ones := []float64{1, 1, 1}
	p.line("fosin-1", "the GPU is faster than a core, in each group", below(ones, was),
		below(ones, now))
	p.line("fosin-1", "the speed-up grows from group to group", below(was[:2], was[1:]),
		below(now[:2], now[1:]))
	p.line("fosin-2", "the GPU is faster than a core", below(ones, wasLarge), below(ones, nowLarge))
	if len(wasLarge) > 1 && len(nowLarge) > 1 {
		p.line("fosin-2", "the speed-up grows from 33,810 to 85,900 cities",
			below(wasLarge[:1], wasLarge[1:]), below(nowLarge[:1], nowLarge[1:]))
	}
	p.line("fosin-2", "both speed-ups are above that of the largest group of table 1",
		below([]float64{was[2], was[2]}, wasLarge), below([]float64{now[2], now[2]}, nowLarge))
	three := p.table("fosin-3", "")
	means := map[string]float64{}
	for _, m := range three.Means {
		means[m.Group] = float64(m.Published)
	}
	for _, pair := range [][3]string{
		{"3-opt", "2-opt", "3-opt ends at shorter tours than 2-opt"},
		{"*3-opt", "2-opt", "*so it does with all reconnections of three edges"},
		{"1n kicks", "0.1n kicks", "n kicks are ahead of 0.1 n"},
		{"*1n kicks", "*0.1n kicks", "*n kicks are ahead of 0.1 n, with all reconnections"},
		{"*10n kicks", "*1n kicks", "*10 n kicks are ahead of n, with all reconnections"},
	} {
		x, y := three.Instances(pair[0], pair[1])
		p.line("fosin-3", pair[2], below([]float64{means[pair[0]]}, []float64{means[pair[1]]}),
			below(x.Values, y.Values))
	}
	near := reply.Count{}
	for _, m := range three.Means {
		near.Of++
		if three.Mean(m.Group) <= 1.1*float64(m.Published) {
			near.So++
		}
	}
	p.line("fosin-3", "our mean gap is at most a tenth above the published one", reply.Count{}, near)
}

// kang is S. Kang et al., 2016.
func kang(p *page) {
	cities := []string{"131 cities", "2071 cities", "10150 cities", "100000 cities"}
	var on [2][]string
	for _, c := range cities {
		on[0], on[1] = append(on[0], c+", CPU"), append(on[1], c+", GPU")
	}
	five := p.table("kang-5", "")
	eight := p.table("kang-5", "2048 in 8 groups")
	now := eight.GPU(on[1]...)
	p.picture("Milliseconds of a generation of 2048 tours in 8 groups, by the number of cities, on a "+
		"logarithmic scale: published for a processor and a GTX 980, measured on a core and one "+now+
		".",
		"log ms", cities, bars("CPU, 2016", first(eight, false, on[0])),
		bars("core, now", first(eight, true, on[0])), bars("GTX 980, 2016", first(eight, false, on[1])),
		bars(now+", now", first(eight, true, on[1])))

	sizes := []string{"131 cities", "662 cities"}
	fastest, order, gap := map[string][][2]cell{}, map[string][][2]cell{}, map[string][][2]cell{}
	near := reply.Count{}
	for _, star := range []string{"", "*"} {
		at := func(x, column string) cell { return cell{"kang-2", star + x, column + ", GPU"} }
		for _, n := range sizes {
			g := n + ", generations"
			fastest[star] = append(fastest[star], [2]cell{at("hybrid", g), at("BCSCX", g)},
				[2]cell{at("hybrid", g), at("ARX", g)})
			order[star] = append(order[star], [2]cell{at("BCSCX", g), at("ARX", g)})
			gap[star] = append(gap[star], [2]cell{at("hybrid", n+", gap"), at("BCSCX", n+", gap")})
			for _, x := range []string{"BCSCX", "ARX", "hybrid"} {
				c := at(x, n+", gap")
				if a, b := p.quality(c, true), p.quality(c, false); !math.IsNaN(a + b) {
					near.Of++
					if a <= 1.1*b {
						near.So++
					}
				}
			}
		}
	}
	p.less("kang-2", "*the hybrid takes the fewest generations to 10 %", 1, fastest["*"]...)
	p.less("kang-2", "the same, as the text is read", 1, fastest[""]...)
	p.less("kang-2", "*BCSCX takes fewer than ARX", 1, order["*"]...)
	p.less("kang-2", "the same, as the text is read", 1, order[""]...)
	p.less("kang-2", "*the hybrid is ahead of BCSCX after 100 generations", 1, gap["*"]...)
	p.less("kang-2", "the same, as the text is read", 1, gap[""]...)
	p.line("kang-2", "our gaps after 100 generations are at most a tenth above the published",
		reply.Count{}, near)
	for _, star := range []string{"*", ""} {
		at := func(x string) cell { return cell{"kang-3", star + x, "150 generations"} }
		says := "*from local minima ARX, then the hybrid, then BCSCX"
		if star == "" {
			says = "the same, as the text is read"
		}
		p.less("kang-3", says, 1, [2]cell{at("ARX"), at("hybrid")}, [2]cell{at("ARX"), at("BCSCX")},
			[2]cell{at("hybrid"), at("BCSCX")})
	}
	for _, row := range []string{"", "literal "} {
		reading := ""
		if row != "" {
			reading = ", to the letter"
		}
		var groups, more [][2]cell
		for _, x := range []string{"BCSCX", "ARX", "hybrid"} {
			at := func(column string) cell { return cell{"kang-4", row + x, column} }
			groups = append(groups, [2]cell{at("2048 in 8 groups, GPU"), at("2048 in 1 group, GPU")})
			more = append(more, [2]cell{at("128 in 1 group, GPU"), at("2048 in 1 group, GPU")})
		}
		p.less("kang-4", "2048 tours in a group are less than a tenth better than 128"+reading, 1.1,
			more...)
		p.less("kang-4", "of 2048 tours eight groups are ahead of one"+reading, 1, groups...)
	}
	p.rows(five, "the GPU is faster in each column", func(v func(string) float64) bool {
		all := true
		for i := range cities {
			gpu, cpu := v(on[1][i]), v(on[0][i])
			all = all && gpu < cpu
		}
		return all
	})
	grows := func(says string, pairs [][2][2]string) {
		count := func(measured bool) (c reply.Count) {
			up := func(at [2]string) float64 {
				return p.figure(cell{"kang-5", at[0], at[1] + ", CPU"}, measured) /
					p.figure(cell{"kang-5", at[0], at[1] + ", GPU"}, measured)
			}
			for _, x := range pairs {
				one := below([]float64{up(x[0])}, []float64{up(x[1])})
				c.So, c.Of = c.So+one.So, c.Of+one.Of
			}
			return c
		}
		p.line("kang-5", says, count(false), count(true))
	}
	var tours, size [][2][2]string
	for _, n := range cities {
		for _, g := range []string{" in 1 group", " in 8 groups"} {
			tours = append(tours, [2][2]string{{"128" + g, n}, {"256" + g, n}},
				[2][2]string{{"256" + g, n}, {"2048" + g, n}})
		}
	}
	for _, row := range five.Labels() {
		for i := range cities[1:] {
			size = append(size, [2][2]string{{row, cities[i]}, {row, cities[i+1]}})
		}
	}
	grows("the speed-up grows with the tours: 128, 256, 2048", tours)
	grows("the speed-up grows with the cities", size)
	two := func(v func(string) float64) bool { return v("150 generations") < 2.15 }
	starred, byText := p.table("kang-fig6", ""), p.table("kang-fig6", "")
	if n := len(starred.Rows); n > 3 {
		starred.Rows, byText.Rows = starred.Rows[n-1:], byText.Rows[2:3]
	}
	p.rows(starred, "*the hybrid comes to 2.1 % within 150 generations", two)
	p.rows(byText, "the same, as the text is read", two)
	p.less("kang-fig8", "a million cities: 5000 generations come below half the gap of 200", .5,
		[2]cell{
			{"kang-fig8", "hybrid, 2048 tours", "5000 generations"},
			{"kang-fig8", "hybrid, 2048 tours", "200 generations"},
		})
}

// luong is T. V. Luong et al., 2013. Speed-up is the time of a core over that of a GPU: published
// of a Tesla M2050 with texture memory over a Xeon E5620, measured of an H200 over a core of its
// host.
func luong(p *page) {
	two := func(table, a, b, aNow, bNow string) func(bool) (x, y []float64) {
		return func(measured bool) ([]float64, []float64) {
			t := p.table(table, "")
			if measured {
				return t.Measured(aNow), t.Measured(bNow)
			}
			return t.Published(a), t.Published(b)
		}
	}
	count := func(table, says string, figures func(measured bool) (a, b []float64)) {
		a, b := figures(false)
		x, y := figures(true)
		p.line(table, says, below(a, b), below(x, y))
	}
	ups := func(table string, measured bool) []float64 {
		gpu := "M2050, tex"
		if table == "luong-5" {
			gpu = "M2050"
		}
		return ratio(two(table, "E5620", gpu, "E5620", "H200")(measured))
	}
	var sizes []string
	for _, name := range p.table("luong-4", "").Labels() {
		size, _, _ := strings.Cut(name, "-")
		sizes = append(sizes, size)
	}
	grows := func(table string, measured bool) (a, b []float64) {
		v := ups(table, measured)
		return v[:max(len(v)-1, 0)], v[min(1, len(v)):]
	}
	p.picture("Speed-up of tabu search on permuted perceptrons with two flips, by size: published "+
		"for a Tesla M2050 against a Xeon E5620, and measured for an H200 against a core of its "+
		"host."+told(reply.Shape{
		Says:      "each size has a greater one than the size before",
		Published: below(grows("luong-4", false)), Measured: below(grows("luong-4", true)),
	}), "log times as fast", sizes,
		bars("M2050, published", ups("luong-4", false)), bars("H200, measured", ups("luong-4", true)))

	for _, name := range []string{"luong-2", "luong-3", "luong-4", "luong-5", "luong-6"} {
		count(name, "speed-up grows from each size to the next", func(measured bool) (a, b []float64) {
			return grows(name, measured)
		})
		switch name {
		case "luong-5": // the paper has no texture memory there
		case "luong-2": // assignments are searched by a kernel of its own, whatever the cache
			a, b := two(name, "M2050, tex", "M2050", "", "")(false)
			p.line(name, "texture memory takes less time", below(a, b), reply.Count{})
		default:
			count(name, "texture memory, here the read-only cache, takes less time",
				two(name, "M2050, tex", "M2050", "H200", "H200, plain"))
		}
	}
	count("luong-4", "two flips have a greater speed-up than one (luong-3)",
		func(measured bool) (a, b []float64) {
			return ups("luong-3", measured), ups("luong-4", measured)
		})
	// Our tuner, which was measured, is not the paper's control of threads.
	a, b := two("luong-7", "M2050, controlled", "M2050", "", "")(false)
	p.line("luong-7", "the control of threads takes less time", below(a, b), reply.Count{})
	count("luong-8", "neighbours that are generated on the GPU take less time",
		two("luong-8", "GPU, generated there", "GPU, generated on the CPU", "H200, generated there",
			"H200, generated on the CPU"))
	count("luong-9", "the reduction on the GPU takes less time, pairs",
		two("luong-9", "pairs, reduced", "pairs, tex", "pairs, H200, reduced", "pairs, H200"))
	count("luong-9", "the reduction on the GPU takes less time, n neighbours",
		two("luong-9", "n, reduced", "n, tex", "n, H200, reduced", "n, H200"))
	// A cluster was not to be had: what was measured instead, four cores, is no word on the claim.
	for _, k := range [][2]string{
		{"luong-10", "104 cores of a cluster"}, {"luong-11", "112 cores of a grid"},
	} {
		cores, _, _ := strings.Cut(k[1], " of")
		a, b = two(k[0], "M2050", cores, "", "")(false)
		p.line(k[0], "a GPU takes less time than "+k[1], below(a, b), reply.Count{})
	}
}
