package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"metalab/kernel/guest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// ready makes the session know the codes of somebody's own solvers that a record needs. It compiles
// their sources, which the record holds, only where the request says so, for they run with all
// rights of the user: else it says what they are, where they come from, and the line that does it.
// note says what was compiled.
func (h *Host) ready(
	c *Call, verb, from string, code bool, rec *record.Record,
) (note string, err error) {
	lacking := h.guests.Lacking(rec)
	if len(lacking) == 0 {
		return "", nil
	}
	for _, l := range lacking {
		if l.Source == "" { // nothing to compile
			return "", h.guests.Missing(rec)
		}
	}
	solver, sort := rec.Header.Solver, "solver"
	if rec.Header.Variant != guest.VariantName {
		solver, sort = rec.Header.Instance.Name, "problem"
	}
	var what []string
	for _, l := range lacking {
		what = append(what, fmt.Sprintf("%s of %d lines", l.ID, l.Lines()))
	}
	codes := "code " + what[0]
	if len(what) > 1 {
		codes = fmt.Sprintf("%d codes, %s", len(what), strings.Join(what, ", "))
	}
	name := filepath.Base(from)
	if !code {
		see := ""
		if filepath.IsAbs(from) {
			see = fmt.Sprintf("source %s prints it; ", name)
		}
		return "", &wire.Error{Code: wire.CodeSource, Message: fmt.Sprintf(
			"%s: %s is of %s, a %s of somebody's own, whose source it holds (%s); %sthe same line "+
				"with code=yes (%s code=yes) compiles and runs it, and it may do all that you may", verb, name,
			solver, sort, codes, see, typedAgain(verb, name))}
	}
	say := func(done int) {
		c.progress(int64(done), int64(len(lacking)), "compile the source of "+solver+" in "+name)
	}
	say(0)
	if err := h.guests.Restore(c.ctx, solver, lacking, say); err != nil {
		if c.ctx.Err() != nil {
			return "", c.ctx.Err()
		}
		return "", fmt.Errorf("%s: the source in %s: %w", verb, name, err)
	}
	note = fmt.Sprintf("%s, declared from the source in %s: %s", solver, name, codes)
	h.Logf("%s", note)
	return note, nil
}

// typedAgain is the beginning of the line that is typed again.
func typedAgain(verb, name string) string {
	if verb == "diff" {
		return "diff …"
	}
	return verb + " " + name
}

var _ = handle("source", (*Host).source)

// source prints the codes of a run of somebody's own solver, or writes them.
func (h *Host) source(c *Call, q *wire.SourceRequest) (*reply.SourceReply, error) {
	rec, err := h.RecordOf(c, q.Of)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(q.Of)
	codes := guest.Codes(rec)
	if len(codes) == 0 {
		return nil, wrong(fmt.Sprintf("source: %s is of %s, a solver of metalab's own: help %s tells "+
			"about it", name, rec.Header.Solver, rec.Header.Solver))
	}
	rep := &reply.SourceReply{Verb: "source", Of: name, Solver: rec.Header.Solver}
	for _, k := range codes {
		rep.Codes = append(rep.Codes, reply.SourceCode{ID: k.ID, Lines: k.Lines(), Text: k.Text})
	}
	if q.To == "" {
		return rep, nil
	}
	if err := Absolute("source", q.To); err != nil {
		return nil, err
	}
	last := codes[len(codes)-1]
	if last.Source == "" {
		return nil, wrong(fmt.Sprintf("source: that of code %s could not be had when %s was recorded",
			last.ID, name))
	}
	if old, err := os.ReadFile(q.To); err == nil && !strings.HasPrefix(string(old), "// "+
		rec.Header.Solver+", code ") {
		return nil, &wire.Error{Code: wire.CodeFile, Message: fmt.Sprintf("source: %s is there, and no "+
			"source of %s that was written before: take another name", q.To, rec.Header.Solver)}
	}
	rep.Path = q.To
	return rep, os.WriteFile(q.To, []byte(last.Text), 0o600)
}
