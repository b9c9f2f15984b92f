package datasets

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// ReadTour reads the first tour of a file in the format of TSPLIB95, TYPE TOUR. The cities of its
// result count from 0. See ReadTours.
func ReadTour(r io.Reader, name string) ([]int32, error) {
	tours, err := ReadTours(r, name)
	if err != nil {
		return nil, err
	}
	return tours[0], nil
}

// ReadTours reads all tours of a file in the format of TSPLIB95, TYPE TOUR: city numbers from 1,
// each tour ended by -1, the last -1 and EOF optional. The first city may be listed again at the
// end of a tour. Each tour must list every city once; without DIMENSION, the length of the first
// tour is the number of cities. The cities of the result count from 0. Errors about the content are
// *SyntaxError.
func ReadTours(r io.Reader, name string) ([][]int32, error) {
	data, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	p := &tsplib{scanner: newScanner(name, data)}
	if p.file == "" {
		p.file = "TSPLIB tour"
	}
	if err := stranger(data, p.file); err != nil {
		return nil, err
	}
	if err := p.outline(); err != nil {
		return nil, err
	}
	if typ := p.value("TYPE"); typ != "TOUR" {
		if _, given := p.keys["TYPE"]; given {
			return nil, p.keyError("TYPE", "TOUR")
		}
	}
	n := 0
	if _, given := p.keys["DIMENSION"]; given {
		if n, err = p.dimension(maxCities); err != nil {
			return nil, err
		}
	}
	if !p.enter("TOUR_SECTION") {
		return nil, &SyntaxError{File: p.file, Want: "TOUR_SECTION", Found: "no such section"}
	}
	return p.tours(n)
}

// tours reads the tours of TOUR_SECTION over n cities, or as many as the first has.
func (p *tsplib) tours(n int) ([][]int32, error) {
	var all [][]int32
	var seen []uint64
	for p.skip() && !bytes.HasPrefix(p.data[p.pos:p.end], []byte("-1")) || all == nil {
		room := (p.end - p.pos + 1) / 2 // a city takes two bytes at least
		if n > room {
			return nil, p.errorf(p.end, "%d cities (DIMENSION), there are fewer", n)
		}
		if n > 0 {
			room = n
		} else if all == nil {
			n = p.countToEnd()
			if n == 0 {
				return nil, p.errorf(p.pos, "a city's number")
			}
			room = n
		}
		tour := make([]int32, 0, room)
		seen = append(seen[:0], make([]uint64, (room+63)/64)...)
		for range n {
			p.skip()
			at := p.pos
			c, err := p.int(1, int64(n), fmt.Sprintf("city %d of %d of the tour, a number", len(tour)+1, n))
			if err != nil {
				return nil, err
			}
			c--
			if seen[c>>6]&(1<<(c&63)) != 0 {
				return nil, p.errorf(at, "each city once in a tour")
			}
			seen[c>>6] |= 1 << (c & 63)
			tour = append(tour, int32(c))
		}
		all = append(all, tour)
		p.closing(tour)
		if !p.skip() {
			return all, nil
		}
		after := fmt.Sprintf("-1 after the %d cities of the tour", n)
		if _, err := p.int(-1, -1, after); err != nil {
			return nil, err
		}
	}
	if p.skip() { // the -1 that ends the section
		if _, err := p.int(-1, -1, "-1 at the end of the section"); err != nil {
			return nil, err
		}
	}
	return all, p.done("the end of the section after -1")
}

// closing passes over the first city of a tour where it is listed again at the end.
func (p *tsplib) closing(tour []int32) {
	at := p.pos
	if len(tour) < 2 || string(p.token()) != strconv.Itoa(int(tour[0])+1) {
		p.pos = at
	}
}

// countToEnd counts the numbers up to -1 or the end of the section, without reading them; a last
// one that is the first again does not count.
func (p *tsplib) countToEnd() int {
	start, n := p.pos, 0
	var first, last []byte
	for t := p.token(); len(t) > 0 && string(t) != "-1"; t = p.token() {
		if n == 0 {
			first = t
		}
		last = t
		n++
	}
	p.pos = start
	if n > 2 && bytes.Equal(first, last) {
		n--
	}
	return n
}
