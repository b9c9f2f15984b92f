package host_test

import (
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Names of papers open what they stand for, and say what that is.
func TestOpenByName(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	for _, c := range []struct {
		line string
		want []string
	}{
		{"open acs-gpu-spm rand-100-1 as a", []string{
			"a: acs/spm, rand-100-1 (100), seed 1, preset paper; opened",
			"ACS-GPU-SPM, with a selective pheromone memory (R. Skinderowicz, 2016): " +
				"acs/spm preset=paper",
		}},
		{"open ACS-GPU-SPM rand-100-1 as a", []string{"is open already", "acs/spm preset=paper"}},
		{"open acs-gpu-alt rand-100-1 as b preset=paper-star", []string{
			"preset paper-star; opened", "acs/alt preset=paper-star", "ants=256",
		}},
		{"open arx rand-100-1 as c population=64", []string{
			"ga/tournament preset=paper crossover=arx", "crossover=arx", "population=64",
		}},
		{"open arx rand-100-1 as d crossover=arx variant=tournament", []string{"crossover=arx"}},
	} {
		text := l.Do(c.line).String()
		for _, w := range c.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q in\n%s", c.line, w, text)
			}
		}
	}
	if r := l.Do("open acs rand-100-1 as e").(*reply.OpenReply); r.Named != "" {
		t.Errorf("a solver's own name stands for %q", r.Named)
	}
	for line, want := range map[string]string{
		"open arx rand-100-1 crossover=scx": "arx is ga/tournament preset=paper crossover=arx, " +
			"against crossover=scx",
		"open arx rand-100-1 variant=eax":     "against variant=eax",
		"open kang rand-100-1":                "kang is an author of scx, bcscx, arx, hybrid",
		"open acs-gpu-smp rand-100-1":         "; did you mean acs-gpu-spm?",
		"open mmsa rand-100-1":                "; did you mean mmas?",
		"open acs/spn rand-100-1":             "; did you mean spm?",
		"open acs rand-100-1 variant=locksep": "; did you mean lockstep?",
		"solvers skinderowitz":                "; did you mean skinderowicz?",
	} {
		l.Fails(line, wire.CodeRequest, want)
	}
}

// solvers tells what a name stands for, and what is of an author.
func TestSolversByName(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	one := l.Do("solvers acs-gpu-alt").(*reply.SolversReply)
	if len(one.Variants) != 1 || one.Variants[0].Variant != "alt" ||
		len(one.Variants[0].Params) == 0 ||
		len(one.Names) != 1 || !strings.Contains(one.String(), "acs/alt preset=paper") {
		t.Errorf("solvers acs-gpu-alt:\n%s", one)
	}
	all := l.Do("solvers").String()
	for author, want := range map[string][]string{
		"skinderowicz": {"acs-gpu-spm*", "mmas-wrs-bt", "R. Skinderowicz, 2020"},
		"Kang":         {"bcscx", "ga/tournament preset=paper crossover=scx"},
		"luong":        {"hill-climbing", "tabu-search", "vnd"},
		"dorigo":       {"seq"}, // of whom no name is in the table
	} {
		text := l.Do("solvers " + author).String()
		if strings.Contains(text, "what it does") || len(text) > len(all) && author != "skinderowicz" {
			t.Errorf("solvers %s tells too much:\n%s", author, text)
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("solvers %s: no %q in\n%s", author, w, text)
			}
		}
	}
	if !strings.Contains(all, "names of papers: acs-seq, ") {
		t.Errorf("solvers:\n%s", all)
	}
}
