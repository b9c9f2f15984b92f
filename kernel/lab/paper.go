package lab

import (
	"math"
	"os"
	"strconv"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// EnvFull is the environment variable that makes notebooks repeat as often as papers do.
const EnvFull = "METALAB_FULL"

// Paper returns a table or figure of a paper, as "mmas-5" or "acs-fig9", with what was published
// and what was measured here side by side, the measured column with date, machine and command;
// words of the names of its rows, or "" for all; after them names of columns, where not all are
// wanted. Shown it is a table; its figures are data, and a row or a column that it does not have is
// an error:
//
//	t := lab.Paper("acs-8", "pr2392 GPU")
//	lab.Show(t)
//	t.Labels()
//	t.Published("mean")
//	t.Measured("mean")
//	t.Values("pr2392, k = 4, GPU", "mean") // by seed
func Paper(table, rows string, columns ...string) *reply.PaperReply {
	var r reply.PaperReply
	ask("paper", wire.PaperRequest{Table: table, Row: rows, Columns: strings.Join(columns, "|")}, &r)
	r.OnUnknown(func(e *reply.UnknownError) {
		fail(&Error{Code: wire.CodeRequest, Message: "lab.Paper: " + e.Error()})
	})
	return &r
}

// Glance says what the tables of a paper show (mmas, acs, fosin, kang or luong), in how many rows
// the published figures say so and in how many those that were measured here. Its Picture is of the
// main result.
//
//	g := lab.Glance("mmas")
//	lab.Show(g.Picture(), g)
func Glance(paper string) *reply.GlanceReply {
	var r reply.GlanceReply
	ask("glance", wire.GlanceRequest{Paper: paper}, &r)
	return &r
}

// Fold puts results under a line that says what they are; a page shows them when it is chosen.
//
//	lab.Show(lab.Fold("tables 3 and 4", lab.Paper("mmas-3", ""), lab.Paper("mmas-4", "")))
func Fold(summary string, results ...reply.Reply) *reply.Folded {
	return &reply.Folded{Summary: summary, Of: results}
}

// Sample gives values a name, for Claim and Bars.
func Sample(name string, values ...float64) reply.Sample {
	return reply.Sample{Name: name, Values: values}
}

// Claim tests what a sentence claims about samples, and shows as a card with the verdict, p-values
// and effect sizes. The test is "lower" or "higher" (the first sample is lower than each of the
// others), "rising" (each is lower than the next), "same" (no difference is found), or
// "paired-lower" and "paired-higher", where samples have a value for each of the same instances.
// Values that are not known, NaN, are left out, and of pairs both.
//
//	c := lab.Claim("a period of 2 is better", "lower", lab.Sample("k=2", two...),
//		lab.Sample("k=1", one...))
//	lab.Show(c)
func Claim(sentence, test string, samples ...reply.Sample) *reply.ClaimReply {
	return claim(sentence, test, false, samples)
}

// ClaimPublished is Claim on published figures. Its card says that nothing of it was measured here.
func ClaimPublished(sentence, test string, samples ...reply.Sample) *reply.ClaimReply {
	return claim(sentence, test, true, samples)
}

func claim(sentence, test string, published bool, samples []reply.Sample) *reply.ClaimReply {
	var parts []string
	for _, s := range known(strings.HasPrefix(test, "paired-"), samples) {
		var v []string
		for _, x := range s.Values {
			v = append(v, strconv.FormatFloat(x, 'g', -1, 64))
		}
		name := strings.NewReplacer(":", " ", ";", " ").Replace(s.Name)
		parts = append(parts, name+":"+strings.Join(v, ","))
	}
	var r reply.ClaimReply
	ask("claim", wire.ClaimRequest{
		Sentence: sentence, Test: test, Samples: strings.Join(parts, ";"), Published: published,
	}, &r)
	return &r
}

// known leaves out values that are NaN; in pairs, what stands beside one.
func known(pairs bool, samples []reply.Sample) []reply.Sample {
	out := make([]reply.Sample, len(samples))
	for k, s := range samples {
		out[k].Name = s.Name
		for i, v := range s.Values {
			is := !math.IsNaN(v)
			for _, other := range samples {
				is = is && (!pairs || i >= len(other.Values) || !math.IsNaN(other.Values[i]))
			}
			if is {
				out[k].Values = append(out[k].Values, v)
			}
		}
	}
	return out
}

// Full tells whether METALAB_FULL is set, to anything but 0: notebooks then repeat as often as the
// papers do, for hours; else they take less than a minute or two.
func Full() bool {
	v := os.Getenv(EnvFull)
	return v != "" && v != "0"
}

// Scale returns quick, or full where METALAB_FULL is set: of seeds, iterations or sizes.
func Scale(quick, full int) int {
	if Full() {
		return full
	}
	return quick
}

// Sketch begins a picture of so many pixels, which is drawn by its methods: Line, Dashed, Arrow,
// Dot, Ring, Box, Frame and Text. alt says what it shows.
//
//	s := lab.Sketch(300, 200, "two cities and the way between them")
//	lab.Show(s.Line(50, 100, 250, 100, "steelblue", 2).Dot(50, 100, 4, "black"))
func Sketch(width, height int, alt string) *reply.Sketch {
	return &reply.Sketch{Width: width, Height: height, Alt: alt}
}

// Bars draws series of values as bars, a group for each label: figures of a paper beside ours. The
// scale begins at 0; unit begins with "log" for a logarithmic one, as "log ms".
func Bars(alt, unit string, labels []string, series ...reply.Sample) *reply.Sketch {
	unit, log := strings.CutPrefix(unit, "log ")
	return reply.Bars(alt, unit, log, labels, series...)
}
