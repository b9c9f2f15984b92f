// Package stream has the units of an experiment made by workers on other machines, over a NATS
// server with JetStream: that of package broker in this process, or any other.
//
//	f := &stream.Fabric{Address: stream.Address{URL: "nats://127.0.0.1:4222", Token: token}}
//	info, err := experiment.Make(ctx, store, "e1", experiment.Options{Load: load, Over: f})
//
// and on each machine
//
//	w := &stream.Worker{Address: address, Name: "attic", Cores: 8}
//	err := w.Run(ctx)
//
// # Who knows what
//
// The truth is in the store of who asked. The broker has a window of the units that are left, in a
// work-queue stream in memory with a subject and at most one message for each unit. A worker
// fetches one at a time, of the algorithms that it has in the same revision, and renews it until it
// is made, with the broker's answer; what is not renewed for Timing.AckWait goes to another. The
// result becomes an object under its hash, then the key of the unit is made, once: the first writer
// wins. Who asked reads it, tests that it can be the unit's, writes it into the store, and takes it
// from the broker. Every Timing.Check it compares what the broker has with what it wants: a broker
// that was lost gets all again, and so does one that lost a message.
//
// A unit that was made twice, as its worker was cut off or slow, is an audit: both results must be
// the same but for their times. Keys of units are hashes of all that decides a result, so what was
// made for one who has gone is there for the next. Of two who want a unit at the same time one
// takes the result away; the other has it made again, unless it has read it by then.
//
// Of a unit that takes long its worker gives the broker how far it is, every ten seconds, or fifty
// times what that takes: an object with the run's record and state, and a key that names it by its
// hash. The one who holds the unit after a worker that was lost goes on from there, if it is of the
// unit by its record and its state, and else begins anew; the result is the same. What is kept is
// given up with the unit's result; with Worker.KeepMost bytes of objects in all a broker is given
// no more of it.
//
// # Islands
//
// [Islands] has the iterations of a run's islands made by workers; see solvers.Run.PlaceIslands.
// The truth is with the run: the history, what the islands send each other, and of each island a
// state and what was done since. A worker that has an island is asked for the iterations that
// follow on each other, and answers with all that it made within a quarter of a second, with its
// best solution where an epoch ends or that is all. What it takes in at the ends of the next
// migration_delay epochs is known before, and is part of what it is asked for; so an island is as
// many epochs ahead of the run, of which it is asked for more before the run comes there, and waits
// for the others only where it would take in what is not sent yet. What it made ahead is used if it
// is what the run asks for then, deed by deed. One that lacks the island gets the state and all
// that was done since. Where the run is changed while the worker has gone ahead, the worker makes
// it anew from there. The state is fetched anew every ten seconds, or fifty times what that takes.
// A worker says that it is at work; one that is not heard for Timing.AckWait is lost, and its
// islands go on with another from their last states. What is made again by that must be what the
// run has already, iteration by iteration: else the run ends. A best solution must cost what is
// said. The run waits for workers where there are none; what it needs between two iterations, as
// its state, it makes itself then.
//
// # Code of one's own
//
// A unit whose solver or problem is somebody's own names the hash of its source, which is an object
// of the broker. It is of a kind of its own, which only workers have that were given a [Coder] and
// are of the same architecture: that compiles the source, if it is that of the hash, and of the
// unit. Where it cannot, the worker says why and leaves the unit to others.
//
// # What it costs
//
// The benchmarks of this package measure it, with broker, workers and who asks in one process:
//
//	go test ./solvers/experiment/stream -run xxx -bench . -benchtime 1x
//
// On 16 quiet cores (Intel Xeon, 27 November 2026), for a unit that takes no time itself, 4.2 ms of
// CPU time and 3.5 KB; ten workers with units of a second take 0.9 % longer than the units do. A
// unit that waits takes 540 bytes of the broker's memory, and a result for a tour of 1000 cities
// 20 KB until it is fetched; on disk there is nothing. A worker takes 160 to 180 KB and 4 ms to
// join; where units wait its first small one is made 4 ms after that. The unit of one that is lost
// is under way again after Timing.AckWait, and up to 2 s more where the others have nothing to do.
//
// METALAB_CHAOS=2000x30000 go test -run TestChaos made 2000 units of 0.7 s of CPU time by ten
// workers there, in 139 s and 1459 s of CPU time of all processes. One was killed every 10 s: ten
// times a worker, once the broker, twice who asked. The broker had 67 MB at most, and nothing on
// disk. METALAB_CHAOS=2000x6000 on two cores, with ten workers, the broker and who asked killed in
// two minutes, ended with the table of one undisturbed process, byte for byte.
//
// Islands, each with a worker of one core (BenchmarkIslands, ga on 1000 cities, an epoch of 10
// iterations), against as many on one core of one process: 1.9 times faster with 2, 3.1 with 4, 6.2
// with 8, 11.8 with 16.
//
// # How far it goes
//
// TestSimulate has the real broker, real workers and one who asks in virtual time, with units of a
// minute that are a sleep and are kept every ten seconds, 20 KB each time: all waiting is as it is,
// and the CPU time is that of the machinery alone, of all three together. On the same 16 cores:
//
//	workers x cores   CPU, cores   messages a minute   MB a minute   busy       lost units again
//	100 x 10          0.29         83,800              134           99.26 %    after 29.4 s
//	1,000 x 1         0.40         102,400             141           100.00 %   after 29.0 s
//	10,000 x 1        idle: 0.75; it was not made to its end in the minutes that there were
//
// Busy is the part of the workers' cores that has a unit. What 10,000 workers cost while they have
// nothing to do is what they ask for work; 1,000 take 0.08 cores for that, 100 of ten cores 0.02.
// So a worker should have all cores of its machine. A broker that is lost while all cores are at
// work costs units: it does not know what is under way, and gives it away again; of 1000 that were,
// 630 were begun a second time. What is first made stays, and the other is given up, or compared.
//
// A minute's units on so many cores need, by these figures:
//
//	cores     units/s   messages/s   MB/s   machinery   what is needed
//	10        0.17      14           0.02   0.003       nothing: the session's own broker
//	1,000     17        1,400        2.2    0.3         the same
//	100,000   1,700     140,000      220    29          a cluster of NATS, several who ask
//
// The machinery is in cores. Most of the bytes are what is kept of units under way. What breaks
// first is who asks: it reads one result after another, each in some ten questions to the broker,
// and writes it to disk before the next. SQLite took 1,425 results a second with tours of 1000
// cities and traces of 50 rows, 6.3 KB each in the file, on the 16 cores, and 260 on a busy machine
// of two (BenchmarkFinish of package sqlite): some 15,000 to 85,000 cores with units of a minute,
// ten times as many with units of ten. What is above that belongs into several experiments with a
// file each, and where these are to be one table, into a store of their own, by package exchange.
//
// # Trust
//
// Messages come from checked readers: no fields that they do not have, no other version, bounded
// sizes; the key of a unit is computed again from what it says. A worker reads no path and starts
// no program that a message names, but for code where it was told to take it: that may do all that
// the worker's user may, and whoever has the token may send some; instances are generated by their
// name or are objects that the readers of package datasets read, and must have the hash. A result
// must have a solution that costs what it says. A worker whose result is refused, or whose object
// is missing or not that of its hash, is trusted no more, and told why. What a worker gets no units
// of, or refuses, it says, and whoever lists the workers sees it, also of workers whose messages
// are of another version. A false result that fits, and an error that is none, are found only when
// the unit is made again; so is what a false worker kept of a unit that others go on from, if it
// fits. Whoever has the token or key of a user may stop that user's workers.
//
// Addresses have no tokens, as command lines can be read by others. The token of a broker on this
// machine goes to whatever listens at its port: on a machine with users who are not trusted, take
// TLS and nkeys.
//
// No clock of one machine is compared with that of another: messages have durations and no times.
package stream
