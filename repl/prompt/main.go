package prompt

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"metalab/kernel/eval"
	_ "metalab/kernel/eval/bind" // lab, for Go at the prompt
	"metalab/kernel/host"
	"metalab/kernel/host/serve"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/repl/internal/tty"
	"metalab/solvers/record"
)

const usage = `metalab's prompt: open a search, step it, turn its knobs while it runs, look at it.

  repl                   a prompt, in a terminal; from a pipe, the commands of the pipe
  repl script.lab        the commands of a file
  repl -c 'open acs E1k.0 as a; step a 100; best a'
  repl serve -session NAME
                         keep a session for programs, notebooks of other kernels, and prompts
  repl worker nats://127.0.0.1:4222
                         make units of experiments for a broker; repl worker -h tells more

flags:
  -c TEXT        carry out these commands and end
  -json          print one JSON object a line for every command
  -attach NAME   join the session whose name, or whose notebook's name, is or begins with NAME;
                 without a name, or with "list", list those that are live
  -version       the version of metalab, and of Go
  -h             this text

With -c, a script or a pipe, the exit status is 1 at the first error. A record that replay, diff,
load or recover find to differ is one, and so is a unit of an experiment that is opened and is
another, unless the line says that it may be: replay a.run differs.

environment:
  METALAB_DATA       folders with instances, parted by ":"
  METALAB_GRAPHICS   kitty, iterm, sixel, cells or none: what pictures are made of
  METALAB_STATE      the folder of autosaves and of what was typed
  METALAB_TIMES      none: texts have no measured times, so that they are the same each time

verbs:
`

var itself = regexp.MustCompile(`\brepl\b`)

// withName is a text about the program repl with the name of this one.
func withName(text string) string {
	return itself.ReplaceAllLiteralString(text, record.Program)
}

// complain writes a line to the standard error.
func complain(format string, args ...any) {
	for i, a := range args {
		if err, ok := a.(error); ok {
			args[i] = wire.FileText(err)
		}
	}
	fmt.Fprintf(os.Stderr, record.Program+": "+format+"\n", args...)
}

// Worker is the command worker; nil where the program lacks it.
var Worker func(args []string, out, errs io.Writer) int

// Main carries out the words of a command line, and returns the exit status. The program has called
// serve.Main before.
func Main(args []string) int {
	if code, ok := command(args); ok {
		return code
	}
	fs := flag.NewFlagSet("repl", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	text := fs.String("c", "", "")
	asJSON := fs.Bool("json", false, "")
	attach := fs.String("attach", "", "")
	version := fs.Bool("version", false, "")
	if n := len(args); n > 0 && (args[n-1] == "-attach" || args[n-1] == "--attach") {
		args = append(slices.Clone(args), "list")
	}
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			help, _ := words.Help("all", nil)
			fmt.Print(withName(usage) + help + "\n")
			return 0
		}
		complain("%v; %s -h tells what there is", err, record.Program)
		return 2
	}
	if *version {
		fmt.Println(record.Made())
		return 0
	}
	if fs.NArg() > 1 {
		complain("%d scripts are named, want at most one; %s -h tells what there is", fs.NArg(),
			record.Program)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if *attach == "list" {
		return list(ctx)
	}
	// The terminal answers while the host starts.
	said := make(chan view.Reply, 1)
	interactive := !isSet(fs, "c") && fs.NArg() == 0 && tty.IsTerminal() && !*asJSON
	if interactive && !tty.IsDumb() {
		go func() { said <- askTerminal() }()
	} else {
		said <- view.Reply{}
	}
	l, err := connect(ctx, *attach)
	reply := <-said // also if connecting failed: the terminal is then as it was before
	if err != nil {
		complain("%v", err)
		return 1
	}
	defer l.close()
	f, err := newFront(l.client, *asJSON)
	if err == nil {
		err = f.Refresh(ctx)
	}
	if err != nil {
		complain("%v", err)
		return 1
	}
	switch {
	case isSet(fs, "c"):
		err = f.script(ctx, strings.NewReader(*text), "-c")
	case fs.NArg() == 1:
		err = f.file(ctx, fs.Arg(0))
	case interactive:
		err = interact(ctx, f, filepath.Join(host.DefaultStateDir(), "history"), l, reply)
	default:
		err = f.script(ctx, os.Stdin, "line")
	}
	tellEnd(err)
	if !interactive {
		f.endScript(l, err)
	}
	return exitCode(err)
}

// command carries out the first of the words, where that names a command other than the prompt.
func command(args []string) (code int, ok bool) {
	if len(args) == 0 {
		return 0, false
	}
	switch args[0] {
	case "worker":
		if Worker == nil {
			complain("worker: %v", become())
			return 1, true
		}
		return Worker(args[1:], os.Stdout, os.Stderr), true
	case "serve":
		return serveSession(args[1:], os.Stdout), true
	}
	return 0, false
}

// exitCode is that of a session or a script that ended with err.
func exitCode(err error) int {
	if err == nil || errors.Is(err, errQuit) {
		return 0
	}
	return 1
}

// tellEnd says why a session or a script ended, unless it is as it should be or was said already.
func tellEnd(err error) {
	var told *toldError
	switch {
	case err == nil || errors.Is(err, errQuit) || errors.As(err, &told):
	case errors.Is(err, context.Canceled) || wire.CodeOf(err) == wire.CodeCanceled:
		complain("interrupted")
	default:
		complain("%v", err)
	}
}

func isSet(fs *flag.FlagSet, name string) bool {
	set := false
	fs.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// list prints the live sessions.
func list(ctx context.Context) int {
	if err := wire.CheckDir(wire.Dir()); err != nil {
		complain("%v", err)
		return 1
	}
	all := wire.Sessions(ctx)
	for _, h := range all {
		fmt.Println(sessionLine(h))
	}
	if len(all) == 0 {
		fmt.Println("no session is live; " + record.Program + " starts one")
	}
	return 0
}

// sessionLine is a line of the list of sessions; that of a notebook ends with what the notebook is
// called.
func sessionLine(h reply.Hello) string {
	line := fmt.Sprintf("%-20s  pid %-8d since %s", h.Session, h.PID,
		h.Started.Local().Format("15:04:05"))
	if h.Notebook != "" {
		line += "  notebook " + h.Notebook
	}
	return reply.Printable(line)
}

// A link is the connection of a front end to its host.
type link struct {
	client  *wire.Client
	process *serve.Process // nil if another front end started the host
}

// connect joins a session, or starts a host for one of its own.
func connect(ctx context.Context, session string) (*link, error) {
	if session == "" {
		l := &link{}
		return l, l.start(ctx)
	}
	session, err := wire.FindSession(ctx, session)
	if err != nil {
		return nil, err
	}
	c, err := wire.Dial(ctx, session, fmt.Sprintf("prompt-%d", os.Getpid()))
	if err != nil {
		return nil, err
	}
	return &link{client: c}, setSession(session)
}

// start starts a host, also after an earlier one has ended.
func (l *link) start(ctx context.Context) error {
	session := fmt.Sprintf("prompt-%d", os.Getpid())
	p, err := serve.Start(ctx, host.Options{Session: session}, "prompt")
	if err != nil {
		return err
	}
	if l.process != nil {
		l.process.Close()
	}
	l.client, l.process = p.Client, p
	return setSession(session)
}

// owned reports whether the host was started here.
func (l *link) owned() bool { return l.process != nil }

func (l *link) close() {
	if l.process != nil {
		l.process.Close()
		return
	}
	l.client.Close()
}

// setSession lets package lab, as Go at the prompt uses it, find the session.
func setSession(name string) error { return os.Setenv("METALAB_SESSION", name) }

func newFront(c *wire.Client, asJSON bool) (*shell, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	f := &shell{
		out: os.Stdout, json: asJSON, sink: plainSink, loadGo: newGo,
	}
	f.Folder, f.watch = dir, f.watchToEnd
	f.move(c)
	return f, nil
}

// newGo makes the evaluator of Go.
func newGo() (eval.Evaluator, error) {
	return eval.New(eval.Config{Packages: []string{
		"metalab/kernel/lab", "gonum.org/v1/gonum/stat",
		"gonum.org/v1/gonum/floats",
	}, Near: words.Near})
}

// file carries out the script in a file.
func (f *shell) file(ctx context.Context, path string) error {
	r, err := os.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	return f.script(ctx, r, path)
}

// script carries out what r holds, up to the first error. ^C ends it.
func (f *shell) script(ctx context.Context, r io.Reader, name string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	f.strict = true
	go alarms(f.host().Events(ctx, 0))
	in := tty.NewLineReader(r, incomplete)
	for {
		text, err := in.ReadLine(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		f.line = in.Line()
		if err := f.do(ctx, text); err != nil {
			if errors.Is(err, errQuit) {
				return err
			}
			return &scriptError{name, in.Line(), err}
		}
	}
}

// alarms tells a script of what concerns everybody in the session, as that a run is not autosaved.
func alarms(events iter.Seq2[wire.Event, error]) {
	for e, err := range events {
		if err != nil {
			return // the script's next command says so
		}
		if e.Kind == wire.EventNotice && e.Alarm {
			complain("%s", e.Note)
		}
	}
}

// A scriptError is the error that ended a script, and its place.
type scriptError struct {
	name string // of the script
	line int    // at which the input began
	err  error
}

// Error gives the line of the script; of Go that has several, the one that is wrong.
func (e *scriptError) Error() string {
	if g, ok := e.err.(*eval.Error); ok {
		if at, ok := g.In(e.line); ok {
			return fmt.Sprintf("%s %s: %s", e.name, at, g.Text())
		}
	}
	return fmt.Sprintf("%s %d: %v", e.name, e.line, e.err)
}

// Unwrap returns what was wrong.
func (e *scriptError) Unwrap() error { return e.err }

// incomplete reports whether a text is Go that needs another line.
func incomplete(text string) bool {
	return !words.IsCommand(text) && !words.LooksTyped(text) && words.Uncommented(text) != "" &&
		eval.Incomplete(text)
}

// watchToEnd is watch without a terminal: it waits until no run is going, and draws once; where one
// goes on until it is paused, which the script's next lines do, it draws at once.
func (f *shell) watchToEnd(ctx context.Context, q wire.PlotRequest) error {
	events := f.host().Events(ctx, 0)
	if err := f.Refresh(ctx); err != nil {
		return err
	}
	resting := func() bool {
		return !slices.ContainsFunc(f.Runs(), func(r reply.Status) bool {
			return slices.Contains(q.Runs, r.Run) && (r.State == "running" || r.State == "stepping")
		})
	}
	endless := slices.ContainsFunc(f.Runs(), func(r reply.Status) bool {
		return slices.Contains(q.Runs, r.Run) && r.Endless
	})
	if !resting() && !endless {
		for e, err := range events {
			if err != nil {
				return err
			}
			if e.Status != nil {
				f.Update(*e.Status)
			}
			if resting() {
				break
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	var r reply.PlotReply
	q.Sink = f.sink()
	if err := f.host().Do(ctx, "plot", &q, &r); err != nil {
		return err
	}
	if f.json {
		return f.print(&r)
	}
	_, err := f.out.Write(r.Data)
	return err
}
