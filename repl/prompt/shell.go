package prompt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"metalab/kernel/declare"
	"metalab/kernel/eval"
	"metalab/kernel/know"
	"metalab/kernel/lab"
	labfront "metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// errQuit ends the prompt.
var errQuit = errors.New("quit")

// shell carries out the lines that are typed. It is a client of one host.
type shell struct {
	know.Known

	out    io.Writer  // what commands print
	json   bool       // print replies as JSON
	line   int        // of the script, at which the input began; 0: it is none
	strict bool       // in a script: a replay that differs is an error
	width  func() int // of the screen; nil where there is none
	sink   func() *wire.Sink
	eval   eval.Evaluator // nil until Go is typed first; see goEval
	loadGo func() (eval.Evaluator, error)
	watch  func(ctx context.Context, q wire.PlotRequest) error
	clear  func() // clears the screen; nil where there is none
	rest   func() // ends watching; nil where nothing is watched
	// asks the user whether to do what an error is about; nil where there is no terminal
	confirm func(ctx context.Context, about string) bool

	mu     sync.Mutex
	client *wire.Client
	ctx    context.Context // of the Go line that is being carried out
}

// host is the connection to the host.
func (f *shell) host() *wire.Client {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.client
}

// move changes to another host, whose runs are not known yet.
func (f *shell) move(c *wire.Client) {
	f.mu.Lock()
	f.client = c
	f.mu.Unlock()
	f.Known.Move(c)
	labfront.Set(f.labFront())
}

// do carries out an input: one or more commands, or Go.
func (f *shell) do(ctx context.Context, text string) error {
	if text = words.Uncommented(text); text == "" {
		return nil
	}
	if !words.IsCommand(text) {
		return f.goLine(ctx, text)
	}
	lines := words.Split(text)
	for i, line := range lines {
		var err error
		if words.IsCommand(line) {
			err = f.command(ctx, line)
		} else {
			err = f.goLine(ctx, line)
		}
		if err != nil && !f.strict && i+1 < len(lines) && !errors.Is(err, errQuit) {
			return &leftError{err, lines[i+1:]}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A leftError is the error of a command behind which others stood on the line.
type leftError struct {
	error
	rest []string
}

// Unwrap returns the command's error.
func (e *leftError) Unwrap() error { return e.error }

// command carries out one command.
func (f *shell) command(ctx context.Context, line string) error {
	if w := strings.Fields(words.Command(line)); len(w) == 2 && w[0] == "watch" && w[1] == "off" {
		if f.rest != nil {
			f.rest()
		}
		return nil
	}
	call, err := f.Parse(ctx, line)
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
		text, err := words.Help(word, book{know.Patient{Known: &f.Known}, f})
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
	if err := words.ErrorOf(answers); wire.CodeOf(err) == wire.CodeTaken && f.confirm != nil {
		if !f.confirm(ctx, err.Error()) {
			return &wire.Error{Code: wire.CodeCanceled, Message: "it is left as it is"}
		}
		call.Args["force"] = true
		answers = words.Ask(ctx, f.host(), f.host().NewCall(), call)
	}
	for _, a := range answers {
		if a.Err != nil {
			continue
		}
		if err := f.answer(call, a); err != nil {
			return err
		}
	}
	if err := words.ErrorOf(answers); err != nil {
		return f.failed(verb, f.Interrupted(ctx, call, err))
	}
	return nil
}

// answer prints the answer to a call. A script ends if a record differs from its replay; at a
// terminal the user sees that.
func (f *shell) answer(call words.Call, a words.Answer) (err error) {
	reply, raw := a.Reply, a.Raw
	f.Learn(call.Verb.Name, raw)
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
		said, err := inJSON(f.wrong(parted))
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

func firstWord(line string) string {
	if w := strings.Fields(line); len(w) > 0 {
		return w[0]
	}
	return ""
}

// failed returns an error; with -json it prints it here, on the line of its command.
func (f *shell) failed(verb string, err error) error {
	if !f.json {
		return err
	}
	said := f.wrong(err)
	said["verb"] = verb
	perr := f.print(said)
	return errors.Join(&toldError{err}, perr)
}

// wrong is an error as -json tells it, with the line of the script.
func (f *shell) wrong(err error) map[string]any {
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

func (f *shell) print(v any) error {
	b, err := inJSON(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f.out, "%s\n", b)
	return err
}

// inJSON is a value in JSON, with < and > as they are: errors name conditions, as gap<1.
func inJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// goLine evaluates Go and prints the values.
func (f *shell) goLine(ctx context.Context, text string) error {
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
	if rerr := f.Refresh(ctx); err == nil { // Go may have opened and closed runs
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
func (f *shell) goEval() (eval.Evaluator, error) {
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
func (f *shell) labFront() labfront.Front {
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
		Dir:     func() string { return f.Folder },
		Declare: func(solver string) (wire.DeclareRequest, func(), error) {
			return declare.Solver(now(), f.eval, solver)
		},
		DeclareProblem: func(problem string) (wire.DeclareRequest, error) {
			return declare.Problem(f.eval, problem)
		},
		Show:  func(r reply.Reply) { f.show(now(), r) },
		Watch: f.watch,
	}
}

// showSafely is show for values whose text may panic, as that of lab.GPU(0) does without a GPU.
func (f *shell) showSafely(ctx context.Context, v any) (err error) {
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
func (f *shell) show(ctx context.Context, v any) {
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
	fmt.Fprintln(f.out, eval.Text(v))
}

// text returns a reply as it is printed; pictures are not wrapped.
func (f *shell) text(r reply.Reply) string {
	if _, picture := r.(*reply.PlotReply); picture {
		return r.String()
	}
	if f.width == nil {
		return plain(r.String())
	}
	return f.wrapped(strings.TrimRight(reply.Text(r, f.width()), "\n"))
}

// wrapped breaks the lines of a text that are longer than the screen is wide.
func (f *shell) wrapped(text string) string {
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

// plainSink says that figures are drawn as text, where there is no terminal.
func plainSink() *wire.Sink {
	s := view.Terminal(os.Getenv, false, 100, 24)
	s.Grow = true
	return &s
}
