// Package conform holds the laws of metalab as tests. Import it in a test of your own solver and
// call Check:
//
//	func TestConform(t *testing.T) {
//		conform.Check(t, conform.Case{Solver: "acs", Instance: inst, Seed: 7})
//	}
//
// # Words
//
// A [Case] is a variant of a solver and what it is tried on. A record holds what a run says of
// itself: its points, its changes, its best solution. Two records are the same when everything
// is that a replay compares, so all but times. A trial is a random sequence of operations on a
// run. The twin of a variant on a device is the variant of that name on the CPU.
//
// # The laws, each a subtest
//
//   - best: the best never gets worse, and is what it says when its cost is computed again.
//   - set: a change is checked first, takes effect at the next iteration and is in the journal; a
//     refused one changes nothing.
//   - declarations: the variant, its parameters and its presets say what they are.
//   - steps: Step(n) is n times Step(1), and a replay sees a record that was falsified.
//   - seeds: two seeds give two runs.
//   - repeats: a seed of a repeat gives what the run by itself gives, through a file too.
//   - workers: parameters of class schedule never change a result.
//   - structural: forks that change structural parameters replay.
//   - start: a run that begins at a solution does so, or says that it cannot.
//   - interleavings: stepping, changing, forking, saving, loading and cancelling, at random,
//     change nothing but what the journal says.
//   - twin: a variant on a device gives what its twin on the CPU gives, bit for bit.
//
// A variant that is not deterministic is held to the first three, and to the refusal of a replay.
//
// # Launches that change
//
// A variant that shares out its work in many ways is held to law 2 by one small instance above, and
// by [CheckShapes] with instances, parameters and launches that are drawn: a [Shapes] says of what.
// Each case is a run on a backend beside one on the CPU, with everything of class schedule changed
// between iterations. A failure is made smaller, and says how it is drawn again: the variable
// METALAB_SHAPES ([ShapesVar]) has the seed, and draws more.
//
// # Adding a law
//
// Write a function checkX(t, c), which opens runs by Case.open and compares them by same, and give
// it its line in Check. Keep a case small: all laws together make some thousand iterations. What
// takes seconds belongs behind [Brief], what takes minutes behind [Long].
package conform
