package datasets

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNoText is the error of Text for an instance whose cost a program computes.
var ErrNoText = errors.New("its cost is computed by a program")

// Text returns an instance as the text of a file of its kind, which [FromText] reads. The error is
// [ErrNoText] if there is no such file.
func Text(inst Instance) (string, error) {
	var b strings.Builder
	var err error
	switch t := inst.(type) {
	case *TSP:
		err = WriteTSP(&b, t)
	case *QAP:
		err = WriteQAP(&b, t)
	case *Colouring:
		err = WriteColouring(&b, t)
	case *Cut:
		err = WriteCOO(&b, t)
	default:
		return "", ErrNoText
	}
	return b.String(), err
}

// FromText returns the instance of a kind and a name from its [Text]. The text of a graph does not
// hold the number of colours, hence the parameter.
func FromText(kind Kind, name, text string, colours int) (inst Instance, err error) {
	r := strings.NewReader(text)
	switch kind {
	case KindTSP, KindATSP:
		inst, err = ReadTSP(r, name)
	case KindQAP:
		inst, err = ReadQAP(r, name)
	case KindColouring:
		inst, err = ReadColouring(r, strings.TrimSuffix(name, fmt.Sprintf("-k%d", colours)), colours)
	case KindCut:
		inst, err = ReadCOO(r, name)
	default:
		err = fmt.Errorf("instance %s is of kind %q, of which there are no files", name, kind)
	}
	if err != nil {
		return nil, err // and no instance that is a nil pointer
	}
	return inst, nil
}
