// Package ants constructs tours of ants on a GPU: it is the crew, as package
// metalab/solvers/ants/crew has it, of as/wrs, mmas/wrs, mmas/rows, mmas/thin, acs/lockstep and
// acs/spm-sync, whose results these kernels have bit for bit, and of acs/alt and acs/spm, whose
// ants race. Import it, in a program built with the tag cuda, for its registrations under the
// backend cuda.
//
// # How it is built
//
//	lines.go    the table: a line a variant, with its source, its form and what it refuses
//	crew.go     deviceCrew, the crew: buffers, iterations and graphs, the form interface
//	trails.go   what a policy asks of trails and kept tours
//	wrs.go ...  the forms: which kernels construct, prepare and look, and how they are launched;
//	            steps.go is what those of alt.go and spm.go share
//	args.go     one Go struct for each struct of the kernels; TestLayout holds them to it
//	job.go      the job that is written for the next iteration
//	instance.go an instance as the kernels take it
//	pace.go     times and tunes launches; claim.go asks for the device's memory; search.go improves
//	*.cu        the kernels; testdata/emulate.cc runs them on a CPU, fibre by fibre, in tests
//
// # How to add a form
//
// Write the kernels: common.cuh has the instance, the job, the kept tours and the nearest unvisited
// city; a construction kernel makes one tour a warp and ends with finish. Write a form: a type that
// has the crew and the methods of form, of which trails by slot take sendTable, fetchTable, weigh
// and lookBySlot. Add a line to the table, and the source to metalab/kernels/build, which compiles
// it. For the tests add an opener to emulate_test.go's kind, trials to emulations and golden runs.
// The policy, its parameters and its record are as on the CPU.
//
// # One iteration
//
// Trails and tours live on the device. What is to be done is written to a job in pinned memory;
// then come, in one stream and for as/wrs and mmas/wrs as one graph:
//
//	keep_tours   keeps the tours that the host decided to keep, checks a new best one, and writes
//	             the tour that deposits as neighbours of cities
//	prepare      deposits and evaporates, and makes what choices need, one thread per slot
//	construct... constructs the tours, one warp per ant, and of each its length, its hash and the
//	             number of choices that its candidates could not make
//
// then, with local_search=2opt-rounds or oropt-rounds, the search of package kernels/rounds on the
// tours where they are, or on the share of them that is shortest; it brings lengths and hashes up
// to date. keep_tours runs before, so the best tour that it is told is that of all iterations
// before, as on the CPU. Other local searches (of acs) are made on the host's cores, to which the
// tours are copied.
//
// At last the numbers of the ants, 24 bytes each, are copied back. So the deposit of an iteration
// is made at the start of the next one, or as soon as somebody asks for the trails.
//
// # The deposits of as/wrs
//
// All ants deposit, so before prepare comes deposit: a warp takes 128 positions of a tour, its
// lanes compare the list of each city with the cities before and behind it, and those that find one
// add the tour's share to the slot's sum, 64 bits, by an atomic addition. Shares are whole numbers
// (crew.Shares), so the order of additions does not count; prepare_all turns a sum into a trail
// once and leaves 0 behind. The construction is that of mmas/wrs. m ants in n cities take m n reads
// of a list, 64 bytes each, and up to 2 m n additions. At the 41 G rows a second that L2 was
// measured to give, n ants' reads take at least 0.024 ms on pr1002 and 0.14 ms on pr2392; deposit
// was measured to take 0.049 and 0.22 ms on an H200, beside constructions of 0.13 and 0.55 ms, and
// prepare_all, which moves 32 bytes a slot, 1.03 and 2.45 MB, 0.004 ms.
//
// # The constructions
//
// Lane s of a warp looks at slot s of the list of the ant's city. A step of mmas/wrs is a chain:
// the row of the city, what of it is visited, one reduction over the warp, the next row. All else
// is made in its shadow: a lane has the Philox block of four steps, whose rounds are made in the
// four before, and the clock of a step is made two steps earlier. Up to 8192 cities what a lane
// reads of a slot is one word, of the reciprocal of a weight and the city's number, and so is a
// key, so the reduction gives the winner's city. Visited cities are bytes in shared memory, which
// are joined to a key by an or; a lane reads no byte that another lane writes before the next
// reduction. The steps in which a candidate is found are a loop without a call; an ant whose
// candidates are visited leaves it, and comes back with the next block of draws. The ant's last 32
// cities, too, lie in shared memory, and become words of the tour, and of bits for those who look
// for the nearest city, together. The lists are copied to shared memory where they fit beside that,
// up to some 1600 cities on a device with 227 KiB. With more than 8192 cities a row is two reads
// and visited cities are bits.
//
// mmas/rows with lists constructs as mmas/wrs does, by the tabu list that is asked for, each a
// kernel of its own (tabu.cuh): lc has 4 bytes a city of an ant in shared memory, ct 2 and bt a
// bit, so fewer ants share a block of lc; rwm takes two sums over the warp in place of the
// reduction. An ant whose candidates are visited looks at all that its tabu list has left. Without
// lists a warp, or with warps above 1 a block, is an ant: a row of the weights' matrix is read at
// the places of the unvisited, which lie in shared memory, eight of a lane at a time, all loads
// under way together, four bytes a city. In wrs a lane has one key for these eight, so one block of
// draws does for 32 places, and one reduction, one shuffle and a list's entry follow the loads; up
// to some 230 cities the matrix is in shared memory, of bt a lane does not read four neighbours
// that are visited. There are up to 8192 cities, for in rwm a lane holds the sum of a segment of
// 256; the three matrices take 12 n^2 bytes.
//
// # How constructions are launched
//
// Where the parameter warps is 0, the first iterations try the shapes that the device allows, each
// timed by its events: how many ants share a block, and in mmas/rows without lists how many warps
// share an ant. The program's own choice comes first; each has trials iterations, or two where it
// is a fifth slower than the best; a launch that fails is skipped, and the walk of the iteration is
// made under the next. Then the fastest stays. solvers.Run.Waves shows the table. While shapes are
// tried an iteration is no graph. No shape changes a result.
//
// # The construction of mmas/thin
//
// A warp is an ant: its lanes have the clocks of the near cities, and the next 32 arrivals of what
// is far, which lie ready for many choices. A reduction gives the first clock, another its city,
// while clocks of later choices are drawn. Where arrivals come before that, all at once read a cell
// each of the city's alias table, four bytes that tell the city. The choice has no call and no
// loop; it leaves the inner loop for a new batch of arrivals and for a look at all cities. Asking
// for cells before the first clock is known was measured: it was slower, by 4 % on pr1002 and by 69
// % on pr2392. In construct_small, for blocks of up to 20 ants, four choices stand one behind the
// other, which share the draw of a block.
//
// The near cities are new in each iteration, for the four heaviest of the others have clocks too.
// Without that the edges of good tours had most of the weight of what is far, nearly all arrivals
// were of visited cities, and of the late choices on pr2392 one in a hundred looked at all cities.
//
// A block makes the table of a city in shared memory, ten bytes a city, which a row must fit. Units
// are whole numbers, so running sums may be made in any order, and no cell waits for another: of
// each heavy city it is found where its units end, of each light one how many ended before. The
// four matrices take 16 n^2 bytes.
//
// # The construction of acs/lockstep
//
// All ants are resident, and meet after each position whose choices are visits. Each block has the
// counts of all visits in its shared memory, 16 bits for each edge; one that both cities have in
// their rows has one count. A visit is a word that an ant writes for all blocks to read: the number
// of the edge, and of which meeting it is. Some warps of each block are no ants: they read the
// words of all, 4 bytes an ant, until each is of this meeting, and add to the block's counts. So
// there is no barrier of the grid, no addition in global memory, and nothing is to be in order but
// what a word itself says.
//
// What does not depend on visits is done while words are on their way: the row of the next city is
// read, clocks are drawn. An ant all of whose candidates are visited has no visit to tell of: it
// says so at once, and while others choose and meet, and once more, it looks for the nearest city.
// The last four lanes of a row are for edges beyond the list that a best tour had, so that a step
// reads no more for them; a kernel after prepare finds their ways back and their numbers.
//
// Where the counts do not fit in shared memory, they are in global memory, and the grid has a
// barrier at each meeting. In 227 KiB they fit for some 4000 cities with an ant a city, and for
// some 5000 with few ants.
//
// # The construction of acs/gpu
//
// The rows, rings and steps are those of acs/alt. Each ant makes one step, and the local update of
// its edge by a compare-and-swap on the trail; then the grid meets at a barrier. The published
// program launches a kernel a step instead. All ants are resident. It was emulated on a CPU; it has
// not run on a device.
//
// # The constructions of acs/alt, acs/spm-sync and acs/spm
//
// Lane s of a warp has the trail and the weight of slot s, read past the multiprocessor's own
// cache, in which others' updates would not show. Each city has a ring of places for what is
// stored: in spm-sync and spm the slots and cities of spm_slots edges, in alt four edges with
// global updates beyond the list; without those ants cannot learn the long edges that good tours
// have, and pr2392 stayed at 16 %. The places that lead beyond the list are entries of the city's
// row, behind the list where 32 entries are enough, else a lane's second; so all is on its way at
// once, and one reduction finds the greatest weight of all. An entry that holds nothing leads to
// the city itself, which is visited. Slots that are not stored hold tau_min with the sign set, so a
// row also tells what is stored.
//
// Most steps need the greatest weight, of a candidate. They are made in a loop that has no call and
// no branch but to leave it, for a race of clocks, for a city that is no candidate, for an edge
// that is to be stored or has no place on the other city's list. The winner's lane marks the city,
// writes it to the tour and makes the local update. The row of the next city is asked for before
// that update. In spm an edge's trail at the next city is updated a step later, when that row
// is there. What is in registers when a function is called would be written to the stack wherever
// it changes, so an ant puts it into memory itself before it leaves the loop for a call.
//
// In alt and spm the row of the city after the next one is on its way too: of the next city's
// neighbours in the best tour the one that the ant does not come from. Four of five times that is
// where it goes (spm, pr1002, profiled at iteration 60), and then a step hardly waits for a row: on
// an H200, in one earlier version with and without, a construction of 256 ants of spm took 0.33 and
// 0.36 ms there, one of n ants of alt 0.45 and 0.68. In spm-sync all blocks meet after each 32
// positions, and a warp makes the updates of the cities whose numbers end in its own, in the order
// that the CPU has.
//
// # Many cities
//
// City numbers have 16 bits up to 65536 cities. For more, as/wrs, mmas/wrs, acs/alt, acs/spm-sync
// and acs/spm have images of the same sources with numbers of 32 bits (26 in a link, beside which
// stands a slot), up to 2^26 - 1 cities; rows, thin and lockstep refuse them and say what to use.
// Candidate lists are the storage; there is no matrix. On the device they take what the table
// ants-gpu-memory of bench says.
//
// What an ant has visited lies in shared memory where the bits of a block's ants fit, a bit for
// each city (with 227 KiB that is one ant of 1.8 million cities, or 20 of 85900), else in global
// memory, where they are mostly found in the multiprocessor's cache, for ants stay near. The tuner
// finds out which number of ants for a block is best.
//
// With numbers of 32 bits there is a word over each 32 words of visited bits, which says which of
// them are full, and so on up to at most 32 words, and a rectangle for each word. An ant whose
// candidates and their list beyond are visited looks upwards from its own word, and down into what
// may hold a city as near. In the first iteration of mmas/wrs, paper's parameters, 2.2 % of the
// choices find no candidate, and 1.0 % no city of the lists beyond; these 10171 searches of an ant
// of E1M.0 looked at 5.3 rows of 32 rectangles and 3.6 words of cities each (at most 17 rows),
// those of pla85900, 867, at 5.2 and 3.6: it does not grow with the number of cities. A look at all
// words would be 977 rows.
//
// # What is taken
//
// Distances are those of EUC_2D, CEIL_2D and ATT. lockstep takes as many ants as the device holds
// warps at once: 32 for each multiprocessor.
//
// # What was checked on a device
//
// The twin tests (constructions, local searches and numbers of 32 bits), the golden runs,
// conformance, tuning and moves between backends passed with the images of 22 November 2026.
// compute-sanitizer finds nothing by memcheck in the twins of 5 cities (thin: of the image before),
// and by racecheck nothing in those of as/wrs, mmas/wrs, mmas/rows, mmas/thin and acs/spm-sync. In
// acs/lockstep racecheck takes for races (12 errors and 32 warnings) what lies in shared memory
// without a barrier, the words that warps of a block release and acquire, by its place in the code;
// the addresses were not traced to their lines.
//
// # Figures
//
// What was measured on an H200, what was aimed at and what the published programs take, is printed
// by bench: the tables whose names begin with ants-gpu-. The verb's table gpu measures some anew;
// TestFiguresTable prints times of any variant, TestFiguresGap how long a gap takes.
package ants
