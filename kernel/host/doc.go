// Package host owns runs: prompts, notebook cells and pages are its clients. It carries out verbs
// ([Host.Do]), tells what happens ([Host.Since]) and keeps what was made. How a client reaches it
// is no business of it: package serve makes it a process with a socket, and a program that needs
// no process, as a page of a browser, calls it:
//
//	h, err := host.New(ctx, host.Options{Session: "s1", StateDir: dir}, nil)
//	h.Begin()
//	raw, werr := h.Do(ctx, host.Request{Verb: "open", Body: body, Who: "prompt"})
//	h.Close(nil)
//
// # What is saved
//
// Every run is autosaved from open on, every two seconds, into the user's folder of state. A host
// that ends leaves the autosaves of runs that were not saved since, for thirty days, and the verb
// recover opens them. A state of over 256 MiB, as of a population of millions of cities, is not
// written: recover makes the iterations again. Autosaves of runs that were closed are kept apart,
// the last twenty for a day. Where an autosave cannot be written, as on a full disk, the run goes
// on, all clients are told once, and what is missing is written as soon as that is possible.
// Damaged autosaves are listed with what can still be opened of them, and stay until a user drops
// them. An index beside the files makes listing fast; opening reads the record itself.
//
// # Rooms
//
// What is no business of sessions and runs is a room: a package below this folder with verbs of
// its own, which it binds by [Handle] or [HandleIn] when it is linked. A room asks the host for
// what it needs by [Call] and [Host], and keeps what it has of each host in a [Room], whose
// [Hooks] the host calls at its end; the host knows no room. Package rooms links all of them, and
// the algorithms; every program that becomes a host imports it.
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
// So a new verb goes into the room that it is about; into a file here if it is about a run, what
// is kept of it, or the session; and into a room of its own if it brings a package that the host
// does not need. The host and its tests must not need GPUs, SQLite, sockets or pages, and it must
// compile for a browser: .ci/arrows and .ci/run test that.
//
// # When a GPU fails
//
// After a kernel's illegal address and the like, nothing works any more on the GPU in that
// process. The host then saves its runs ([Host.Park]), package serve executes the program again in
// place, and the next host loads them in the state that they had: those on the GPU from record and
// last snapshot. Runs that were going on go on, except those that failed. Requests without an
// answer reach the next process, which knows how much of them was done; streams of events continue
// with a notice that says what happened. Experiments and tunings in the background go on; the unit
// that the GPU failed in is a failure with its error.
//
// # Runs and clients
//
// The semantics of several clients on one run are the engine's: steps queue, each gets exactly its
// iterations, go is a standing order behind them. A client that disconnects withdraws the steps
// for which it waits, and nothing else. The host adds names, calls that are sent twice but carried
// out once, and events.
package host
