package wire

import "metalab/kernel/reply"

// dataVerbs tell about instances and solvers.
var dataVerbs = []Verb{
	typed[InstancesRequest, reply.InstancesReply](Verb{
		Name: "instances", Group: "data",
		Doc: "list the instances that are known: kind, size, best known value, and whether " +
			"the file is here",
		Example: "instances; instances pr; instances qap",
		Args: []Arg{{
			Name: "match", Kind: KindWord, Place: true,
			Doc: "those whose names hold this, or those of a kind: tsp, atsp, qap, ppp, weierstrass, " +
				"colouring",
		}},
	}),
	typed[InstanceRequest, reply.InstanceReply](Verb{
		Name: "instance", Group: "data", Doc: "load an instance and show what it is",
		Example: "instance pr1002",
		Args: []Arg{
			{Name: "name", Kind: KindInstance, Required: true, Place: true, Doc: "the name or the file"},
			{Name: "picture", Kind: KindTruth, Default: "false", Doc: "a small picture too, for pages"},
		},
	}),
	citiesVerb,
	typed[SolversRequest, reply.SolversReply](Verb{
		Name: "solvers", Group: "data", Browser: true,
		Doc: "list the solvers and their variants, and which of them run on GPUs; with a name also " +
			"what the presets are for, and the parameters",
		Example: "solvers; solvers acs; solvers acs/alt full; solvers arx; solvers param=q0",
		Args: []Arg{
			{
				Name: "solver", Kind: KindSolver, Place: true,
				Doc: "one solver, solver/variant, the name that a paper has for it, or an author",
			},
			{
				Name: "param", Kind: KindWord,
				Doc: "only those that have this parameter, and what it does there",
			},
			{Name: "full", Kind: KindTruth, Default: "false", Doc: "say of each parameter what it does"},
		},
	}),
	typed[DeclareRequest, reply.DeclareReply](Verb{
		Name: "declare", Group: "data",
		Doc: "make a solver of your own known: a program that calls lab.Declare; runs " +
			"that are open go on with the new code",
		Example: "declare walk ./walk",
		Args: []Arg{
			{
				Name: "solver", Kind: KindName, Required: true, Place: true,
				Doc: "the name that the program declares it under",
			},
			{
				Name: "program", Kind: KindPath, Required: true, Place: true,
				Doc: "the program; the host keeps a copy of it",
			},
			{Name: "source", Kind: KindBytes, Doc: "the Go source of the program, for records"},
			{Name: "line", Kind: KindBytes, Doc: "the line of the constructor in it"},
			{Name: "type", Kind: KindBytes, Doc: "the solver's type in it"},
			{
				Name: "exact", Kind: KindBytes,
				Doc: "the source is what makes the solver, and nothing else, as a record holds it",
			},
			{
				Name: "problem", Kind: KindBytes,
				Doc: "the source calls lab.DeclareProblem, and the host compiles the program",
			},
		},
	}),
	typed[CheckRequest, reply.CheckReply](Verb{
		Name: "check", Group: "data",
		Doc: "compare the deltas of a problem of your own with its costs, and its kernels for a GPU " +
			"with both, by moves at random",
		Example: "check knapsack",
		Args: []Arg{
			{
				Name: "problem", Kind: KindWord, Required: true, Place: true,
				Doc: "the name that it was declared under",
			},
			{
				Name: "moves", Kind: KindInt, Default: "1000",
				Doc: "how many of each neighbourhood, at most",
			},
			{Name: "seed", Kind: KindInt, Default: "1", Doc: "of the moves"},
		},
	}),
}

// CheckRequest names a problem that a user declared.
type CheckRequest struct {
	Problem string  `json:"problem"`
	Moves   int     `json:"moves,omitempty"`
	Seed    *uint64 `json:"seed,omitempty"`
}

// InstancesRequest asks for a list of instances: all, those of a kind, or those whose names contain
// a word.
type InstancesRequest struct {
	Match string `json:"match,omitempty"`
}

// InstanceRequest names an instance.
type InstanceRequest struct {
	Name    string `json:"name"`
	Picture bool   `json:"picture,omitempty"`
}

// SolversRequest asks for the solvers, or for one.
type SolversRequest struct {
	Solver string `json:"solver,omitempty"`
	Param  string `json:"param,omitempty"` // only those with this parameter
	Full   bool   `json:"full,omitempty"`
}

// DeclareRequest registers a solver that another program serves; see Worker.
type DeclareRequest struct {
	Solver  string `json:"solver"`
	Program string `json:"program"`          // path of the program
	Source  []byte `json:"source,omitempty"` // the Go file that declares it
	Line    int    `json:"line,omitempty"`   // of the constructor in it
	Type    string `json:"type,omitempty"`   // of the solver in it
	Exact   bool   `json:"exact,omitempty"`  // the source alone determines the solver

	// Problem says that the source declares a problem; Program may then be empty, and the host
	// compiles it.
	Problem bool `json:"problem,omitempty"`
}
