package lab

import (
	"fmt"
	"strconv"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/solvers/record"
)

// Experiment plans an experiment and runs it on all cores: solvers on instances, with several
// values of parameters, over seeds, with equal budgets. A file stores it: the same cell resumes it
// after an interrupt, and a larger number of seeds runs only the new ones. An interrupt loses only
// the units in progress. what is the rest of the line, as at the prompt:
//
//	lab.Experiment("e1", "solvers=acs,mmas/wrs instances=d198,pcb442 seeds=10 n=500 beta=2,3")
//	lab.Experiment("e1", "seeds=20")
//	lab.Experiment("e1", "") // shows its table
//	lab.Experiment("e1", "open 12 as a")
func Experiment(name, what string) *reply.ExperimentReply {
	var q wire.ExperimentRequest
	call, err := words.Parse("experiment "+name+" "+what, words.Scope{Runs: []string{}, Dir: dir()})
	if err == nil {
		err = call.Bind(&q)
	}
	check(err)
	var rep reply.ExperimentReply
	study("experiment", q, &rep)
	return &rep
}

// Experiments lists all experiments.
func Experiments() *reply.ExperimentReply {
	var rep reply.ExperimentReply
	study("experiment", wire.ExperimentRequest{}, &rep)
	return &rep
}

// Sweep repeats a run with several values of a parameter, over so many seeds, on all cores, each
// with as many iterations as the run has done: means, medians, and the significance of each value
// against the first. lab.Do("sweep a q0=0.8,0.9 ants=10,20 10s") has other budgets and two
// parameters.
//
//	lab.Sweep(a, 30, "local_period", 1, 2, 4, 8, 16)
func Sweep(run *Run, seeds int, parameter string, values ...any) *reply.ExperimentReply {
	list := ""
	for i, v := range values {
		if i > 0 {
			list += ","
		}
		list += fmt.Sprint(v)
	}
	var rep reply.ExperimentReply
	study("sweep", wire.SweepRequest{
		Run: names("Sweep", []*Run{run})[0], Seeds: &seeds,
		Params: record.Values{parameter: record.Text(list)},
	}, &rep)
	return &rep
}

// study asks for what may take long.
func study(verb string, q, rep any) {
	c := Client()
	ctx, done := during()
	id := c.NewCall()
	end := progressing(c, id, verb)
	err := c.DoID(ctx, id, verb, q, rep)
	end(err)
	done(err != nil)
	if err != nil && ctx.Err() != nil {
		fail(&Error{wire.CodeCanceled, "interrupted; what was made is kept: the same again goes on"})
	}
	check(err)
}

// Targets returns the cost at which the units of an experiment reach targets, in percent above the
// best known value: expected running times (ERT). by is the cost: "iterations", "evaluations",
// "wall" or "cpu"; "": that of the budget. Without targets it chooses some.
//
//	lab.Targets("e1", "cpu", 5, 2, 1)
func Targets(experiment, by string, at ...float64) *reply.ExperimentReply {
	return experimentView(experiment, "targets", by, at)
}

// Budgets returns the results of an experiment's units within equal budgets: medians of the gaps in
// percent, and whether the last ones differ. by is the cost: "iterations", "evaluations", "wall" or
// "cpu"; "": that of the units' budget. Without budgets it chooses some.
//
//	lab.Budgets("e1", "wall", 0.1, 1, 10)
func Budgets(experiment, by string, at ...float64) *reply.ExperimentReply {
	return experimentView(experiment, "budgets", by, at)
}

func experimentView(name, do, by string, at []float64) *reply.ExperimentReply {
	var list []string
	for _, v := range at {
		list = append(list, strconv.FormatFloat(v, 'g', -1, 64))
	}
	var rep reply.ExperimentReply
	ask("experiment", wire.ExperimentRequest{
		Name: name, Do: do, By: by, At: strings.Join(list, ","),
	}, &rep)
	return &rep
}

// Chart draws a figure of an experiment: "box", "violin", "error", "median", "ecdf", "ert", "heat",
// "parallel" or "importance", with a plot for each instance; or "ranks", "profile" or "speedup"
// over all instances. Options may follow the figure as at the prompt, such as "ecdf by=cpu
// at=1,2,5" or "box d198".
func Chart(experiment, figure string) *reply.PlotReply {
	q := wire.ChartRequest{Name: experiment, Figure: figure}
	if strings.ContainsAny(figure, " =") {
		call, err := words.Parse("chart "+experiment+" "+figure,
			words.Scope{Runs: []string{}, Dir: dir()})
		if err == nil {
			err = call.Bind(&q)
		}
		check(err)
	}
	q.Sink = plotSink()
	var r reply.PlotReply
	ask("chart", q, &r)
	return &r
}
