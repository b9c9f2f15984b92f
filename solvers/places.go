package solvers

import (
	"errors"
	"sync"
)

// seedsBeside is the number of seeds per device at a time: while one iterates, another opens.
const seedsBeside = 2

// places are the devices that run seeds; none on the CPU.
type places []*place

// A place is a device with room for as many seeds as it has seats.
type place struct {
	device int
	seats  chan struct{} // full when all are in use
	all    sync.Mutex    // held by who takes all seats
}

// placesOf are the devices that a configuration names.
func placesOf(cfg *Config) (out places) {
	if cfg.Backend == hostBackend {
		return nil
	}
	for _, d := range cfg.Devices {
		out = append(out, &place{device: d, seats: make(chan struct{}, seedsBeside)})
	}
	return out
}

// on makes a seed on a device that has a seat, the one with the most; alone there, where its memory
// does not suffice for several.
func (ps places) on(cfg Config, make func(Config) (Result, error)) (Result, error) {
	if len(ps) == 0 {
		return make(cfg)
	}
	p := ps[0]
	for _, q := range ps[1:] {
		if len(q.seats) < len(p.seats) {
			p = q
		}
	}
	cfg.Devices = []int{p.device}
	p.seats <- struct{}{}
	res, err := make(cfg)
	<-p.seats
	var room interface{ NoRoom() bool }
	if !errors.As(err, &room) || !room.NoRoom() {
		return res, err
	}
	p.all.Lock()
	for range seedsBeside {
		p.seats <- struct{}{}
	}
	p.all.Unlock()
	defer func() {
		for range seedsBeside {
			<-p.seats
		}
	}()
	return make(cfg)
}
