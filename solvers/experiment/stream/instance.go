package stream

import (
	"encoding/json"
	"errors"
	"fmt"

	"metalab/datasets"
	"metalab/solvers/record"
)

// A parcel is an instance on its way to a worker.
type packed struct {
	Format  int    `json:"format"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Colours int    `json:"colours,omitempty"`
	Text    string `json:"text"` // as of a file
}

// packInstance is the object of an instance; nil where every worker generates it by its name.
func packInstance(inst datasets.Instance) ([]byte, error) {
	p := packed{Format: format, Name: inst.Name(), Kind: string(inst.Kind())}
	if g, ok, err := datasets.Generate(p.Name); ok && err == nil && g.SHA256() == inst.SHA256() {
		return nil, nil
	}
	if g, ok := inst.(*datasets.Colouring); ok {
		p.Colours = g.K
	}
	var err error
	p.Text, err = datasets.Text(inst)
	if errors.Is(err, datasets.ErrNoText) {
		return nil, fmt.Errorf("stream: instance %s is a problem of somebody's own, whose cost is "+
			"computed by a program: its islands are made here, with over=local", p.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("stream: instance %s: %w", p.Name, err)
	}
	out, err := json.Marshal(&p)
	if err == nil {
		_, err = readInstance(out, inst.SHA256())
	}
	if err != nil {
		return nil, fmt.Errorf("stream: instance %s cannot be sent: %w", p.Name, err)
	}
	return out, nil
}

// readInstance reads the output of packInstance, and checks it.
func readInstance(data []byte, sha string) (inst datasets.Instance, err error) {
	var p packed
	if err := read(data, maxInstance, &p); err != nil {
		return nil, err
	}
	if err := isFormat(p.Format); err != nil {
		return nil, err
	}
	if err := isText("instance", p.Name, maxWord); err != nil {
		return nil, err
	}
	inst, err = datasets.FromText(datasets.Kind(p.Kind), p.Name, p.Text, p.Colours)
	if err != nil {
		return nil, fmt.Errorf("stream: instance %q: %w", p.Name, err)
	}
	if have := inst.SHA256(); have != sha {
		return nil, fmt.Errorf("stream: instance %q is other data than the unit's (SHA-256 %.12s…, "+
			"not %.12s…)", p.Name, have, sha)
	}
	return inst, nil
}

// generated makes the instance of a unit by its name, and nil where it is not of such a name.
func generated(ref *record.InstanceRef) datasets.Instance {
	inst, ok, err := datasets.Generate(ref.Name)
	if !ok || err != nil || inst.SHA256() != ref.SHA256 {
		return nil
	}
	return inst
}
