// Package host owns runs: prompts, notebook cells and pages are its clients. It executes verbs
// ([Host.Do]), reports events ([Host.Since]) and stores results. May change: api.txt does not
// promise its declarations. It has no sockets: package serve makes it a process with a socket, and
// a program that needs no process, such as a page of a browser, calls it:
//
//	h, err := host.New(ctx, host.Options{Session: "s1", StateDir: dir}, nil)
//	h.Begin()
//	raw, werr := h.Do(ctx, host.Request{Verb: "open", Body: body, Who: "prompt"})
//	h.Close(nil)
//
// # What is saved
//
// The host autosaves every run from its opening on, every two seconds, into the user's folder of
// state. When it ends, it leaves the autosaves of runs without a later save, for thirty days, and
// the verb recover opens them. It does not write a state of over 256 MiB, such as a population of
// millions of cities: recover runs the iterations again. It keeps autosaves of closed runs
// separately, the last twenty for a day. If it cannot write an autosave, for example because the
// disk is full, the run continues, the host tells all clients once, and it writes the rest as soon
// as that is possible. Lists show damaged autosaves with their readable part, and only a user can
// drop them. An index beside the files makes listing fast; opening reads the record itself.
//
// # Rooms
//
// Features beyond sessions and runs are rooms. A room is a package below this folder with verbs of
// its own, which it registers by [Handle] or [HandleIn] when it is initialized. It uses the host
// through [Call] and [Host], and stores its data of each host in a [Room], whose [Hooks] the host
// calls at its end; the host knows no room. Package rooms links all of them, and the algorithms;
// programs that become a host import it.
//
//	serve              the process, its socket and the routes; no verbs
//	gpus               devices, gpu, upload, values, module, launch, free; what GPUs there are
//	experiments        experiment, sweep, tune, chart
//	pages              dashboard, pages in cells, what pages may do
//	export             export: CSV, solutions, pages that replay
//	machines           workers, worker, over=: experiments over several machines
//	papers             bench, paper, glance, claim
//	internal/lock      (no room) files that one process at a time has
//	internal/hosttest  (no room) what tests of all of these share
//
// # Growing
//
// Package rooms/core links the algorithms and the rooms that bring no large package. A program with
// no more than that knows the verbs of the others all the same, and its host grows for the first of
// them: the whole program is compiled and goes on in its place, see [HandleGrowth] and package
// kernel/grow. That is the way of a failed GPU, below, but nothing has failed: going runs are not
// paused, so that no journal tells of it, limits are counted from where they were, and the host
// refuses to grow while a run is not autosaved or something is on a GPU, which would be lost.
//
// # Verbs and their places
//
// So a new verb goes into the room that it is about; into a file here if it is about a run, what is
// kept of it, or the session; and into a new room if it imports a package that the host does not
// need. The host and its tests must not need GPUs, SQLite, sockets or pages, and it must compile
// for a browser: .ci/arrows and .ci/run test that.
//
// # When a GPU fails
//
// After errors such as a kernel's illegal address, the GPU is unusable in that process. The host
// then saves its runs ([Host.Park]), package serve executes the program again in place, and the
// next host loads them in the state that they had: those on the GPU from record and last snapshot.
// Running runs continue, except those that failed. Requests without an answer reach the next
// process, which knows how much of them was done; streams of events continue with a notice that
// says what happened. Experiments and tunings in the background continue; the unit in which the GPU
// failed is a failure with its error.
//
// # Runs and clients
//
// The semantics of several clients on one run are the engine's: steps queue, each gets exactly its
// iterations, go is a standing order behind them. A client that disconnects withdraws the steps for
// which it waits, and nothing else. The host adds names, events, and calls that it executes once
// although a client sends them twice.
package host
