package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"

	"metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// An Error is the failure of a function of lab, in one line. Functions of lab panic with it.
type Error struct {
	Code    wire.Code
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

var here struct {
	sync.Mutex
	trying int                       // calls of Try under way
	shown  map[*reply.StepReply]bool // the steps whose outcome their cell shows already
}

// attaching is held while Client makes the connection that all goroutines share.
var attaching sync.Mutex

// Attach chooses the session for all later calls: the one with this name, or the only one whose
// name begins with it.
func Attach(session string) {
	session, err := wire.FindSession(context.Background(), session)
	check(err)
	c, err := wire.Dial(context.Background(), session, who())
	check(err)
	front.Attach(c)
}

// Sessions returns the names of the live sessions, sorted.
func Sessions() []string {
	var out []string
	for _, h := range wire.Sessions(context.Background()) {
		out = append(out, h.Session)
	}
	return out
}

// who names this program in journals.
func who() string {
	if notebook() {
		return wire.WhoCell
	}
	return filepath.Base(os.Args[0])
}

// compiled reports whether the program is a cell of GoNB.
func compiled() bool { return os.Getenv("GONB_PIPE") != "" }

// notebook reports whether a cell is running, in this program or in a kernel in it.
func notebook() bool { return compiled() || front.Get().Display != nil }

// inCell reports whether what lab shows belongs into the output of a cell.
func inCell() bool {
	f := front.Get()
	return f.Display != nil || f.Context == nil && compiled()
}

// Client returns the connection to the session, for what lab has no function for.
func Client() *wire.Client {
	if c := front.Get().Client; c != nil {
		return c
	}
	if serving {
		fail(&Error{wire.CodeRequest, "a solver cannot ask the session for anything: it runs in a " +
			"process of its own"})
	}
	if os.Getenv(wire.EnvWorker) != "" {
		refuse()
	}
	s := os.Getenv(wire.EnvSession)
	if s == "" {
		fail(&Error{wire.CodeHost, "lab: no session: set " + wire.EnvSession + " or call lab.Attach " +
			"with its name (lab.Sessions lists them); the prompt opens one"})
	}
	attaching.Lock()
	defer attaching.Unlock()
	if c := front.Get().Client; c != nil { // another goroutine was first
		return c
	}
	Attach(s)
	c := front.Get().Client
	tell(c.Hello().Note)
	alarm := func(a string) { fmt.Fprintln(os.Stderr, front.Red(a)) }
	for _, a := range c.Hello().Alarms {
		alarm(a)
	}
	c.OnAlarm(alarm)
	return c
}

// tell shows the note of a session in the first cell that comes to it.
func tell(note string) {
	dir := os.Getenv("GONB_TMP_DIR")
	if note == "" || dir == "" || !inCell() {
		return
	}
	f, err := os.OpenFile(filepath.Join(dir, "metalab-told"), os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return // an earlier cell has told
	}
	f.Close()
	fmt.Fprintln(os.Stderr, note)
}

// fail ends the current call with e.
func fail(e *Error) {
	here.Lock()
	caught := here.trying > 0
	here.Unlock()
	if inCell() && !caught && front.Get().Display == nil {
		// A panic in a cell would show a stack that says nothing to its author.
		if !front.Say(ofProgram(e.Message), e.Code == wire.CodeCanceled) {
			fmt.Fprintln(os.Stderr, front.Red(e.Message))
		}
		os.Exit(1)
	}
	panic(e)
}

// ofProgram names a place in the source of this program by its file, which the kernel knows the
// cells of.
func ofProgram(text string) string { return placeOfSource.ReplaceAllString(text, "main.go:$1") }

var placeOfSource = regexp.MustCompile(`\bsource:(\d+)`)

// check fails when there is an error.
func check(err error) {
	if err == nil {
		return
	}
	var own *Error
	if errors.As(err, &own) {
		fail(own)
	}
	e := &Error{Code: wire.CodeOf(err), Message: err.Error()}
	if notebook() {
		e = inGo(e)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		e.Code, e.Message = wire.CodeCanceled, "interrupted"
	}
	fail(e)
}

// Try calls f and returns the error of the function of lab that failed in f, nil if none did.
func Try(f func()) (err error) {
	try := func(n int) {
		here.Lock()
		here.trying += n
		here.Unlock()
	}
	try(1)
	defer try(-1)
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *Error:
			err = x
		default:
			panic(x)
		}
	}()
	if f == nil {
		failWith("lab: Try: the function is nil")
	}
	f()
	return nil
}

// during returns the context of a call, which an interrupt ends, and a function to call after it,
// with whether the call failed. If it did not although an interrupt came, as one may in the moment
// in which the call ends, the program gets that interrupt again: it is never lost.
func during() (ctx context.Context, done func(failed bool)) {
	f := front.Get().Context
	if f != nil {
		return f(), func(bool) {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	came, ended, gone := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	signal.Notify(came, os.Interrupt, syscall.SIGTERM)
	var got os.Signal
	go func() {
		defer close(gone)
		select {
		case got = <-came:
			cancel()
		case <-ended:
		}
	}()
	return ctx, func(failed bool) {
		signal.Stop(came)
		close(ended)
		<-gone
		if got == nil && len(came) > 0 {
			got = <-came
		}
		if got != nil && !failed {
			again(got)
		}
	}
}

// again sends this process a signal.
func again(s os.Signal) {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Signal(s)
	}
}

// ask asks for a verb.
func ask(verb string, request any, reply reply.Reply) {
	c := Client()
	ctx, done := during()
	id := c.NewCall()
	end := progressing(c, id, verb)
	err := c.DoID(ctx, id, verb, request, reply)
	end(err)
	done(err != nil)
	check(err)
}

// abs makes a path absolute.
func abs(path string) string { return wire.AbsPath(dir(), path) }

func dir() string {
	f := front.Get().Dir
	if f != nil {
		return f()
	}
	d, err := os.Getwd()
	if err != nil {
		fail(&Error{wire.CodeFile, "lab: the working folder: " + err.Error()})
	}
	return d
}

// Show shows results of other functions, one below the other: in a notebook as a picture, a table
// or a card, elsewhere as text, or as the front end shows it. Of other values a notebook shows
// images and plots of gonum as pictures, and slices of structs, slices of slices and maps as tables
// of 50 rows; all else is printed. A cell shows its last expression without it.
func Show(results ...any) {
	f := front.Get().Show
	for _, v := range results {
		r, ok := v.(reply.Reply)
		if !ok && inCell() {
			r, ok = reply.Of(v)
		}
		switch {
		case v == nil: // no error, say
		case !ok:
			fmt.Println(v)
		case f != nil:
			f(r)
		case inCell() && showCell(r):
		default:
			fmt.Println(r)
		}
	}
}
