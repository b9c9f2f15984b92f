// Package tours holds the CUDA kernels of searches on tours: ils/2opt-rounds, whose rounds
// are defined in package solvers/rounds. Built with -tags cuda it registers the variant on
// the backend cuda; without, it only prepares what the kernels take, for tests.
//
// A chain is a block of warps, its tour lies in the multiprocessor's shared memory as 16-bit
// numbers: six bytes and a bit a city, which limits the number of cities to about 37,000 on an
// H100 or H200, 26,600 on an A100 and 10,400 with 64 KB. [MaxCities] says it exactly.
//
// The schedule parameters warps and lanes only share work out. Where warps is 0, the first
// iterations with kicks try several numbers, timed by the device, and the fastest stays;
// solvers.Run.Waves shows the table. rounds.cu is compiled to
// images/rounds.fatbin by kernels/build; a test runs the same source on the CPU, thread by
// thread, against the twin.
package tours
