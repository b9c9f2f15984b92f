package lab

import (
	"math"
	"os"
	"strconv"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// EnvFull is the environment variable that makes notebooks repeat as often as the papers do.
const EnvFull = "METALAB_FULL"

// Paper returns a table or figure of a paper, such as "mmas-5" or "acs-fig9", with published and
// measured values side by side, and the date, machine and command of the measurement. rows are
// words of the names of its rows, "" for all; columns are names of columns, none for all. It shows
// as a table, and its figures are data. A missing row or column is an error:
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

// Glance summarizes the tables of a paper (mmas, acs, fosin, kang or luong): each finding, with the
// number of rows in which the published figures show it, and the number in which our measured ones
// do. Its Picture shows the main result.
//
//	g := lab.Glance("mmas")
//	lab.Show(g.Picture(), g)
func Glance(paper string) *reply.GlanceReply {
	var r reply.GlanceReply
	ask("glance", wire.GlanceRequest{Paper: paper}, &r)
	return &r
}

// Fold hides results under a summary line; a page shows them when a reader opens it.
//
//	lab.Show(lab.Fold("tables 3 and 4", lab.Paper("mmas-3", ""), lab.Paper("mmas-4", "")))
func Fold(summary string, results ...reply.Reply) *reply.Folded {
	for i, r := range results {
		if r == nil {
			failWith("lab: Fold: result %d is nil", i+1)
		}
	}
	return &reply.Folded{Summary: summary, Of: results}
}

// Sample names a list of values, for Claim and Bars.
func Sample(name string, values ...float64) reply.Sample {
	return reply.Sample{Name: name, Values: values}
}

// Claim tests the claim of a sentence about samples. It shows as a card with the verdict, p-values
// and effect sizes. The test is "lower" or "higher" (the first sample is lower than each of the
// others), "rising" (each is lower than the next), "same" (no difference is found), or
// "paired-lower" and "paired-higher", if value i of every sample belongs to the same instance. It
// omits unknown values, NaN, and with them their pairs.
//
//	c := lab.Claim("a period of 2 is better", "lower", lab.Sample("k=2", two...),
//		lab.Sample("k=1", one...))
//	lab.Show(c)
func Claim(sentence, test string, samples ...reply.Sample) *reply.ClaimReply {
	return claim(sentence, test, false, samples)
}

// ClaimPublished is Claim for published figures. Its card says that they were not measured here.
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

// Full reports whether METALAB_FULL is set, to anything but 0. Notebooks then repeat as often as
// the papers do, for hours; else they take less than a minute or two.
func Full() bool {
	v := os.Getenv(EnvFull)
	return v != "" && v != "0"
}

// Scale returns quick, or full if METALAB_FULL is set: a number of seeds, iterations or cities.
func Scale(quick, full int) int {
	if Full() {
		return full
	}
	return quick
}

// Sketch starts a picture of so many pixels. Its methods draw: Line, Dashed, Arrow, Dot, Ring, Box,
// Frame and Text. alt describes the picture.
//
//	s := lab.Sketch(300, 200, "two cities and the way between them")
//	lab.Show(s.Line(50, 100, 250, 100, "steelblue", 2).Dot(50, 100, 4, "black"))
func Sketch(width, height int, alt string) *reply.Sketch {
	return &reply.Sketch{Width: width, Height: height, Alt: alt}
}

// Bars draws series of values as bars, with a group for each label, for example figures of a paper
// beside ours. The scale begins at 0. A unit that begins with "log", such as "log ms", makes it
// logarithmic.
func Bars(alt, unit string, labels []string, series ...reply.Sample) *reply.Sketch {
	unit, log := strings.CutPrefix(unit, "log ")
	return reply.Bars(alt, unit, log, labels, series...)
}
