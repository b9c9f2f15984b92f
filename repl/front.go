package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"metalab/kernel/lab"
	labfront "metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/repl/eval"
)

// errQuit ends the prompt.
var errQuit = errors.New("quit")

// front carries out the lines that are typed. It is a client of one host.
type front struct {
	out    io.Writer  // what commands print
	dir    string     // that paths are relative to
	json   bool       // print replies as JSON
	line   int        // of the script, at which the input began; 0: it is none
	strict bool       // of a script: what is made again and is another is an error
	width  func() int // of the screen; nil where there is none
	sink   func() *wire.Sink
	eval   eval.Evaluator // nil until Go is typed first; see goEval
	loadGo func() (eval.Evaluator, error)
	watch  func(ctx context.Context, q wire.PlotRequest) error
	clear  func() // clears the screen; nil where there is none

	mu      sync.Mutex
	client  *wire.Client
	ctx     context.Context // of the Go line that is being carried out
	runs    []reply.Status  // as of the latest event or reply
	params  map[string][]reply.Param
	solvers []reply.Variant
	named   []reply.SolverName // names of papers
	names   []string           // of instances
	tables  []reply.BenchTable
	saved   []reply.Autosave // in the last list of recover
	savedAt time.Time
	current string // the run of the last command
	free    bool   // the host was detached: it continues without this front end
}

// host is the connection to the host.
func (f *front) host() *wire.Client {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.client
}

// move changes to another host, whose runs are not known yet.
func (f *front) move(c *wire.Client) {
	f.mu.Lock()
	f.client, f.current, f.free = c, "", false
	f.runs, f.params = nil, map[string][]reply.Param{}
	f.mu.Unlock()
	labfront.Set(f.labFront())
}

// do carries out an input: one or more commands, or Go.
func (f *front) do(ctx context.Context, text string) error {
	if text = words.Uncommented(text); text == "" {
		return nil
	}
	if !words.IsCommand(text) {
		return f.goLine(ctx, text)
	}
	for _, line := range words.Split(text) {
		var err error
		if words.IsCommand(line) {
			err = f.command(ctx, line)
		} else {
			err = f.goLine(ctx, line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scope is what a command is read in.
func (f *front) scope() words.Scope {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := words.Scope{Runs: []string{}, Current: f.current, Dir: f.dir}
	for _, r := range f.runs {
		s.Runs = append(s.Runs, r.Run)
	}
	return s
}

// command carries out one command.
func (f *front) command(ctx context.Context, line string) error {
	call, err := words.Parse(line, f.scope())
	if err != nil && f.refresh(ctx) == nil { // another client may have opened the run
		call, err = words.Parse(line, f.scope())
	}
	if err != nil {
		return f.failed(firstWord(words.Command(line)), err)
	}
	verb := call.Verb.Name
	switch verb {
	case "quit":
		return errQuit
	case "clear":
		if f.clear != nil {
			f.clear()
		}
		if f.json {
			return f.print(map[string]string{"verb": verb})
		}
		return nil
	case "help":
		word, _ := call.Args["word"].(string)
		text, err := words.Help(word, f)
		if err != nil {
			return f.failed(verb, err)
		}
		if f.json {
			return f.print(map[string]string{"verb": verb, "text": text})
		}
		_, err = fmt.Fprintln(f.out, f.wrapped(text))
		return err
	case "watch":
		var q wire.PlotRequest
		err := call.Bind(&q)
		if err == nil {
			err = f.watch(ctx, q)
		}
		if err != nil {
			return f.failed(verb, call.Hint(err))
		}
		return nil
	case "plot", "chart":
		if call.Args["to"] == nil && call.Args["sink"] == nil && !f.json {
			call.Args["sink"] = f.sink()
		}
	}
	answers := words.Ask(ctx, f.host(), f.host().NewCall(), call)
	for _, a := range answers {
		if a.Err != nil {
			continue
		}
		if err := f.answer(call, a); err != nil {
			return err
		}
	}
	if err := words.ErrorOf(answers); err != nil {
		return f.failed(verb, f.interrupted(ctx, call, err))
	}
	return nil
}

// answer prints the answer to a call. A script ends where a record is another than what is made
// again of it; who looks at a terminal sees that.
func (f *front) answer(call words.Call, a words.Answer) (err error) {
	reply, raw := a.Reply, a.Raw
	f.learn(call.Verb.Name, raw)
	f.browse(reply)
	var parted error
	if f.strict {
		parted = call.Parted(reply)
	}
	if f.json {
		if parted == nil {
			_, err = fmt.Fprintf(f.out, "%s\n", raw)
			return err
		}
		said, err := json.Marshal(f.wrong(parted))
		if err == nil { // one object: the reply and what is wrong
			_, err = fmt.Fprintf(f.out, "%s,%s\n", bytes.TrimSuffix(raw, []byte("}")), said[1:])
		}
		return errors.Join(&toldError{parted}, err)
	}
	if text := f.text(reply); text != "" {
		_, err = fmt.Fprintln(f.out, strings.TrimRight(text, "\n"))
	}
	return errors.Join(parted, err)
}

// interrupted says what was done of a command that ^C ended; it returns other errors as they are.
func (f *front) interrupted(ctx context.Context, call words.Call, err error) error {
	if ctx.Err() == nil || wire.CodeOf(err) != wire.CodeCanceled && !errors.Is(err, context.Canceled) {
		return err
	}
	say := func(s string) error {
		return &wire.Error{Code: wire.CodeCanceled, Message: "interrupted" + s}
	}
	switch call.Verb.Name {
	case "step":
		return say(": the run stands after its last whole iteration")
	case "solve":
		return say(": the run stands after its last whole iteration; runs lists it, and export " +
			"writes its best")
	case "undo":
		return say(": the run is as it was")
	case "repeat":
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		var kept []string
		for _, one := range call.Each() {
			var r reply.SeedsReply
			if f.host().Do(ctx, "seeds", wire.RunRequest{Run: fmt.Sprint(one.Args["run"])}, &r) == nil {
				kept = append(kept, r.Kept())
			}
		}
		return say(": " + strings.Join(kept, "; "))
	case "experiment", "sweep", "tune":
		return say("; what was made is kept: the same line goes on")
	}
	return say("")
}

func firstWord(line string) string {
	if w := strings.Fields(line); len(w) > 0 {
		return w[0]
	}
	return ""
}

// failed returns an error; with -json it prints it here, on the line of its command.
func (f *front) failed(verb string, err error) error {
	if !f.json {
		return err
	}
	said := f.wrong(err)
	said["verb"] = verb
	perr := f.print(said)
	return errors.Join(&toldError{err}, perr)
}

// wrong is an error as -json tells it, with the line of the script.
func (f *front) wrong(err error) map[string]any {
	said := map[string]any{"error": err.Error(), "code": string(wire.CodeOf(err))}
	if f.line > 0 {
		said["line"] = f.line
	}
	return said
}

// toldError is an error that was printed already.
type toldError struct{ error }

// Unwrap returns the error that was printed.
func (e *toldError) Unwrap() error { return e.error }

func (f *front) print(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f.out, "%s\n", b)
	return err
}

// goLine evaluates Go and prints the values.
func (f *front) goLine(ctx context.Context, text string) error {
	if f.json {
		say := f.slip(text)
		if say == "" {
			say = fmt.Sprintf("%q is not a command%s, and -json takes commands only", firstWord(text),
				words.NearVerb(firstWord(text)))
		}
		return f.failed("go", &wire.Error{Code: wire.CodeVerb, Message: say})
	}
	ev, err := f.goEval()
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.ctx = ctx
	f.mu.Unlock()
	values, err := ev.Eval(ctx, text)
	for _, v := range values {
		if serr := f.showSafely(ctx, v); err == nil {
			err = serr
		}
	}
	if rerr := f.refresh(ctx); err == nil { // Go may have opened and closed runs
		err = rerr
	}
	if err != nil {
		err = f.meant(text, err)
	}
	var said *lab.Error
	if errors.As(err, &said) { // a panic of lab with a message for the user
		return said
	}
	return err
}

// goEval makes the evaluator at first use.
func (f *front) goEval() (eval.Evaluator, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.eval == nil {
		ev, err := f.loadGo()
		if err != nil {
			return nil, err
		}
		f.eval = ev
	}
	return f.eval, nil
}

// labFront shows the results of package lab when it is used at the prompt.
func (f *front) labFront() labfront.Front {
	now := func() context.Context {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.ctx == nil {
			return context.Background()
		}
		return f.ctx
	}
	return labfront.Front{
		Client:  f.host(),
		Context: now,
		Dir:     func() string { return f.dir },
		Declare: func(solver string) (wire.DeclareRequest, func(), error) {
			return f.declare(now(), solver)
		},
		DeclareProblem: f.declareProblem,
		Show:           func(r reply.Reply) { f.show(now(), r) },
		Watch:          f.watch,
	}
}

// showSafely is show for values whose text may panic, as that of lab.GPU(0) does without a GPU.
func (f *front) showSafely(ctx context.Context, v any) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *lab.Error:
			err = r
		default:
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	f.show(ctx, v)
	return nil
}

// show prints a value; a picture is drawn as this front end shows pictures.
func (f *front) show(ctx context.Context, v any) {
	if p, ok := v.(*reply.PlotReply); ok && p.Path == "" && p.Mime != "text/plain" && len(p.Runs) > 0 {
		var r reply.PlotReply
		var req any = &wire.PlotRequest{
			Runs: p.Runs, Figure: p.Figure, PlotLook: p.Look, Sink: f.sink(),
		}
		if p.Verb == "chart" {
			req = &wire.ChartRequest{Name: p.Runs[0], Figure: p.Figure, Sink: f.sink()}
		}
		if err := f.host().Do(ctx, p.Verb, req, &r); err == nil {
			v = &r
		}
	}
	if r, ok := v.(reply.Reply); ok {
		f.browse(r)
		if _, picture := v.(*reply.PlotReply); !picture {
			fmt.Fprintln(f.out, f.text(r))
			return
		}
	}
	fmt.Fprintln(f.out, text(v))
}

// text returns a reply as it is printed; pictures are not wrapped.
func (f *front) text(r reply.Reply) string {
	if _, picture := r.(*reply.PlotReply); picture {
		return r.String()
	}
	if f.width == nil {
		return plain(r.String())
	}
	return f.wrapped(strings.TrimRight(reply.Text(r, f.width()), "\n"))
}

// wrapped breaks the lines of a text that are longer than the screen is wide.
func (f *front) wrapped(text string) string {
	if f.width == nil {
		return text
	}
	return words.Wrap(plain(text), f.width())
}

var inASCII = strings.NewReplacer("→", "->", "…", "...", "−", "-", "×", "x")

// plain is a text without arrows and the like where the locale has none.
func plain(text string) string {
	if view.Unicode(os.Getenv) {
		return text
	}
	return inASCII.Replace(text)
}

// text returns a value as the prompt prints it: by its own String, else in Go's syntax.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case error:
		return v.Error()
	case fmt.Stringer:
		return strings.TrimRight(v.String(), "\n")
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprintf("%v", v)
}

// learn stores what a reply says about runs.
func (f *front) learn(verb string, raw json.RawMessage) {
	switch verb {
	case "detach":
		f.mu.Lock()
		f.free = true
		f.mu.Unlock()
		return
	case "runs":
		var r reply.RunsReply
		if json.Unmarshal(raw, &r) == nil {
			f.mu.Lock()
			f.runs = r.Runs
			f.mu.Unlock()
		}
		return
	case "close":
		var s reply.Status
		if json.Unmarshal(raw, &s) == nil {
			f.forget(s.Run)
		}
		return
	case "replay":
		return // about a record, not about an open run
	case "recover", "experiment":
		if verb == "recover" {
			f.mu.Lock()
			f.savedAt = time.Time{}
			f.mu.Unlock()
		}
		var r struct{ Opened json.RawMessage }
		if json.Unmarshal(raw, &r) != nil || r.Opened == nil {
			return
		}
		raw = r.Opened
	}
	var s reply.Status
	if json.Unmarshal(raw, &s) != nil || s.Run == "" || s.Solver == "" {
		return
	}
	f.update(s)
	f.mu.Lock()
	f.current = s.Run
	delete(f.params, s.Run)
	f.mu.Unlock()
}

// update stores the status of a run.
func (f *front) update(s reply.Status) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.runs, func(r reply.Status) bool { return r.Run == s.Run })
	if i < 0 {
		f.runs = append(f.runs, s)
		slices.SortFunc(f.runs, func(a, b reply.Status) int { return strings.Compare(a.Run, b.Run) })
		return
	}
	f.runs[i] = s
}

func (f *front) forget(run string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.runs = slices.DeleteFunc(f.runs, func(r reply.Status) bool { return r.Run == run })
	delete(f.params, run)
	if f.current == run {
		f.current = ""
	}
}

// refresh asks the host for the runs.
func (f *front) refresh(ctx context.Context) error {
	raw, err := f.host().Raw(ctx, "runs", &wire.RunsRequest{})
	if err == nil {
		f.learn("runs", raw)
	}
	return err
}

// plainSink says that figures are drawn as text, where there is no terminal.
func plainSink() *wire.Sink {
	s := view.Terminal(os.Getenv, false, 100, 24)
	s.Grow = true
	return sinkOf(s)
}

// sinkOf is a sink as it goes over the wire.
func sinkOf(s view.Sink) *wire.Sink {
	return &wire.Sink{
		Graphics: string(s.Graphics), Cols: s.Cols, Rows: s.Rows, CellW: s.CellW, CellH: s.CellH,
		Depth: int(s.Depth), Grow: s.Grow, ASCII: s.ASCII, Tmux: s.Tmux, Background: s.Background,
	}
}
