package solvers

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"metalab/solvers/record"
)

// Checkpointing makes Once save its run now and then, so that another process can resume it. A
// resumed run gives the same result as an uninterrupted one, except for times, if Budget.Stop
// depends only on the point at which it begins and the point that it receives.
type Checkpointing struct {
	From  []byte        // the last run that To received; nil: begin a new run
	Every time.Duration // between two saves, and at least fifty times as long as one takes; 0: 10 s

	// To receives the run as it stands after iteration it. It is called on the run's goroutine, so it
	// must not wait. It may keep the bytes. May be nil.
	To func(it int64, run []byte)
	// Note reports in a line that the run resumes from From, or why it cannot. May be nil.
	Note func(text string)
}

const keptMagic = "metalab run\n"

// pack is a run at this boundary, its record and its state; it is called by the owner.
func (r *Run) pack() ([]byte, error) {
	rec, err := r.onPaper()
	if err != nil {
		return nil, err
	}
	state, err := r.snapshot()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(keptMagic)
	b.Write(make([]byte, 8))
	if err := rec.Encode(&b); err != nil {
		return nil, err
	}
	at := len(keptMagic)
	binary.LittleEndian.PutUint64(b.Bytes()[at:], uint64(b.Len()-at-8))
	b.Write(state)
	return b.Bytes(), nil
}

// unpack reads what pack wrote.
func unpack(data []byte) (*record.Record, []byte, error) {
	at := len(keptMagic) + 8
	if len(data) < at || string(data[:len(keptMagic)]) != keptMagic {
		return nil, nil, fmt.Errorf("it is not a run that was kept: %w", ErrState)
	}
	size := binary.LittleEndian.Uint64(data[len(keptMagic):])
	if size > uint64(len(data)-at) {
		return nil, nil, fmt.Errorf("a run that was kept is cut short: %w", ErrState)
	}
	rec, err := record.Decode(bytes.NewReader(data[at : at+int(size)]))
	if err != nil {
		return nil, nil, err
	}
	if !rec.Whole {
		return nil, nil, fmt.Errorf("the record of a run that was kept is cut short: %w", ErrState)
	}
	state := data[at+int(size):]
	rd, err := NewReader(state)
	if err != nil {
		return nil, nil, err
	}
	if rd.Head.Iter != rec.End {
		return nil, nil, fmt.Errorf("a run that was kept is of iteration %d, and its state of %d: %w",
			rec.End, rd.Head.Iter, ErrState)
	}
	return rec, state, nil
}

// goingOn resumes the saved run, if it matches a run that was just opened, and closes that one. It
// returns nil if there is no such run.
func (k *Checkpointing) goingOn(ctx context.Context, fresh *Run) *Run {
	if k == nil || k.From == nil {
		return nil
	}
	rec, state, err := unpack(k.From)
	if err == nil {
		err = fresh.isOf(rec, state)
	}
	var r *Run
	if err == nil {
		o := ReplayOptions{Devices: fresh.env.Devices}
		r, err = revive(ctx, rec, state, fresh.inst, fresh.name, o)
	}
	if err != nil {
		k.note(fmt.Sprintf("it begins anew: %v", err))
		return nil
	}
	fresh.Close()
	k.note(fmt.Sprintf("it goes on from iteration %d", rec.End))
	return r
}

func (k *Checkpointing) note(text string) {
	if k.Note != nil {
		k.Note(text)
	}
}

// isOf returns why a record and a state are not those of this run, which has made no iteration.
func (r *Run) isOf(rec *record.Record, state []byte) error {
	h, g := rec.Header, r.header
	for _, x := range [...][2]any{
		{h.Solver, g.Solver},
		{h.Variant, g.Variant},
		{h.Revision, g.Revision},
		{h.Backend, g.Backend},
		{h.Seed, g.Seed},
		{h.Instance.SHA256, g.Instance.SHA256},
		{startText(h.Start), startText(g.Start)},
		{islandText(h.Island), islandText(nil)},
	} {
		if x[0] != x[1] {
			return fmt.Errorf("what was kept is of another run: %.80v, want %.80v", x[0], x[1])
		}
	}
	rd, err := NewReader(state)
	if err != nil {
		return err
	}
	for _, p := range r.params.list {
		if v := p.value(); p.Class != record.Schedule && (h.Params[p.Name] != v ||
			rd.Params[p.Name] != v) {
			return fmt.Errorf("what was kept is of a run with %s=%.80v, want %.80v", p.Name,
				h.Params[p.Name], v)
		}
	}
	for _, c := range record.Acts(rec.Journal) {
		if c.Kind != record.KindStop {
			return fmt.Errorf("what was kept is of a run that was changed: %.40q in iteration %d", c.Kind,
				c.Iter)
		}
	}
	return nil
}

// keeping wraps stop so that the run is saved now and then before it.
func (r *Run) keeping(k *Checkpointing, stop Stop) Stop {
	every := k.Every
	if every == 0 {
		every = 10 * time.Second
	}
	next := time.Now().Add(every)
	return func(start record.Point) func(*record.Point) string {
		rule := stop.begin(start)
		return func(p *record.Point) string {
			why, now := rule(p), time.Now()
			if why == "" && now.After(next) && len(r.proof.points) == 0 { // of a device, what is proven
				if data, err := r.pack(); err == nil {
					k.To(p.Iter, data)
				}
				took := time.Since(now)
				next = now.Add(took + max(every, 50*took))
			}
			return why
		}
	}
}
