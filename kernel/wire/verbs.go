package wire

import (
	"slices"
	"strings"
)

// Verbs is the table of all verbs, in the order of help. Each verb is in the file of its group,
// with its request below the group.
var Verbs = slices.Concat(
	runVerbs, lookVerbs, recordVerbs, repeatVerbs, paperVerbs, experimentVerbs, tuneVerbs,
	machineVerbs, dataVerbs, gpuVerbs, sessionVerbs,
)

// onDoc says what on= takes.
const onDoc = "the backend, cpu or cuda, and of several GPUs which, as cuda:1, cuda:0,1 or cuda:all"

// Arguments that several verbs share.
var (
	argRun  = Arg{Name: "run", Kind: KindRun, Doc: "the run", Required: true, Place: true}
	argRuns = Arg{
		Name: "run", Kind: KindRun, Doc: "the run; several may be named, or all",
		Required: true, Place: true, Many: true,
	}
	argAs = Arg{
		Name: "as", Kind: KindName, Word: "as",
		Doc: "the name of the new run; the next free letter when left out",
	}
	argParams = Arg{
		Name: "params", Kind: KindParams,
		Doc: "parameters; params lists those of a run, solvers those of a solver",
	}
	argFresh = Arg{
		Name: "fresh", Kind: KindTruth, Default: "false",
		Doc: "close the run of that name first, if there is one",
	}
	argOn   = Arg{Name: "on", Kind: KindWord, Choices: Backends, Doc: onDoc}
	argGPU  = Arg{Name: "device", Kind: KindInt, Default: "0", Doc: "the number of the GPU"}
	argN    = Arg{Name: "n", Kind: KindInt, Place: true, Doc: "iterations"}
	argWall = Arg{
		Name: "wall", Kind: KindSeconds,
		Doc: "seconds of iterating; also typed as 10s or 2m",
	}
	argCPU   = Arg{Name: "cpu", Kind: KindSeconds, Doc: "CPU seconds; also typed as 10cpu"}
	argUntil = Arg{
		Name: "until", Kind: KindCond, Word: "until",
		Doc: "a condition: gap<1, best<=2579 (best>=2579 of what is maximised), stall=500, " +
			"iteration=1000, time=10s, cpu=10s; several with commas, the first that holds ends the step",
	}
)

// Empty is the request of verbs without arguments.
type Empty struct{}

// RunRequest names a run.
type RunRequest struct {
	Run string `json:"run"`
}

// NamesOf splits a list of names at its commas.
func NamesOf(list string) []string {
	var out []string
	for n := range strings.SplitSeq(list, ",") {
		if n = strings.TrimSpace(n); n != "" {
			out = append(out, n)
		}
	}
	return out
}
