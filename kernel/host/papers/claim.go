package papers

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/stats"
)

// claimed is the p-value below which a difference counts.
const claimed = .05

// claim tests a claim about samples.
func claim(q *wire.ClaimRequest) (*reply.ClaimReply, error) {
	if strings.TrimSpace(q.Sentence) == "" {
		return nil, wrong("claim: the sentence is empty")
	}
	samples, err := parseSamples(q.Samples)
	if err != nil {
		return nil, err
	}
	rep := &reply.ClaimReply{
		Verb: "claim", Sentence: q.Sentence, P: nan, Published: q.Published,
	}
	for _, s := range samples {
		rep.Samples = append(rep.Samples, reply.ClaimSample{
			Name: s.Name, N: len(s.Values), Median: reply.Num(stats.Median(s.Values)),
			Min: reply.Num(slices.Min(s.Values)), Max: reply.Num(slices.Max(s.Values)), Rank: nan,
		})
	}
	paired := strings.HasPrefix(q.Test, "paired-")
	if paired || q.Test == "same" && len(samples) > 2 {
		for _, s := range samples[1:] {
			if len(s.Values) != len(samples[0].Values) {
				return nil, wrong(fmt.Sprintf("claim: %s has %d values and %s %d; a paired test wants as many",
					samples[0].Name, len(samples[0].Values), s.Name, len(s.Values)))
			}
		}
	}
	switch q.Test {
	case "lower", "higher", "paired-lower", "paired-higher":
		for i := range samples[1:] {
			rep.Pairs = append(rep.Pairs, reply.ClaimPair{A: samples[0].Name, B: samples[i+1].Name})
		}
		err = comparePairs(rep, samples, paired, !strings.HasSuffix(q.Test, "higher"))
	case "rising":
		for i := range samples[1:] {
			rep.Pairs = append(rep.Pairs, reply.ClaimPair{A: samples[i].Name, B: samples[i+1].Name})
		}
		err = comparePairs(rep, samples, false, true)
	case "same":
		err = noDifference(rep, samples)
	default:
		var names []string
		for _, c := range wire.ClaimTests {
			names = append(names, c.Name)
		}
		return nil, wrong(fmt.Sprintf("claim: test is %q, want one of %s", q.Test,
			strings.Join(names, ", ")))
	}
	if err != nil {
		return nil, wrong("claim: " + err.Error())
	}
	return rep, nil
}

// parseSamples reads "a:1,2,3;b:4,5,6".
func parseSamples(text string) ([]reply.Sample, error) {
	var out []reply.Sample
	for part := range strings.SplitSeq(text, ";") {
		name, list, ok := strings.Cut(part, ":")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, wrong(fmt.Sprintf("claim: sample is %q, want name:values, as a:1,2,3;b:4,5,6", part))
		}
		if slices.ContainsFunc(out, func(s reply.Sample) bool { return s.Name == name }) {
			return nil, wrong(fmt.Sprintf("claim: two samples are called %s", name))
		}
		s := reply.Sample{Name: name}
		for word := range strings.SplitSeq(list, ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
			if err != nil || math.IsNaN(v) {
				return nil, wrong(fmt.Sprintf("claim: value %d of sample %s is %q, want a number",
					len(s.Values)+1, name, word))
			}
			s.Values = append(s.Values, v)
		}
		out = append(out, s)
	}
	if len(out) < 2 {
		return nil, wrong(fmt.Sprintf("claim: samples are %d, want two or more", len(out)))
	}
	return out, nil
}

// comparePairs tests the pairs of rep, and whether the first of each is lower, or higher.
func comparePairs(rep *reply.ClaimReply, samples []reply.Sample, paired, lower bool) error {
	var ps []float64
	of := func(name string) []float64 {
		i := slices.IndexFunc(samples, func(s reply.Sample) bool { return s.Name == name })
		return samples[i].Values
	}
	for i := range rep.Pairs {
		p := &rep.Pairs[i]
		a, b := of(p.A), of(p.B)
		var t stats.Test
		var err error
		if paired {
			t, err = stats.Wilcoxon(a, b, stats.DropZeros)
			p.Effect = reply.Num(shareBelow(a, b))
		} else {
			t, err = stats.MannWhitney(a, b)
			p.Effect = reply.Num(stats.A12(b, a))
		}
		if err != nil {
			return err
		}
		rep.Test = t.Name + ", " + t.How()
		ps = append(ps, t.P)
	}
	if len(ps) > 1 {
		rep.Test += ", adjusted by Holm"
	}
	var yes, against []string
	for i, v := range stats.Holm(ps) {
		p := &rep.Pairs[i]
		p.P = reply.Num(v)
		right := p.Effect > .5
		if !lower {
			right = p.Effect < .5
		}
		p.Holds = v < claimed && right
		switch name := p.A + " and " + p.B; {
		case p.Holds:
			yes = append(yes, name)
		case v < claimed && p.Effect != .5:
			against = append(against, name)
		}
	}
	rep.P = reply.Num(slices.Max(stats.Holm(ps)))
	switch {
	case len(yes) == len(rep.Pairs):
		rep.Verdict = reply.Holds
		rep.Words = fmt.Sprintf("%s, with p below %g", all(len(yes)), claimed)
	case len(against) > 0:
		rep.Verdict = reply.NotHolds
		rep.Words = "the other way round: " + strings.Join(against, ", ")
	default:
		rep.Verdict = reply.NotShown
		rep.Words = fmt.Sprintf("%d of %d differences as claimed, the others with p of %g or more",
			len(yes), len(rep.Pairs), claimed)
	}
	return nil
}

// all is how many differences are as claimed, where all are.
func all(n int) string {
	if n == 1 {
		return "the difference is as claimed"
	}
	return fmt.Sprintf("all %d differences are as claimed", n)
}

// shareBelow is the share of the pairs in which a is below b; those that are equal count half.
func shareBelow(a, b []float64) float64 {
	sum := 0.
	for i := range a {
		switch {
		case a[i] < b[i]:
			sum++
		case a[i] == b[i]:
			sum += .5
		}
	}
	return sum / float64(len(a))
}

// noDifference tests whether samples differ at all.
func noDifference(rep *reply.ClaimReply, samples []reply.Sample) error {
	var t stats.Test
	var err error
	if len(samples) == 2 {
		t, err = stats.MannWhitney(samples[0].Values, samples[1].Values)
		if err == nil {
			rep.Pairs = []reply.ClaimPair{{
				A: samples[0].Name, B: samples[1].Name, P: reply.Num(t.P), Holds: t.P >= claimed,
				Effect: reply.Num(stats.A12(samples[1].Values, samples[0].Values)),
			}}
		}
	} else {
		blocks := make([][]float64, len(samples[0].Values))
		for i := range blocks {
			for _, s := range samples {
				blocks[i] = append(blocks[i], s.Values[i])
			}
		}
		var r stats.Ranked
		r, err = stats.Friedman(blocks)
		t = r.Chi
		for i, rank := range r.Ranks {
			rep.Samples[i].Rank = reply.Num(rank)
		}
	}
	if err != nil {
		return err
	}
	rep.Test, rep.P = t.Name+", "+t.How(), reply.Num(t.P)
	if t.P >= claimed {
		rep.Verdict = reply.Holds
		rep.Words = fmt.Sprintf("no difference is found, p = %.2g; that is no proof that there is none",
			t.P)
		return nil
	}
	rep.Verdict = reply.NotHolds
	rep.Words = fmt.Sprintf("the samples differ, p = %.2g", t.P)
	return nil
}
