// Package ants constructs tours of ants on a GPU: it is the crew, by the interface of package
// metalab/solvers/ants/crew, of as/wrs, mmas/wrs, mmas/rows, mmas/thin, acs/lockstep and
// acs/spm-sync, with the same results as on the CPU, bit for bit, and of acs/alt, acs/gpu and
// acs/spm, whose ants update trails in random order. Import it, in a program built with the tag
// cuda, for its registrations under the backend cuda.
//
// # How it is built
//
// Package metalab/kernels/launch has what is not of ants alone: timing, tuning, graphs, memory.
//
//	lines.go    the table: a line a variant, with its source, its form and what it refuses
//	crew.go     deviceCrew, the crew: buffers, iterations and graphs, the form interface
//	trails.go   what a policy asks of trails and kept tours
//	wrs.go ...  the forms: which kernels construct, prepare and look, and how they are launched;
//	            rings.go and beyond.go have the trails of alt.go, gpu.go and spm.go
//	args.go     one Go struct for each struct of the kernels; TestLayout holds them to it
//	job.go      the job that is written for the next iteration
//	instance.go an instance as the kernels take it
//	claim.go    asks for the device's memory; images.go has the compiled kernels
//	search.go   improves tours; pairs.go is the 2-opt of the GPU MMAS paper
//	*.cu        the kernels; testdata/emulate.cc launches them on a CPU, in tests
//
// # How to add a form
//
// Write the kernels: common.cuh has the instance, the job and the kept tours, nearest.cuh the
// nearest unvisited city; a construction kernel makes one tour a warp and ends with finish. Write a
// form: a type that has the crew and the methods of form, of which trails by slot take sendTable,
// fetchTable, weigh and lookBySlot. Add a line to the table, and the source to
// metalab/kernels/build, which compiles it. For the tests add an opener to emulate_test.go's kind,
// trials to emulations and golden runs. The policy, its parameters and its record are as on the
// CPU.
//
// # One iteration
//
// Trails and tours are in the device's memory. The host writes the work into a job in pinned
// memory; then these kernels run, in one stream and for as/wrs and mmas/wrs as one graph:
//
//	keep_tours   keeps the tours that the host decided to keep, checks a new best one, and writes
//	             the tour that deposits as neighbours of cities
//	prepare      deposits and evaporates, and makes what choices need, one thread per slot
//	construct... constructs the tours, one warp per ant, and of each its length, its hash and the
//	             number of choices that its candidates could not make
//
// then, with local_search=2opt-rounds or oropt-rounds, the search of package kernels/rounds on the
// tours in the device's memory, or on the share of them that is shortest, with 2opt-plain and
// 2opt-best that of pairs.cu; it updates lengths and hashes. keep_tours runs before, so the search
// receives the best tour of all earlier iterations, as on the CPU. Other local searches (of acs)
// run on the CPU; the tours are copied to the host for them.
//
// At the end the results of the ants, 24 bytes each, are copied back. The next iteration begins
// with the deposit of the previous one, unless somebody asks for the trails earlier.
//
// # The deposits of as/wrs
//
// All ants deposit, so before prepare comes deposit: a warp takes 128 positions of a tour, its
// lanes compare the list of each city with the cities before and behind it, and those that find one
// add the tour's share to the slot's sum, 64 bits, by an atomic addition. Shares are whole numbers
// (crew.Shares), so the order of additions does not matter; prepare_all turns a sum into a trail
// once and leaves 0 behind. The construction is that of mmas/wrs. m ants in n cities take m n reads
// of a list, 64 bytes each, and up to 2 m n additions. At the 41 G rows a second that L2 was
// measured to give, n ants' reads take at least 0.024 ms on pr1002 and 0.14 ms on pr2392; deposit
// was measured to take 0.049 and 0.22 ms on an H200, beside constructions of 0.13 and 0.55 ms, and
// prepare_all, which moves 32 bytes a slot, 1.03 and 2.45 MB, 0.004 ms.
//
// # The constructions
//
// Lane s of a warp looks at slot s of the list of the ant's city. A step of mmas/wrs is a chain of
// dependent operations: read the row of the city, find which cities in it are visited, one
// reduction over the warp, read the next row. All other work is done while these wait: a lane has
// the Philox block of four steps, whose rounds are computed during the four steps before, and the
// clock of a step is computed two steps earlier. Up to 8192 cities a lane reads one word for a
// slot, which holds the reciprocal of a weight and the city's number. A key is such a word too, so
// the reduction gives the winner's city. Visited cities are bytes in shared memory, which are
// combined with a key by an or; between two reductions no lane reads a byte that another lane
// writes. The steps in which a candidate is found are a loop without a call; an ant whose
// candidates are visited leaves the loop, and returns to it with the next block of draws. The ant's
// last 32 cities are in shared memory too; they are written together to the tour, and to the bits
// with which the nearest unvisited city is found. The lists are copied to shared memory where they
// fit beside that, up to some 1600 cities on a device with 227 KiB. With more than 8192 cities a
// row is two reads and visited cities are bits.
//
// Up to eight ants a multiprocessor, and up to 8192 cities whose paths shared memory holds, an ant
// of mmas/wrs makes steps four at a time. When trails have settled, it moves to the city of the
// greatest weight 98 times in a hundred. prepare finds two such cities for each city, so that one
// is left where an ant comes from the other; a block makes of them the next four cities from each.
// A window looks at the rows of the cities of such a path at once, as if the ant had gone there:
// four keys a lane, four reductions under way together. Up to the first winner that is not on the
// path, the result equals that of single steps; there the next window begins. The rows of the next
// window are read meanwhile, into other registers than those of this one: moving a register would
// wait for it. A window takes longer than a step, so an ant whose last tour was seldom the likely
// one makes its next one step after another; how often, says likelyOften. Where the lists are in
// shared memory a step waits too little for that to be faster, and ants go step by step.
//
// mmas/rows with lists constructs as mmas/wrs does, with the chosen tabu list; each kind has its
// own kernel (tabu.cuh): lc has 4 bytes a city of an ant in shared memory, ct 2 and bt a bit, so
// fewer ants share a block of lc; rwm takes two sums over the warp in place of the reduction. An
// ant whose candidates are visited looks at all unvisited cities of its tabu list. Without lists a
// warp, or with warps above 1 a block, is an ant: it reads the weights of the unvisited cities from
// a row of the matrix, four bytes a city; a lane has eight of these loads in flight at a time. The
// tabu list is in shared memory. In wrs each city has a number and a key of its own, and two
// reductions follow: of the least key, and of its place. In groups, which are ours, a lane has one
// key for its eight, so one block of draws does for 32 places, and one reduction, one shuffle and a
// list's entry follow the loads; up to some 230 cities the matrix is in shared memory, of bt a lane
// does not read four neighbours that are visited. In rwm a lane holds the sum of a segment of 256;
// with more than 8192 cities a stretch of 32 segments is drawn first, and a warp that is an ant
// adds up its segments once more. The three matrices take 12 n^2 bytes, on the host too, where the
// limit is 4 GiB, 18,918 cities.
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
// # The 2-opt of the GPU MMAS paper
//
// A block has a tour in its shared memory, and the queue of the cities that are to be looked at,
// with a bit for each: the paper's don't-look bits. Its warps look at as many cities from the head
// of the queue at once, a lane at a neighbour each; the first city in the queue that has an
// exchange makes it, and all threads reverse the path. Cities behind it are looked at again, so the
// walk is that of one city after the other, and the number of warps changes no tour; a tuner finds
// it. A tour takes 6.125 bytes a city: 227 KiB hold some 37,900 cities.
//
// # The construction of mmas/thin
//
// A warp is an ant: its lanes have the clocks of the near cities, and the next 32 arrivals of far
// cities, which serve many choices. A reduction gives the first clock, another its city, while
// clocks of later choices are drawn. The lanes whose arrivals come before the first clock each read
// a cell of the city's alias table at the same time, four bytes that give the city. The choice has
// no call and no loop; it leaves the inner loop for a new batch of arrivals and for a look at all
// cities. Requesting cells before the first clock is known was slower, by 4 % on pr1002 and by 69 %
// on pr2392. In construct_small, for blocks of up to 20 ants, the loop is unrolled to four choices,
// which share the draw of a block.
//
// The near cities change in each iteration, since the four heaviest of the others have clocks too.
// Without these the edges of good tours had most of the weight of the far cities, nearly all
// arrivals were of visited cities, and one in a hundred of the late choices on pr2392 looked at all
// cities.
//
// A block makes the table of a city in shared memory, ten bytes a city, which a row must fit. Units
// are whole numbers, so running sums may be computed in any order, and no cell waits for another:
// for each heavy city the kernel finds where its units end, for each light one how many ended
// before. The four matrices take 16 n^2 bytes.
//
// # The construction of acs/lockstep
//
// All ants are resident, and wait for one another after each position whose choices are visits, a
// synchronization point (in the sources of the kernels: a meeting). Each block has the counts of
// all visits in its shared memory, 16 bits for each edge; an edge that both cities have in their
// rows has one count. A visit is a word that an ant writes for all blocks to read: the number of
// the edge, and that of the point. Some warps of each block are not ants: they read the words of
// all ants, 4 bytes each, until each has the number of this point, and add the visits to the
// block's counts. So there is no barrier of the grid and no addition in global memory, and the
// order of memory operations matters only within a word.
//
// Work that does not depend on visits overlaps with the exchange of the words: reading the row of
// the next city, drawing clocks. An ant whose candidates are all visited has no visit: it writes
// that at once, and has until the point after the next to look for the nearest city. The last four
// of the 32 entries of a row are for edges beyond the list that a best tour had, so that a step
// reads no more for them; with lists of more than 28 cities rows have 36 entries, and lanes 0 to 3
// read two. A kernel after prepare finds the entries of these edges from their other cities, and
// their numbers.
//
// Where the counts do not fit in shared memory, they are in global memory, and the grid has a
// barrier at each synchronization point. In 227 KiB they fit for some 4000 cities with an ant a
// city, and for some 5000 with few ants.
//
// # The construction of acs/gpu
//
// The trails and steps are those of acs/alt. Each ant makes one step, and the local update of its
// edge by a compare-and-swap on the trail; then the grid waits at a barrier. The published program
// launches a kernel a step instead. All ants are resident. It ran in emulation on a CPU, not on a
// device.
//
// # The constructions of acs/alt, acs/spm-sync and acs/spm
//
// Lane s of a warp has the trail and the weight of slot s, read from L2, because the
// multiprocessor's own cache would not show the updates of others. Cities beyond the list are
// looked at only where all candidates are visited, as in figure 3 of the paper, so one reduction of
// one entry a lane finds the greatest weight. Each city has a ring of places: in spm-sync and spm
// the slots and cities of spm_slots edges, those beyond the list with entries in the city's row. In
// alt and gpu each edge has a trail, as in a matrix: an edge beyond the list whose trail was ever
// strengthened has a place, others are at tau0; rings get more places before a global update that
// may need them. An empty entry leads to the city itself, which is visited. Slots that are not
// stored hold tau_min with the sign bit set, so a row also says what is stored. With one ant, or
// where local updates change nothing, alt and gpu make the tours of the CPU, bit for bit, which the
// tests of the emulator use.
//
// Most steps need the greatest weight, of a candidate. They are made in a loop without a call,
// whose only branches leave it: for a race of clocks, for a city that is no candidate, for an edge
// that must be stored or has no place on the other city's list. The winner's lane marks the city,
// writes it to the tour and makes the local update. The read of the next city's row begins before
// that update. In spm an edge's trail at the next city is updated a step later, when that row has
// arrived. The compiler would write variables that live across a call to the stack each time they
// change, so an ant stores them itself before it leaves the loop for a call.
//
// In alt and spm a row is also read in advance for the step after the next: that of the city where
// the weight is greatest, or second where the ant comes from that one. It goes there in 98 of 100
// steps (CPU, pr2392, from iteration 20 on); the neighbours in the best tour, which were taken
// before, were right in four of five. Up to eight ants a block make windows of four steps as those
// of mmas/wrs do; the steps that wear trails are sequential in each, and a window ends at the
// search for an edge. In spm-sync all blocks wait for one another after each 32 positions, and a
// warp makes the updates of the cities whose last bits are its number, in the same order as on the
// CPU.
//
// # Many cities
//
// City numbers have 16 bits up to 65536 cities. For more, as/wrs, mmas/wrs, acs/alt, acs/spm-sync
// and acs/spm have images of the same sources with numbers of 32 bits (26 in a link, which also
// holds a slot), up to 2^26 - 1 cities; rows, thin and lockstep return an error that says what to
// use. Trails are stored by candidate lists; there is no matrix. The table ants-gpu-memory of bench
// shows the memory needed on the device.
//
// The visited cities of an ant, a bit for each city, are in shared memory if the bits of a block's
// ants fit there (227 KiB hold those of one ant for 1.8 million cities, or of 20 ants for 85900),
// else in global memory. There most reads hit the multiprocessor's cache, because an ant moves to
// nearby cities. The tuner finds which number of ants for a block is best.
//
// With numbers of 32 bits, each 32 words of visited bits have a word above them that says which of
// them are full, and so on up to at most 32 words; each word has a bounding box. If all cities of
// its candidate list and of the list beyond are visited, an ant searches this tree upwards from its
// own word, and down into boxes that may hold a city as near. In the first iteration of mmas/wrs,
// paper's parameters, 2.2 % of the choices find no candidate, and 1.0 % no city of the lists
// beyond; these 10171 searches of an ant of E1M.0 looked at 5.3 rows of 32 rectangles and 3.6 words
// of cities each (at most 17 rows), those of pla85900, 867, at 5.2 and 3.6: it does not grow with
// the number of cities. A look at all words would be 977 rows.
//
// # Supported instances
//
// Distances are those of EUC_2D, CEIL_2D and ATT. lockstep takes as many ants as the device holds
// warps at once: 32 for each multiprocessor.
//
// # What holds mmas/wrs, acs/alt and acs/spm
//
// Counted on an H100 (132 multiprocessors, 528 schedulers, 1.98 GHz: 1045 G instructions of a warp
// a second; L2 was measured to give 41 G rows of 128 bytes a second). A single step of mmas/wrs is
// 38 instructions and one row; a window is some 215 (of likely_shared), 54 a step if all four are
// right, and four rows. 800 ants of pr2392 make 1.91 M steps: by rows 0.047 ms, by issue 0.070 in
// single steps and 0.098 in windows, where 0.49 and 0.31 were measured, the latter of an earlier
// version; fnl4461 0.087, 0.130 and 0.184, measured 0.94 and 0.52; pr1002, whose rows are in shared
// memory, 0.029 by issue, measured 0.108. A window of acs/alt is some 350 instructions and four
// times 384 bytes: 256 ants of pr2392 by rows 0.045 ms, by issue 0.051, measured 0.59, and 0.64 for
// acs/spm. So neither bytes nor issue hold but latency: one ant a multiprocessor takes 0.93 to 0.97
// of the time of 800, some 400 cycles a step of pr2392 in single steps. Windows are at 32 to 35 %
// of the counted bound in mmas/wrs and at 8 in acs. Where the rest goes in acs was not found: new
// windows after 20 races of clocks, 19 ends of 128 draws, 25 to 40 searches for the nearest city
// and edges beyond lists are estimated to be a third of it.
//
// # What was checked on a device
//
// With the images of 28 November 2026 the twins without a local search of mmas/wrs, as/wrs, acs/alt
// and acs/gpu, the golden runs of these, of mmas/rows and acs/lockstep, and the races of acs passed
// on an H100. With those before:
//
// The twin tests (constructions, local searches and numbers of 32 bits), the golden runs,
// conformance, tuning and moves between backends passed with the images of 22 November 2026.
// compute-sanitizer finds nothing by memcheck in the twins of 5 cities (thin: of the image before),
// and by racecheck nothing in those of as/wrs, mmas/wrs, mmas/rows, mmas/thin and acs/spm-sync. In
// acs/lockstep racecheck reports as races (12 errors and 32 warnings) the words in shared memory
// that warps of a block release and acquire without a barrier, judging by the place in the code;
// nobody traced the addresses to their lines.
//
// # Figures
//
// The verb bench prints measurements on an H200, targets and the times of the published programs:
// the tables whose names begin with ants-gpu-. The verb's table gpu measures some of them again;
// TestFiguresTable prints times of any variant, TestFiguresGap how long a gap takes.
package ants
