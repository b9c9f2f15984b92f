package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"metalab/datasets"
	"metalab/solvers/experiment"
)

// bring gives the instance of a unit and its source to the broker, once.
func (a *asker) bring(s *sent) error {
	i, err := a.instance(&s.u)
	if err == nil {
		err = a.give(instanceKey(s.u.Instance.SHA256), i)
	}
	if err == nil && s.code != "" {
		err = a.give(codeKey(s.code), a.codes[s.code])
	}
	return err
}

// give gives the broker an object, once.
func (a *asker) give(name string, i *instance) error {
	if !i.there.IsZero() || i.parcel == nil {
		return nil
	}
	ctx, end := context.WithTimeout(a.ctx, longest)
	defer end()
	// Store it again even if it may be there: the broker forgets it keepObjects after that.
	if _, err := a.p.objects.PutBytes(ctx, name, i.parcel); err != nil {
		return err
	}
	i.there = time.Now()
	return nil
}

// bringAgain gives the broker instances and sources again that it has lost, or will forget.
func (a *asker) bringAgain() error {
	for _, s := range a.out {
		sha := s.u.Instance.SHA256
		err := a.seek(instanceKey(sha), a.insts[sha])
		if err == nil {
			err = a.seek(codeKey(s.code), a.codes[s.code])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// seek looks once at each look whether the broker has an object, and gives it again if not.
func (a *asker) seek(name string, i *instance) error {
	if i == nil || i.parcel == nil || i.seen == a.looks {
		return nil
	}
	i.seen = a.looks
	_, err := a.p.objects.GetInfo(a.ctx, name)
	if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	if err != nil || time.Since(i.there) > keepObjects/2 {
		i.there = time.Time{}
	}
	return a.give(name, i)
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
	if err == nil && inst.Kind() != datasets.KindOwn { // that is its source
		i.parcel, err = packInstance(inst)
	}
	if err != nil {
		return nil, localError{err}
	}
	a.insts[sha] = i
	return i, nil
}
