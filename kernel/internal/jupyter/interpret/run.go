package interpret

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

	"metalab/kernel/cells"
	"metalab/kernel/declare"
	"metalab/kernel/eval"
	_ "metalab/kernel/eval/bind" // what cells may import of metalab and gonum
	_ "metalab/kernel/eval/programs"
	"metalab/kernel/internal/jupyter/messages"
	"metalab/kernel/internal/jupyter/session"
	"metalab/kernel/lab/front"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// packages are in scope in cells without an import line, beside those of eval.Std.
var packages = []string{
	"metalab/kernel/lab", "gonum.org/v1/gonum/stat", "gonum.org/v1/gonum/floats",
	"metalab/solvers/stats", "metalab/kernel/reply", "metalab/solvers/wave",
}

// more are packages of Go's library that cells find without an import line, as those that are
// compiled do.
const more = `import ("bufio"; "bytes"; "crypto/sha256"; "encoding/csv"; "encoding/json"; "io"
	"math/bits"; "math/rand/v2"; "os"; "os/exec"; "path/filepath"; "regexp"; "sync/atomic"; "syscall"
	"unicode")`

// elsewhere says how a cell has a package that is not bound.
const elsewhere = ", but a cell that begins with %%go is compiled, where Go is, and may import it"

// kernelFile is the name of a connection file of Jupyter's server, with the kernel's id in it.
var kernelFile = regexp.MustCompile(`^kernel-(.+)\.json$`)

// A kernel is what serves a notebook.
type kernel struct {
	*messages.Server
	eval   *eval.Session
	cells  *cells.Kernel
	queue  cells.Queue
	said   [2]*spout // standard output and error
	orders chan messages.Message
	typed  answers // into boxes for input

	mu     sync.Mutex
	now    messages.Message // the cell that is carried out, or was last
	ctx    context.Context  // of it; nil between cells
	cancel context.CancelFunc
	count  int
	shown  map[string]bool // what was displayed, by its id
}

// Run serves the notebook of a connection file, until its front end ends it.
func Run(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return errors.New("which connection file? Jupyter names it when it starts this kernel")
	}
	path, err := filepath.Abs(args[0])
	if err != nil {
		return err
	}
	c, err := messages.ReadConnection(path)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	signal.Ignore(os.Interrupt, syscall.SIGHUP) // cells are interrupted by message
	if m := kernelFile.FindStringSubmatch(filepath.Base(path)); m != nil && os.Getenv(
		"JPY_PARENT_PID") != "" {
		if err := os.Setenv("GONB_JUPYTER_KERNEL_ID", m[1]); err != nil { // pages ask for it
			return err
		}
	}
	s, err := session.Open(path, false, "")
	if err != nil {
		return err
	}
	for name, value := range map[string]string{wire.EnvSession: s.Socket, "TMPDIR": s.Dir} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	client, err := wire.Dial(ctx, s.Socket, wire.WhoCell)
	if err != nil {
		return err
	}
	defer client.Close()
	k := &kernel{
		cells: cells.New(s.Socket), orders: make(chan messages.Message, 1<<10), shown: map[string]bool{},
		typed: newAnswers(),
	}
	k.cells.Interprets = true
	defer k.cells.Close()
	if k.Server, err = messages.Listen(ctx, c); err != nil {
		return err
	}
	defer k.Server.Close()
	if err := k.begin(client); err != nil {
		return err
	}
	go k.work(ctx)
	go k.listen()
	go k.serve(k.Control, stop)
	go k.serve(k.Shell, stop)
	<-ctx.Done()
	return nil
}

// begin makes the evaluator, and has package lab show what it shows in cells.
func (k *kernel) begin(client *wire.Client) (err error) {
	if err := k.spouts(); err != nil {
		return err
	}
	client.OnAlarm(func(text string) { k.stream("stderr", front.Red(text)+"\n") })
	front.Set(front.Front{
		Client: client, Context: k.context, Dir: dir, Display: k.display,
		Declare: func(solver string) (wire.DeclareRequest, func(), error) {
			return declare.Solver(k.context(), k.eval, solver)
		},
		DeclareProblem: func(problem string) (wire.DeclareRequest, error) {
			return declare.Problem(k.eval, problem)
		},
	})
	k.eval, err = eval.New(eval.Config{
		Packages: packages, Programs: true, Elsewhere: elsewhere, Near: words.Near,
		Notice: func(line string) { k.stream("stderr", line+"\n") },
	})
	if err != nil {
		return err
	}
	if _, err := k.eval.Eval(context.Background(), more); err != nil {
		return fmt.Errorf("the packages of cells: %w", err)
	}
	go k.eval.Warm()
	return nil
}

// dir is the folder that relative paths of cells begin at.
func dir() string {
	d, err := os.Getwd()
	if err != nil {
		return ""
	}
	return d
}

// context is that of the cell that is carried out.
func (k *kernel) context() context.Context {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ctx == nil {
		return context.Background()
	}
	return k.ctx
}

// parent is the header of the message that the cell came with, whose output is said now.
func (k *kernel) parent() messages.Message {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.now
}
