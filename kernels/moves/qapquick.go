package moves

import (
	"errors"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/moves"
	"metalab/solvers/wave"
)

// quickArg is struct quick of qapfast.cuh: an assignment whose matrices have numbers of 32 bits,
// and the walks' data.
type quickArg struct {
	A, AT, B, BT, DA, DB   uint64
	P, Top, Until, D, Mail uint64
	Words, Walks, First    int32
	Pairs, Factor          int32
	Team, Staged, Pad      int32
}

// most32 is what aspiration, tenure and scans must be below for the kernels that make many scans:
// they keep times as 32 bits.
const most32 = 1 << 29

// bytes8 tells whether the matrices' numbers fit in 8 bits.
func bytes8(f *moves.Exchange) bool {
	for _, m := range [][]int64{f.A, f.B, f.AT, f.BT} {
		for _, x := range m {
			if x < -128 || x > 127 {
				return false
			}
		}
	}
	return true
}

// packWords is how many words a row has: a multiple of four.
func packWords(n int, narrow bool) int {
	if narrow {
		n = (n + 3) / 4
	}
	return (n + 3) / 4 * 4
}

// pack puts a matrix into words of four numbers or of one, as the kernels read it: word w of row i
// is at w n + i.
func pack(m []int64, n int, narrow bool) []uint32 {
	words := packWords(n, narrow)
	out := make([]uint32, words*n)
	for i := range n {
		for c, x := range m[i*n:][:n] {
			if narrow {
				out[c/4*n+i] |= uint32(uint8(x)) << (8 * (c % 4))
			} else {
				out[c*n+i] = uint32(int32(x))
			}
		}
	}
	return out
}

// ints32 converts numbers that fit.
func ints32(m []int64) []int32 {
	var out []int32
	for _, x := range m {
		out = append(out, int32(x))
	}
	return out
}

// walksShared returns the bytes of shared memory of a block that makes a walk's scans, where a D
// takes each words of four bytes; it is walks_shared of qapwalks.cuh.
func walksShared(n, words, pairs, each int) int {
	slots := n * (n - 1) / 2
	return 4 * ((4*pairs*n+3)/4*4 + 4*pairs*words + each*(slots+5*n) + slots + 2*n)
}

// teamShared is the like for a team of blocks; it is team_shared of qapteam.cuh.
func teamShared(n, pairs, team int, staged bool) int {
	slots := n * (n - 1) / 2
	size := 8*pairs*n + 3*n + 2*((slots+team-1)/team)
	if staged {
		size += 2 * pairs * n * n
	}
	return 4 * size
}

// Figures of the kernels that make many scans in a launch.
const (
	quickBlock = 512  // threads of a block, at most
	walksBlock = 256  // and of one that is a walk
	quickSize  = 2047 // positions, at most
	mostTeam   = 1024 // blocks of all walks, at most, where they wait for each other
)

// quickQAP is what qapfast.cuh needs of an assignment.
type quickQAP struct {
	n            int
	form         *moves.Exchange
	narrow       bool // numbers fit in 8 bits
	bytes, words quickArg
	d            lanes[int32] // each words a pair
	mail         *gpu.Buffer[uint64]
	stale        bool  // D is not that of the solutions
	fresh        []int // walks of which it is not, if it is of the others
}

func newQuickQAP(n int, form *moves.Exchange) quickQAP {
	q := quickQAP{n: n, form: form, narrow: bytes8(form), stale: true}
	q.bytes.Words, q.words.Words = int32(packWords(n, true)), int32(packWords(n, false))
	return q
}

// put notes that a walk has got another solution.
func (q *quickQAP) put(a int) {
	if q.fresh = append(q.fresh, a); len(q.fresh) > 8 {
		q.stale, q.fresh = true, nil
	}
}

// name is the name of a kernel for the matrices' form.
func (q *quickQAP) name(kernel string) string {
	if q.form.Pairs == 2 {
		return kernel + "_two"
	}
	return kernel
}

// may tells whether the kernels can compute with the instance's numbers.
func (q *quickQAP) may() bool { return q.form.Small || q.form.Middle }

// each is how many words of four bytes a D takes.
func (q *quickQAP) each() int {
	if q.form.Small {
		return 1
	}
	return 2
}

// walks is the kernel of a block a walk, with what it takes; fill computes D.
func (q *quickQAP) walks() (kernel, fill string, arg quickArg) {
	switch {
	case !q.form.Small:
		return q.name("qap_walks64"), "qap_fill64", q.words
	case q.narrow:
		return q.name("qap_walks8"), "qap_fill8", q.bytes
	}
	return q.name("qap_walks32"), "qap_fill32", q.words
}

// team is the kernel of many blocks a walk.
func (q *quickQAP) team(published bool) string {
	if published {
		return q.name("qap_team_published")
	}
	return q.name("qap_team32")
}

func (q *quickQAP) kernels() []string {
	if !q.may() {
		return nil
	}
	walks, fill, _ := q.walks()
	if !q.form.Small { // one walk is a block there, too
		return []string{walks, fill}
	}
	return []string{walks, fill, q.team(true), q.team(false)}
}

func (q *quickQAP) fixed() int64 {
	return 16*int64(q.n)*int64(q.bytes.Words+q.words.Words) + 8*int64(q.n) + 8*4*mostTeam
}

func (q *quickQAP) perWalk() int64 { return 4 * int64(q.each()) * moves.Pairs(int64(q.n)) }

func (q *quickQAP) upload(d *gpu.Device) (err error) {
	if !q.may() {
		return nil
	}
	f := q.form
	sets := []*quickArg{&q.words}
	if q.narrow {
		sets = append(sets, &q.bytes)
	}
	for i, a := range sets {
		a.A, err = address(d, pack(f.A, q.n, i == 1), err)
		a.B, err = address(d, pack(f.B, q.n, i == 1), err)
		if a.AT, a.BT = a.A, a.B; f.Pairs == 2 {
			a.AT, err = address(d, pack(f.AT, q.n, i == 1), err)
			a.BT, err = address(d, pack(f.BT, q.n, i == 1), err)
		}
		if i == 1 {
			a.DA, a.DB = q.words.DA, q.words.DB
			continue
		}
		a.DA, err = address(d, ints32(f.DA), err)
		a.DB, err = address(d, ints32(f.DB), err)
	}
	return err
}

func (q *quickQAP) room(d *gpu.Device, walks int, p *qap, err error) error {
	if !q.may() {
		return err
	}
	err = q.d.room(d, walks, q.each()*int(moves.Pairs(int64(q.n))), err)
	if err == nil {
		err = grow(d, &q.mail, 4*mostTeam)
	}
	if err != nil {
		return err
	}
	for _, a := range []*quickArg{&q.bytes, &q.words} {
		a.P, a.Top, a.Until = p.now.at(), p.top.at(), p.until.at()
		a.D, a.Mail = q.d.at(), q.mail.View().Ptr
		a.Walks, a.Pairs, a.Factor = int32(walks), int32(q.form.Pairs), int32(q.form.Factor)
	}
	return nil
}

func (q *quickQAP) free() error {
	err := errors.Join(q.d.free(), q.mail.Free())
	q.mail = nil
	return err
}

// takes tells whether the kernels make the scans of a job.
func (q *quickQAP) takes(j *moves.Job, n int) bool {
	return q.may() && n > 1 && n <= quickSize && j.Select == "" && j.Neighbourhood == 0 &&
		j.Generate != onCPU && j.Reduce != onHost &&
		max(j.Aspiration, j.Tenure, j.Scans) < most32
}

// alone tells whether a block can make the scans of a walk.
func (q *quickQAP) alone(e *Engine, block int) (shared int, ok bool) {
	kernel, _, arg := q.walks()
	shared = walksShared(q.n, int(arg.Words), q.form.Pairs, q.each())
	k := e.loaded[kernel]
	return shared, k != nil && block >= q.n && block <= k.Info().MaxBlock &&
		shared <= k.Info().MaxShared
}

// together returns the shared memory of a block of a team, whether it has the matrices there, and
// of how many walks the teams fit on the device at once.
func (q *quickQAP) together(
	e *Engine, published bool, team, block int,
) (shared int, staged bool, walks int) {
	k := e.loaded[q.team(published)]
	if k == nil {
		return 0, false, 0
	}
	for _, staged := range []bool{true, false} {
		shared := teamShared(q.n, q.form.Pairs, team, staged)
		if shared > k.Info().MaxShared {
			continue
		}
		if most, err := k.MaxCooperativeGrid(block, shared); err == nil && most >= team {
			return shared, staged, min(most, mostTeam) / team
		}
	}
	return 0, false, 0
}

// shapes are launches of so many blocks a walk, a good one first.
func (q *quickQAP) shapes(e *Engine, published bool) []wave.Config {
	var out []wave.Config
	add := func(team, block int) {
		out = append(out, wave.Config{Threads: int64(team * block), Block: block})
	}
	least := (q.n + launch.Warp - 1) / launch.Warp * launch.Warp
	one := func() {
		// As many groups of a thread a position as there is room for, or fewer.
		for groups := walksBlock / q.n; groups > 0; groups /= 2 {
			block := (groups*q.n + launch.Warp - 1) / launch.Warp * launch.Warp
			if _, ok := q.alone(e, block); ok && !published {
				add(1, block)
			}
		}
	}
	many := func() {
		sms, busy := e.Dev.Info().SMs, e.busy()
		for _, team := range []int{sms / busy, sms / 2 / busy, sms / 4 / busy, 2, 1} {
			for _, block := range []int{256, 128, 512} {
				if team < 1 || team == 1 && !published && least <= quickBlock {
					continue
				}
				if _, _, most := q.together(e, published, team, block); most > 0 {
					add(team, block)
				}
			}
		}
	}
	if moves.Pairs(int64(q.n)) < 4000 || e.busy() > 8 {
		one()
		many()
	} else {
		many()
		one()
	}
	return out
}

// whole makes all scans; see resident.
func (q *quickQAP) whole(e *Engine, published bool, team, block int) (bool, error) {
	if block = min(block, quickBlock); team == 1 && !published && q.n <= walksBlock {
		block = min(block, walksBlock)
	}
	kernel, fill, arg := q.walks()
	shared, alone := q.alone(e, block)
	alone = alone && team == 1 && !published
	staged, most := false, e.busy()
	if !alone {
		if shared, staged, most = q.together(e, published, team, block); most == 0 {
			return false, nil
		}
		kernel, arg = q.team(published), q.words
	}
	arg.Team, arg.Staged = int32(team), 0
	if staged {
		arg.Staged = 1
	}
	o := e.jobs[0]
	if !published {
		if err := q.fill(e, fill); err != nil {
			return false, err
		}
	}
	for first := e.idle; first < e.walks; first += most { // these kernels make the scans of all
		arg.First, arg.Walks = int32(first), int32(min(most, e.walks-first))
		if !alone {
			if err := q.mail.Zero(nil); err != nil {
				return false, err
			}
		}
		if err := e.launch(kernel, gpu.Config{
			Grid: gpu.Dim{X: team * int(arg.Walks)}, Block: gpu.Dim{X: block}, Shared: shared,
			Cooperative: !alone,
		}, o, arg, e.heads); err != nil {
			return false, err
		}
		e.moved = true
	}
	if published {
		q.stale = true
	}
	return true, nil
}

// fill queues the computation of D of the walks of which it is not that of the solutions.
func (q *quickQAP) fill(e *Engine, kernel string) error {
	arg := q.words
	if q.narrow && q.form.Small {
		arg = q.bytes
	}
	slots := int(moves.Pairs(int64(q.n)))
	fill := func(first, walks int) error {
		arg.First, arg.Walks = int32(first), int32(walks)
		return e.launch(kernel, gpu.Linear(walks*slots, 128), e.jobs[0], arg)
	}
	var err error
	if q.stale {
		err = fill(e.idle, e.busy())
	} else {
		for _, a := range q.fresh {
			err = errors.Join(err, fill(a, 1))
		}
	}
	if err == nil {
		q.stale, q.fresh = false, nil
	}
	return err
}
