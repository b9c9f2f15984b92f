package guest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A Code is one state of what somebody declared under a solver's name: a program that
// serves it, and its source.
type Code struct {
	ID      string // the beginning of a hash: of the source where it is known, else of the program
	Program string // path of the copy
	SHA256  string // of the program
	Source  string // the declarations that make the solver; empty when they are not known
	Hello   wire.WorkerHello
	Notes   []string // sentences about code that may prevent repeatable runs

	asked wire.DeclareRequest // that declared it, with the copy for the program

	lines map[int]string // of the program's source file, by number
}

// text returns the form of a code in records.
func (c *Code) text(solver string) string {
	head := fmt.Sprintf("// %s, code %s; program SHA-256 %s\n", solver, c.ID, c.SHA256)
	if c.Source == "" {
		return head + "// The source could not be had.\n"
	}
	return head + c.Source
}

// param returns the declaration of a parameter, nil when the code has none of the name.
func (c *Code) param(name string) *record.Param {
	for i := range c.Hello.Params {
		if c.Hello.Params[i].Name == name {
			return &c.Hello.Params[i]
		}
	}
	return nil
}

// explain adds the line of the source to an error of the solver's code.
func (c *Code) explain(err error) string {
	e, ok := err.(*solverError)
	if !ok {
		return err.Error()
	}
	s := e.Error()
	if line := c.line(e.Where, e.Line); line != "" {
		s += ": " + line
	}
	return s
}

// hash is the beginning of a hash, by which code is named.
func hash(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:5])
}

// short is one line of source, not too long.
func short(line string) string {
	line = strings.Join(strings.Fields(line), " ")
	if len(line) > 80 {
		line = line[:77] + "…"
	}
	return line
}
