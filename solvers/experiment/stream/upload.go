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

// upload stores the instance of a unit and its source at the broker, once.
func (a *coordinator) upload(s *sent) error {
	i, err := a.instance(&s.u)
	if err == nil {
		err = a.uploadObject(instanceKey(s.u.Instance.SHA256), i)
	}
	if err == nil && s.code != "" {
		err = a.uploadObject(codeKey(s.code), a.codes[s.code])
	}
	return err
}

// uploadObject stores an object at the broker, once.
func (a *coordinator) uploadObject(name string, i *instance) error {
	if !i.uploaded.IsZero() || i.packed == nil {
		return nil
	}
	ctx, end := context.WithTimeout(a.ctx, longest)
	defer end()
	// Store it again even if it may be there: the broker forgets it keepObjects after that.
	if _, err := a.p.objects.PutBytes(ctx, name, i.packed); err != nil {
		return err
	}
	i.uploaded = time.Now()
	return nil
}

// uploadAgain stores instances and sources again that the broker has lost, or will forget.
func (a *coordinator) uploadAgain() error {
	for _, s := range a.out {
		sha := s.u.Instance.SHA256
		err := a.checkObject(instanceKey(sha), a.insts[sha])
		if err == nil {
			err = a.checkObject(codeKey(s.code), a.codes[s.code])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkObject checks, once in each reconcile, that the broker has an object, and stores it again if
// not.
func (a *coordinator) checkObject(name string, i *instance) error {
	if i == nil || i.packed == nil || i.seen == a.looks {
		return nil
	}
	i.seen = a.looks
	_, err := a.p.objects.GetInfo(a.ctx, name)
	if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	if err != nil || time.Since(i.uploaded) > keepObjects/2 {
		i.uploaded = time.Time{}
	}
	return a.uploadObject(name, i)
}

// instance is the instance of a unit, loaded once.
func (a *coordinator) instance(u *experiment.Unit) (*instance, error) {
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
		i.packed, err = packInstance(inst)
	}
	if err != nil {
		return nil, localError{err}
	}
	a.insts[sha] = i
	return i, nil
}
