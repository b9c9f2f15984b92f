package tours

import (
	"errors"

	"metalab/gpu"
	"metalab/solvers/tiles"
)

// tellNumbers is how many numbers of a city and chain devices tell each other.
const tellNumbers = 3

// telling is what an engine needs to share out the pieces with those of other devices.
type telling struct {
	part tilePart
	meet func([]int32) ([][]int32, error)
	said *gpu.Buffer[int32] // the reports between devices
	mine *gpu.Pinned[int32] // of it what this one tells
}

// Part implements tiles.Parting.
func (e *tilesEngine) Part(k, n int, meet func([]int32) ([][]int32, error)) {
	e.part, e.meet = tilePart{k, n}, meet
}

// roomToTell allocates memory for the report on the part of a cut with most cities. A device's own
// report is in pinned memory, from which the others copy it.
func (e *tilesEngine) roomToTell(c *tiles.Cut) error {
	size := tellNumbers * e.part.most(c) * e.chains
	if e.said != nil && e.said.Len() >= size {
		return nil
	}
	size += size / 8 // parts of other cuts have about as many cities
	err := e.said.Free()
	if e.mine != nil {
		err = errors.Join(err, e.mine.Free())
	}
	e.said, e.mine = nil, nil
	if err == nil {
		err = e.Admit(e.q.bytes(e.chains)+e.cutBytes()+4*int64(size), nil)
	}
	if err == nil {
		e.said, err = gpu.Alloc[int32](e.Dev, size)
	}
	if err == nil {
		e.mine, err = gpu.NewPinned[int32](e.Dev, size)
	}
	return err
}

// tell tells the other devices what this one has made of its pieces, and puts what they tell where
// it would be if this device had searched theirs.
func (e *tilesEngine) tell(j tiles.Job, cut tileCut) error {
	size := func(k int) int {
		begin, end := e.part.cities(k, j.Cut)
		return tellNumbers * (end - begin) * e.chains
	}
	mine := e.mine.Slice()[:size(e.part.k)]
	if len(mine) > 0 {
		if err := e.said.Slice(0, len(mine)).DownloadTo(mine); err != nil {
			return err
		}
	}
	all, err := e.meet(mine)
	if err != nil {
		return err
	}
	for k, told := range all {
		if k == e.part.k || len(told) == 0 {
			continue
		}
		l := said("tiles_unpack", k, len(told)/tellNumbers)
		if err := errors.Join(
			e.said.Slice(0, len(told)).Upload(told), e.launches(j, []tileLaunch{l}, cut),
		); err != nil {
			return err
		}
	}
	return nil
}
