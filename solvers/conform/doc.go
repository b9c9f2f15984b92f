// Package conform holds the laws of metalab as tests. Public: solvers/internal/api/api.txt lists
// the declarations that programs may rely on. Import it in a test of your own solver and call
// Check:
//
//	func TestConform(t *testing.T) {
//		conform.Check(t, conform.Case{Solver: "acs", Instance: inst, Seed: 7})
//	}
//
// # Words
//
// A [Case] is a variant of a solver with an instance and a seed. A record holds a run's points, its
// changes and its best solution. Two records are the same if everything that a replay compares is
// equal, so all but times. A trial is a random sequence of operations on a run. The twin of a
// variant on a device is the variant of that name on the CPU.
//
// # The laws, each a subtest
//
//   - best: the best never gets worse, and has the claimed cost.
//   - set: a change is checked first, takes effect at the next iteration and is in the journal; a
//     refused one changes nothing.
//   - declarations: the variant, its parameters and its presets are described.
//   - steps: Step(n) is n times Step(1), and a replay sees a record that was falsified.
//   - seeds: two seeds give two runs.
//   - repeats: a seed of a repeat gives the same result as the run by itself, also through a file.
//   - workers: parameters of class schedule never change a result.
//   - structural: forks that change structural parameters replay.
//   - start: a run that begins at a solution does so, or says that it cannot.
//   - interleavings: stepping, changing, forking, saving, loading and cancelling, at random, change
//     nothing but what the journal says.
//   - twin: a variant on a device gives what its twin on the CPU gives, bit for bit.
//
// A variant that is not deterministic must keep the first three laws, and refuse a replay.
//
// # Launches that change
//
// The laws above test a variant with many ways to distribute its work on one small instance only.
// [CheckShapes] draws instances, parameters and launches from a [Shapes]. Each case compares a run
// on a backend with one on the CPU, and changes everything of class schedule between iterations. It
// shrinks a failure, and prints how to draw it again: the variable METALAB_SHAPES ([ShapesVar])
// holds the seed, and can request more cases.
//
// # Adding a law
//
// Write a function checkX(t, c), which opens runs by Case.open and compares them by same, and give
// it its line in Check. Keep a case small: all laws together run some thousand iterations. Put
// tests of seconds behind [Brief], tests of minutes behind [Long].
package conform
