package host

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"metalab/kernel/guest"
	"metalab/kernel/internal/written"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// ready registers the codes of users' solvers that a record needs. It compiles the record's sources
// only if the request allows it, because they run with all rights of the user; otherwise the error
// says what they are, where they come from, and which line allows it. note names the compiled
// codes.
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
	var what, of, names []string
	for _, l := range lacking {
		what = append(what, fmt.Sprintf("%s of %d lines", l.ID, l.Lines()))
		name, sort := rec.Header.Solver, "solver"
		if l.Problem() != "" {
			name, sort = l.Problem(), "problem"
		}
		if s := fmt.Sprintf("%s, a %s of somebody's own", name, sort); !slices.Contains(of, s) {
			of, names = append(of, s), append(names, name)
		}
	}
	codes := "code " + what[0]
	if len(what) > 1 {
		codes = fmt.Sprintf("%d codes, %s", len(what), strings.Join(what, ", "))
	}
	name := filepath.Base(from)
	if !code {
		see, again := "", name
		if filepath.IsAbs(from) { // it works wherever the user is
			again = typedPath(from)
			see = fmt.Sprintf("source %s prints it; ", again)
		}
		return "", &wire.Error{Code: wire.CodeSource, Message: fmt.Sprintf(
			"%s: %s is of %s, whose source it holds (%s); %sthe same line "+
				"with code=yes (%s code=yes) compiles and runs it, and it may do all that you may", verb, name,
			strings.Join(of, ", and "), codes, see, typedAgain(verb, again))}
	}
	all := strings.Join(names, " and ")
	say := func(done int) {
		c.progress(int64(done), int64(len(lacking)), "compile the source of "+all+" in "+name)
	}
	say(0)
	if err := h.guests.Restore(c.ctx, rec.Header.Solver, lacking, say); err != nil {
		if c.ctx.Err() != nil {
			return "", c.ctx.Err()
		}
		return "", fmt.Errorf("%s: the source in %s: %w", verb, name, err)
	}
	note = fmt.Sprintf("%s, declared from the source in %s: %s", all, name, codes)
	h.Logf("%s", note)
	return note, nil
}

// typedPath is a path as it is typed.
func typedPath(path string) string {
	if strings.ContainsAny(path, " \t;#'\"") {
		return strconv.Quote(path)
	}
	return path
}

// typedAgain is the beginning of the line that is typed again.
func typedAgain(verb, name string) string {
	if verb == "diff" {
		return "diff …"
	}
	return verb + " " + name
}

var _ = handle("source", (*Host).source)

// source prints the codes of a run of a user's solver, or writes them.
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
	last := codes[len(codes)-1]
	if last.Source == "" {
		return nil, wrong(fmt.Sprintf("source: that of code %s could not be had when %s was recorded",
			last.ID, name))
	}
	what := "the source of " + rec.Header.Solver
	_, err = h.Write(&File{
		Verb: "source", Path: q.To, Ends: []string{".go"}, Force: q.Force,
		Holds: written.Thing{What: what, Kind: "source", Of: []string{what}},
	}, func(w io.Writer) error { _, err := io.WriteString(w, last.Text); return err })
	rep.Path = q.To
	return rep, err
}
