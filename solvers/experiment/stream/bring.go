package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"metalab/solvers/experiment"
)

// bring gives the instance of a unit to the broker, once.
func (a *asker) bring(s *sent) error {
	sha := s.u.Instance.SHA256
	i, err := a.instance(&s.u)
	if err != nil || !i.there.IsZero() || i.parcel == nil {
		return err
	}
	ctx, end := context.WithTimeout(a.ctx, longest)
	defer end()
	// It is put anew though it may be there: the broker forgets it keepObjects after that.
	if _, err := a.p.objects.PutBytes(ctx, instanceKey(sha), i.parcel); err != nil {
		return err
	}
	i.there = time.Now()
	return nil
}

// bringAgain gives the broker instances again that it has lost, or will forget.
func (a *asker) bringAgain() error {
	for _, s := range a.out {
		sha := s.u.Instance.SHA256
		i := a.insts[sha]
		if i == nil || i.parcel == nil || i.seen == a.looks {
			continue
		}
		i.seen = a.looks
		_, err := a.p.objects.GetInfo(a.ctx, instanceKey(sha))
		if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return err
		}
		if err != nil || time.Since(i.there) > keepObjects/2 {
			i.there = time.Time{}
		}
		if err := a.bring(s); err != nil {
			return err
		}
	}
	return nil
}

// instance is the instance of a unit, loaded once.
func (a *asker) instance(u *experiment.Unit) (*instance, error) {
	sha := u.Instance.SHA256
	if i := a.insts[sha]; i != nil {
		return i, nil
	}
	inst, err := a.o.Load(a.ctx, u.Where())
	if err == nil && inst.SHA256() != sha {
		err = fmt.Errorf("instance %s holds other data than when the experiment was planned (SHA-256 "+
			"%.12s…, not %.12s…)", u.Where(), inst.SHA256(), sha)
	}
	i := &instance{inst: inst}
	if err == nil {
		i.parcel, err = packInstance(inst)
	}
	if err != nil {
		return nil, localError{err}
	}
	a.insts[sha] = i
	return i, nil
}
