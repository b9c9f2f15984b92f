// Package front is what package lab and the programs around it have to do with each other: a
// front end that carries out lines of Go itself, as the prompt does, says here how, and a kernel
// finds here what a cell that fails leaves behind. It is nothing that people type.
package front

import (
	"context"
	"sync"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A Front is a front end that carries out lines of Go itself. Nil fields keep what a plain
// program gets.
type Front struct {
	// Client is the connection to the session's host.
	Client *wire.Client

	// Context returns the context of what is being carried out: its end withdraws calls.
	// In a plain program an interrupt does that.
	Context func() context.Context

	// Dir returns the folder that relative paths start from.
	Dir func() string

	// Declare returns the program that Declare was asked to declare a solver of, where this
	// program cannot be that program itself, and a function to call afterwards.
	Declare func(solver string) (q wire.DeclareRequest, done func(), err error)

	// DeclareProblem returns the source of which DeclareProblem was asked to make a problem, where
	// this program has none.
	DeclareProblem func(name string) (q wire.DeclareRequest, err error)
	// Show shows a result; a plain program prints its text.
	Show func(reply.Reply)

	// Display shows something in the output of the cell that is being carried out, in forms by media
	// type, and about them by media type; under an id it takes the place of what was shown under that.
	// A notebook's kernel that carries out cells itself has it, and no Show and no Watch.
	Display func(id string, forms, about map[string]any) bool

	// Sliders shows widgets for parameters in a notebook whose kernel is not metalab's; see package
	// stock below lab.
	Sliders func(params []reply.Param, set func(name string, v record.Value) error)

	// Watch draws figures of runs again and again until they pause or ctx ends.
	Watch func(ctx context.Context, q wire.PlotRequest) error
}

var here struct {
	sync.Mutex
	front Front
	owned bool // the client is this program's to close
}

// Set makes f the front end of everything that lab does from now on.
func Set(f Front) {
	here.Lock()
	old, owned := here.front.Client, here.owned
	here.front, here.owned = f, false
	here.Unlock()
	if owned && old != nil && old != f.Client {
		old.Close()
	}
}

// Get returns the front end.
func Get() Front {
	here.Lock()
	defer here.Unlock()
	return here.front
}

// Attach makes a client that lab made itself the connection from now on.
func Attach(c *wire.Client) {
	here.Lock()
	old, owned := here.front.Client, here.owned
	here.front.Client, here.owned = c, true
	here.Unlock()
	if owned && old != nil {
		old.Close()
	}
}

// EnvSaid is the environment variable that names the file into which a cell that fails
// writes why, where its kernel makes that the cell's error. Without it the cell prints it.
const EnvSaid = "METALAB_SAID"

// Red is s in red on a terminal or in a cell's output.
func Red(s string) string { return "\x1b[31m" + s + "\x1b[0m" }
