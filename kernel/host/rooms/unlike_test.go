package rooms_test

import (
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Rows of variants whose defaults differ in kind say so, and how they are made alike.
func TestUnlikeDefaults(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	const unlike = "acs/seq has local_search=oropt and acs/alt local_search=none, which may be what " +
		"makes them differ: give one local_search=, or preset=paper for both as published"
	for line, want := range map[string]bool{
		"experiment e1 solvers=acs/seq,acs/alt instances=rand-40-1 seeds=5 n=3":                   true,
		"experiment e2 solvers=acs/seq,acs/alt instances=rand-40-1 seeds=5 n=3 preset=paper":      false,
		"experiment e3 solvers=acs/seq,acs/alt instances=rand-40-1 seeds=5 n=3 local_search=none": false,
		"experiment e4 solvers=acs instances=rand-40-1 seeds=5 n=3 local_search=none,oropt":       false,
		"open acs rand-40-1 as s; sweep s variant=seq,alt n=3 seeds=5":                            true,
	} {
		r := l.Do(line).(*reply.ExperimentReply)
		if strings.Contains(r.String(), unlike) != want {
			t.Errorf("%s: %s", line, r)
		}
		if !want && strings.Contains(r.Test, "makes them differ") {
			t.Errorf("%s: %s", line, r.Test)
		}
	}
}

// A parameter that does nothing where a run is says so, and one that a run has not names the
// variants that have it.
func TestIdleParameters(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	const idle = "of no effect on the cpu"
	for line, want := range map[string]bool{
		"open acs/spm rand-40-1 as a; set a warps=2":                  true,
		"open ils/2opt-rounds rand-40-1 as b; set b trials=5 lanes=2": true,
		"open ils/best rand-40-1 as c preset=paper; set c blocks=4":   true,
		"open tabu tai12a as d; set d reduce=host":                    true,
		"open tabu tai12a as e; set e tenure=9":                       false,
		"open tabu tai12a as f; set f wave=64":                        false,
	} {
		if r := l.Do(line).(*reply.SetReply); strings.Contains(r.String(), idle) != want ||
			strings.Contains(r.HTML(), idle) != want {
			t.Errorf("%s: %s", line, r)
		}
	}
	for _, line := range []string{
		"open acs/spm rand-40-1 as h warps=2", "open acs/spm rand-40-1 as i; fork i as j warps=2",
	} {
		if r := l.Do(line).(*reply.OpenReply); !strings.Contains(r.String(), idle) ||
			!strings.Contains(r.HTML(), idle) {
			t.Errorf("%s: %s", line, r)
		}
	}
	for _, line := range []string{
		"open acs rand-40-1 as g; set g warps=2", "open acs rand-40-1 as k warps=2",
		"fork g as k warps=2", "params g warps",
	} {
		l.Fails(line, wire.CodeRequest, "warps is one of acs/", "acs/spm")
	}
}
