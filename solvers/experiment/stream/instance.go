package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"metalab/datasets"
	"metalab/solvers/record"
)

// A parcel is an instance on its way to a worker.
type parcel struct {
	Format  int    `json:"format"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Colours int    `json:"colours,omitempty"`
	Text    string `json:"text"` // as of a file
}

// packInstance is the object of an instance; nil where every worker generates it by its name.
func packInstance(inst datasets.Instance) ([]byte, error) {
	p := parcel{Format: format, Name: inst.Name(), Kind: string(inst.Kind())}
	if g, ok, err := datasets.Generate(p.Name); ok && err == nil && g.SHA256() == inst.SHA256() {
		return nil, nil
	}
	var b bytes.Buffer
	var err error
	switch t := inst.(type) {
	case *datasets.TSP:
		err = datasets.WriteTSP(&b, t)
	case *datasets.QAP:
		err = datasets.WriteQAP(&b, t)
	case *datasets.Colouring:
		p.Colours = t.K
		err = datasets.WriteColouring(&b, t)
	default:
		return nil, fmt.Errorf("stream: instance %s is a problem of somebody's own, whose cost is "+
			"computed by a program: make its units with over=local", p.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("stream: instance %s: %w", p.Name, err)
	}
	p.Text = b.String()
	out, err := json.Marshal(&p)
	if err == nil {
		_, err = readInstance(out, inst.SHA256())
	}
	if err != nil {
		return nil, fmt.Errorf("stream: instance %s cannot be sent: %w", p.Name, err)
	}
	return out, nil
}

// readInstance reads what packInstance made, and tests that it is what it should be.
func readInstance(data []byte, sha string) (inst datasets.Instance, err error) {
	var p parcel
	if err := read(data, maxInstance, &p); err != nil {
		return nil, err
	}
	if err := isFormat(p.Format); err != nil {
		return nil, err
	}
	if err := isText("instance", p.Name, maxWord); err != nil {
		return nil, err
	}
	r := bytes.NewReader([]byte(p.Text))
	switch datasets.Kind(p.Kind) {
	case datasets.KindTSP, datasets.KindATSP:
		inst, err = of(datasets.ReadTSP(r, p.Name))
	case datasets.KindQAP:
		inst, err = of(datasets.ReadQAP(r, p.Name))
	case datasets.KindColouring:
		inst, err = of(datasets.ReadColouring(r, graphOf(p.Name, p.Colours), p.Colours))
	default:
		err = fmt.Errorf("it is of kind %q", p.Kind)
	}
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

// of makes an instance of what a reader returned, nil where it failed.
func of[T datasets.Instance](inst T, err error) (datasets.Instance, error) {
	if err != nil {
		return nil, err
	}
	return inst, nil
}

// graphOf is the name of a graph by that of the instance with a number of colours.
func graphOf(name string, colours int) string {
	return strings.TrimSuffix(name, fmt.Sprintf("-k%d", colours))
}
