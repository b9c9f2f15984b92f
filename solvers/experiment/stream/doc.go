// Package stream runs the units of an experiment on workers on other machines, through a NATS
// server with JetStream: that of package broker in this process, or any other. May change: api.txt
// does not promise its declarations.
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
// The coordinator's store is the authority. The broker has a window of the remaining units, in a
// work-queue stream in memory with a subject and at most one message for each unit. A worker
// fetches one unit at a time, for algorithms that it has in the same revision, and renews its
// lease, with the broker's answer, until the unit is done. A unit without renewal for
// Timing.AckWait goes to another worker. The worker stores the result as an object under its hash,
// and then creates the key of the unit, once: the first writer wins. The coordinator reads the
// result, checks that it can be the unit's, writes it to the store, and removes it from the broker.
// Every Timing.Check it compares the broker's contents with what it wants: it sends everything
// again to a broker that was restarted or lost a message.
//
// A unit that ran twice, because its worker was cut off or slow, is an audit: both results must be
// equal except for times. Keys of units are hashes of all that decides a result, so results for a
// coordinator that has gone serve the next one. If two coordinators want a unit at the same time,
// one removes the result; the other has the unit run again, unless it has read the result by then.
//
// A worker saves the progress of a long unit at the broker, every ten seconds, or fifty times what
// that takes: an object with the run's record and state, and a key with its hash. If the worker is
// lost, the next worker of the unit continues from there, provided that record and state belong to
// the unit, and begins anew otherwise; the result is the same. The unit's result ends the saved
// progress. From Worker.KeepMost bytes of objects on, the broker gets no more of it.
//
// # Islands
//
// [Islands] runs the iterations of a run's islands on workers; see solvers.Run.PlaceIslands. The
// run is the authority: it has the history, the migrants, and for each island a state and the
// operations since. It requests a sequence of iterations from the worker of an island, which
// answers with all that it ran within a quarter of a second, and with the best solution at the end
// of an epoch or of the request. The migrants at the ends of the next migration_delay epochs are
// known in advance, and the request includes them. So an island runs that many epochs ahead of the
// run, which requests more before it arrives there, and the island waits for others only when its
// next migrants are not sent yet. The run uses work done ahead if it matches its later requests,
// operation by operation. A worker that lacks the island gets the state and all operations since.
// If the run changes while a worker is ahead, the worker runs the island again from there. The run
// fetches the state every ten seconds, or fifty times what that takes. A worker that is silent for
// Timing.AckWait is lost, and another continues its islands from their last states. Repeated
// iterations must equal those that the run has; otherwise the run ends. A best solution must have
// the claimed cost. Without workers the run waits; what it needs between two iterations, such as
// its state, it then computes itself.
//
// # Users' code
//
// A unit of a user's own solver or problem contains the hash of its source, which is an object of
// the broker. It has a kind of its own, for workers with a [Coder] and the same architecture. The
// Coder compiles the source if it has that hash and belongs to the unit. Otherwise the worker
// reports why and leaves the unit to others.
//
// # What it costs
//
// The benchmarks of this package measure it, with broker, workers and coordinator in one process:
//
//	go test ./solvers/experiment/stream -run xxx -bench . -benchtime 1x
//
// On 16 quiet cores (Intel Xeon, 27 November 2026), a unit without work of its own costs 4.2 ms of
// CPU time and 3.5 KB; ten workers with units of a second take 0.9 % longer than the units. A
// waiting unit takes 540 bytes of the broker's memory, and a result for a tour of 1000 cities 20 KB
// until the coordinator fetches it; nothing is on disk. A worker takes 160 to 180 KB and 4 ms to
// join; if units wait, its first small one is done 4 ms later. The unit of a lost worker runs again
// after Timing.AckWait, and up to 2 s more if the others are idle.
//
// METALAB_CHAOS=2000x30000 go test -run TestChaos ran 2000 units of 0.7 s of CPU time on ten
// workers there, in 139 s and 1459 s of CPU time of all processes. It killed a process every 10 s:
// ten times a worker, once the broker, twice the coordinator. The broker had 67 MB at most, and
// nothing on disk. METALAB_CHAOS=2000x6000 on two cores, with ten workers, the broker and the
// coordinator killed in two minutes, ended with the table of one undisturbed process, byte for
// byte.
//
// Islands, each with a worker of one core (BenchmarkIslands, ga on 1000 cities, an epoch of 10
// iterations), against as many on one core of one process: 1.9 times faster with 2, 3.1 with 4, 6.2
// with 8, 11.8 with 16.
//
// # How far it goes
//
// TestSimulate runs the real broker, real workers and a coordinator in virtual time, with units
// that sleep for a minute and save 20 KB every ten seconds: all waiting is real, and the CPU time
// is that of the machinery alone, of all three together. On the same 16 cores:
//
//	workers x cores   CPU, cores   messages a minute   MB a minute   busy       lost units again
//	100 x 10          0.29         83,800              134           99.26 %    after 29.4 s
//	1,000 x 1         0.40         102,400             141           100.00 %   after 29.0 s
//	10,000 x 1        idle: 0.75; the run did not end within the minutes allowed
//
// Busy is the share of the workers' cores with a unit. The cost of 10,000 idle workers is that of
// polling for work; 1,000 take 0.08 cores for that, 100 of ten cores 0.02. So give a worker all
// cores of its machine. The loss of a broker while all cores are at work costs units: the new
// broker does not know which units are in progress, and hands them out again; of 1000, 630 began a
// second time. The first result stays, and the other is dropped, or compared.
//
// A minute's units on so many cores need, by these figures:
//
//	cores     units/s   messages/s   MB/s   machinery   what is needed
//	10        0.17      14           0.02   0.003       nothing: the session's own broker
//	1,000     17        1,400        2.2    0.3         the same
//	100,000   1,700     140,000      220    29          a cluster of NATS, several coordinators
//
// The machinery is in cores. Most of the bytes are saved progress of units. The coordinator is the
// first bottleneck: it reads one result after another, each in some ten requests to the broker, and
// writes it to disk before the next. SQLite took 1,425 results a second with tours of 1000 cities
// and traces of 50 rows, 6.3 KB each in the file, on the 16 cores, and 260 on a busy machine of two
// (BenchmarkFinish of package sqlite): some 15,000 to 85,000 cores with units of a minute, ten
// times as many with units of ten. For more, use several experiments with a file each, and package
// exchange to gather them into one table.
//
// # Trust
//
// Readers check messages: no unknown fields, no other version, bounded sizes; and they compute the
// key of a unit again from its contents. A worker reads no path and starts no program that a
// message names, except for code if its options accept it: such code may do all that the worker's
// user may, and everybody with the token may send it. Instances are generated by their name, or are
// objects that the readers of package datasets parse, and must have the hash. A result must have a
// solution with the claimed cost. A worker whose result is refused, or whose object is missing or
// does not have its hash, loses the coordinator's trust, and learns why. A worker reports which
// units it cannot get or refuses, and the list of workers shows it, also for workers with another
// version of messages. A false result that fits, and an invented error, come to light only if the
// unit runs again; the same holds for fitting false progress from which others continue. Everybody
// with the token or key of a user can stop that user's workers.
//
// Addresses have no tokens, as others can read command lines. The token of a broker on this machine
// goes to whatever listens at its port: on a machine with untrusted users, use TLS and nkeys.
//
// Nothing compares the clocks of two machines: messages contain durations and no times.
package stream
