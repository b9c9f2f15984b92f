package experiments

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/sqlite"
)

// recoverWord stands where the name of an experiment does.
const recoverWord = "recover"

// experimentsPath is the path of the file of all experiments.
func (h *room) experimentsPath() string {
	return filepath.Join(h.Options().StateDir, "experiments.sqlite")
}

// hasExperiments reports whether there is that file, or its log: who only asks makes none.
func (h *room) hasExperiments() bool {
	for _, end := range []string{"", "-wal"} {
		if _, err := os.Stat(h.experimentsPath() + end); !errors.Is(err, os.ErrNotExist) {
			return true
		}
	}
	return false
}

// experiments returns the store of all experiments. Another session may have recovered it: then
// another file is in its place.
func (h *room) experiments() (*sqlite.Store, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f := h.file; f != nil && len(h.making) == 0 && f.Moved() {
		_ = f.Close() // its results stay in a file beside the new one
		h.file = nil
	}
	if h.file == nil {
		s, err := sqlite.Open(h.experimentsPath())
		if err != nil {
			return nil, err
		}
		h.file = s
		if s.Kept() != "" {
			h.Publish(wire.Event{Kind: wire.EventNotice, Note: fmt.Sprintf("the file of experiments is "+
				"of an earlier metalab and becomes one of this; as it was it is kept as %s", s.Kept())})
		}
	}
	return h.file, nil
}

// close closes the store at the end of the host.
func (h *room) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file == nil {
		return nil
	}
	return h.file.Close()
}

// recoverStore saves what can be read of a damaged file of experiments into a new one.
func (h *room) recoverStore(c *host.Call, empty bool) (*reply.ExperimentReply, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name := range h.making {
		return nil, wrong(fmt.Sprintf("experiment: %s is being made; experiment %s pause ends that", name,
			name))
	}
	if h.file != nil {
		_ = h.file.Close() // what is wrong with it is why the user recovers it
		h.file = nil
	}
	path := h.experimentsPath()
	r, err := sqlite.Recover(c.Context(), path, empty)
	switch {
	case errors.Is(err, sqlite.ErrWhole):
		return nil, wrong(fmt.Sprintf("experiment: %s is not damaged: there is nothing to recover; "+
			"experiment lists what is in it", path))
	case errors.Is(err, sqlite.ErrNothing):
		return nil, wrong(fmt.Sprintf("experiment: in %s no unit can be read, and nothing was changed: "+
			"experiment recover empty keeps it beside a new, empty one", path))
	case errors.Is(err, experiment.ErrTaken):
		return nil, wrong(err.Error() + ": experiment NAME pause ends that, in the session that began it")
	case err != nil:
		return nil, err
	}
	rep := &reply.ExperimentReply{Verb: "experiment", Path: r.Path}
	rep.Recovered = &reply.Recovery{
		Aside: r.Aside, Pages: r.Pages, Bad: r.Bad, Lost: r.Lost,
		Experiments: []reply.RecoveredExperiment{},
	}
	for _, x := range r.Experiments {
		rep.Recovered.Experiments = append(rep.Recovered.Experiments, reply.RecoveredExperiment(x))
	}
	h.Publish(wire.Event{Kind: wire.EventProgress, Experiment: recoverWord}) // pages ask anew
	return rep, nil
}

// storeFinding says how the file of experiments is; ok is false where there is none.
func (h *room) storeFinding(c *host.Call) (f reply.Finding, ok bool) {
	if !h.hasExperiments() {
		return f, false
	}
	f = reply.Finding{Level: "fine", Subject: "experiments"}
	s, err := h.experiments()
	if err == nil {
		err = s.Check(c.Context())
	}
	if err == nil {
		size, _ := s.Size() // the check has read it
		f.Text = fmt.Sprintf("%s is whole, %.1f MB", s.Path(), float64(size)/1e6)
		return f, true
	}
	f.Level, f.Text = "problem", strings.TrimPrefix(err.Error(), "experiments: ")
	if errors.As(err, new(*sqlite.DamageError)) {
		f.Fix = "experiment recover saves what can be read, and keeps this file beside it"
	}
	return f, true
}

// unknownChoice is the error of a word that is none of the choices, with one that is near.
func unknownChoice(what, word string, choices []wire.Choice) error {
	var names []string
	for _, c := range choices {
		names = append(names, c.Name)
	}
	said := fmt.Sprintf("%s is %q, want %s", what, word, wire.OneOf(choices))
	if near := words.Near(word, names); near != "" {
		said += "; did you mean " + near + "?"
	}
	return wrong(said)
}

// nearExperiment is ", did you mean e1?" for a name that is nearly one of an experiment, else
// empty.
func nearExperiment(ctx context.Context, s experiment.Store, name string) string {
	all, err := s.Experiments(ctx)
	if err != nil {
		return ""
	}
	var names []string
	for _, i := range all {
		names = append(names, i.Name)
	}
	if near := words.Near(name, names); near != "" {
		return ", did you mean " + near + "?"
	}
	return ""
}
