package agents_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"metalab/kernel/agents"
	"metalab/kernel/host"
	_ "metalab/kernel/host/rooms" // its verbs and algorithms
	"metalab/kernel/host/serve"
	"metalab/kernel/wire"
)

// envMCP makes the test binary the command mcp, with these words as its arguments.
const envMCP = "METALAB_TEST_MCP"

func TestMain(m *testing.M) {
	serve.Main()
	if os.Getenv(envMCP) != "" {
		os.Exit(agents.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// An agent is a client of the SDK at one end of a pipe, with the server at the other.
type agent struct {
	*testing.T
	*mcp.ClientSession
	dir string // its folder

	mu       sync.Mutex
	progress []*mcp.ProgressNotificationParams
	more     chan struct{} // has room for one
}

var sessions atomic.Int64

// folder is one for the state of a host, which may write to it after the test has ended: the
// removal of t.TempDir would fail then.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ml")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// start starts a host and a server with options, and connects to it.
func start(t *testing.T, o agents.Options) *agent {
	t.Helper()
	a := &agent{T: t, dir: o.Folder, more: make(chan struct{}, 1)}
	if o.Connect == nil {
		o.Connect = func(ctx context.Context, who string) (*wire.Client, error) {
			p, err := serve.Start(ctx, host.Options{
				Session:  fmt.Sprintf("mcp-test-%d-%d", os.Getpid(), sessions.Add(1)),
				StateDir: folder(t),
			}, who)
			if err != nil {
				return nil, err
			}
			t.Cleanup(p.Close)
			return p.Client, nil
		}
	}
	here, there := pipes()
	ended := make(chan error, 1)
	go func() { ended <- agents.Serve(t.Context(), there, o) }()
	c := mcp.NewClient(&mcp.Implementation{Name: "tuner", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			a.mu.Lock()
			a.progress = append(a.progress, r.Params)
			a.mu.Unlock()
			select {
			case a.more <- struct{}{}:
			default:
			}
		},
	})
	var err error
	if a.ClientSession, err = c.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		a.Close()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return a
}

// pipes are two transports that are connected.
func pipes() (a, b *mcp.IOTransport) {
	r1, w1 := io.Pipe()
	r2, w2 := io.Pipe()
	return &mcp.IOTransport{Reader: r1, Writer: w2}, &mcp.IOTransport{Reader: r2, Writer: w1}
}

type args = map[string]any

// try calls a tool.
func (a *agent) try(tool string, q any) *mcp.CallToolResult {
	a.Helper()
	r, err := a.CallTool(a.Context(), &mcp.CallToolParams{Name: tool, Arguments: q})
	if err != nil {
		a.Fatalf("%s: %v", tool, err)
	}
	return r
}

// do calls a tool that must succeed, and returns its text.
func (a *agent) do(tool string, q any) string {
	a.Helper()
	r := a.try(tool, q)
	if r.IsError {
		a.Fatalf("%s %v: %s", tool, q, text(r))
	}
	return text(r)
}

// fails calls a tool that must not succeed, with an error that has all of the texts.
func (a *agent) fails(tool string, q any, want ...string) {
	a.Helper()
	r := a.try(tool, q)
	got := text(r)
	if !r.IsError {
		a.Errorf("%s %.200v succeeded: %.200s", tool, q, got)
		return
	}
	for _, w := range want {
		if !strings.Contains(got, w) {
			a.Errorf("%s %.200v: %.300q, want %q", tool, q, got, w)
		}
	}
	if len(got) > 2000 {
		a.Errorf("%s: the error has %d bytes", tool, len(got))
	}
}

func text(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text + "\n")
		}
	}
	return b.String()
}

// json is a number in the structured content of an answer.
func (a *agent) number(r *mcp.CallToolResult, key string) float64 {
	a.Helper()
	b, err := json.Marshal(r.StructuredContent)
	var all map[string]any
	if err != nil || json.Unmarshal(b, &all) != nil {
		a.Fatalf("structured content: %v %s", err, b)
	}
	x, ok := all[key].(float64)
	if !ok {
		a.Fatalf("no number %s in %.300s", key, b)
	}
	return x
}

// Every tool is there with a schema, and answers.
func TestEachTool(t *testing.T) {
	t.Parallel()
	a := start(t, agents.Options{Folder: t.TempDir()})
	list, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	for _, tool := range list.Tools {
		left[tool.Name] = true
		b, _ := json.Marshal(tool.InputSchema)
		if len(tool.Description) < 10 || !bytes.Contains(b, []byte(`"additionalProperties":false`)) {
			t.Errorf("%s: %q %s", tool.Name, tool.Description, b)
		}
		for _, never := range []string{"over", "force", "background", "code", "sink"} {
			if bytes.Contains(b, []byte(`"`+never+`":{`)) {
				t.Errorf("%s takes %s", tool.Name, never)
			}
		}
	}
	for _, c := range []struct {
		tool string
		q    args
		want string
	}{
		{"solvers", args{}, "acs"},
		{"instances", args{"match": "E1k"}, "E1k.0"},
		{"instance", args{"name": "rand-60-1"}, "60"},
		{"open", args{"solver": "acs", "instance": "rand-60-1", "as": "a", "seed": 7}, "a"},
		{"step", args{"run": "a", "n": 20}, "20"},
		{"set", args{"run": "a", "params": args{"q0": 0.8, "ants": "5"}}, "0.8"},
		{"step", args{"run": "a", "n": 10}, "30"},
		{"undo", args{"run": "a"}, "20"},
		{"set", args{"run": "a", "params": args{"q0": 0.7}}, "0.7"},
		{"step", args{"run": "a", "n": 10}, "30"},
		{"fork", args{"run": "a", "as": "b", "params": args{"q0": 0.5}}, "b"},
		{"step", args{"run": "b", "n": 10}, "40"},
		{"runs", args{}, "b"},
		{"show", args{"run": "a"}, "rand-60-1"},
		{"params", args{"run": "a"}, "q0"},
		{"best", args{"run": "a"}, "best"},
		{"history", args{"run": "a"}, "30"},
		{"journal", args{"run": "a"}, "agent tuner"},
		{"plot", args{"runs": []string{"a", "b"}}, ""},
		{"save", args{"run": "a"}, "a.run"},
		{"replay", args{"path": "a.run"}, "identical"},
		{"load", args{"path": "a.run", "as": "c"}, "c"},
		{"diff", args{"a": "a.run", "b": "c"}, "identical"},
		{"export", args{"runs": []string{"a"}, "path": "a.csv"}, "a.csv"},
		{"repeat", args{"run": "a", "seeds": 5}, "5"},
		{"repeat", args{"run": "b", "seeds": 5}, "5"},
		{"seeds", args{"run": "a"}, "5"},
		{"compare", args{"runs": []string{"a", "b"}}, "a"},
		{"experiment", args{
			"name": "e1", "solvers": "acs,ils", "instances": "rand-40-1,rand-40-2", "seeds": 2, "n": 5,
		}, "e1"},
		{"experiment", args{"name": "e1", "do": "units"}, "rand-40-2"},
		{"chart", args{"name": "e1", "figure": "box"}, ""},
		{"sweep", args{"run": "a", "params": args{"q0": "0.5,0.9"}, "seeds": 2, "n": 5}, "q0"},
		{"tune", args{
			"run": "a", "params": args{"q0": "0.5..0.9"}, "n": 5, "seeds": 4, "units": 40,
			"instances": "rand-40-1,rand-40-2",
		}, "q0"},
		{"open", args{"solver": "ga", "instance": "rand-40-1", "as": "many", "params": args{
			"islands": 2,
		}}, "many"},
		{"step", args{"run": "many", "n": 2}, "2"},
		{"islands", args{"run": "many"}, "many"},
		{"solve", args{"instance": "rand-40-1", "as": "s", "until": "iteration=5"}, "s"},
		{"close", args{"run": "c"}, "c"},
	} {
		r := a.try(c.tool, c.q)
		delete(left, c.tool)
		if got := text(r); r.IsError || !strings.Contains(got, c.want) {
			t.Errorf("%s %v: %v %.400q, want %q", c.tool, c.q, r.IsError, got, c.want)
		}
		if c.want == "" {
			a.picture(r)
		}
	}
	for tool := range left {
		t.Errorf("the tool %s was not called", tool)
	}
}

// picture checks that an answer holds a picture.
func (a *agent) picture(r *mcp.CallToolResult) {
	a.Helper()
	for _, c := range r.Content {
		if p, ok := c.(*mcp.ImageContent); ok {
			im, err := png.Decode(bytes.NewReader(p.Data))
			if err != nil || p.MIMEType != "image/png" || im.Bounds().Dx() < 200 {
				a.Errorf("picture: %v %s %v", err, p.MIMEType, im.Bounds())
			}
			return
		}
	}
	a.Errorf("no picture in %s", text(r))
}

// Records and tables are resources, as runs and experiments come and go.
func TestResources(t *testing.T) {
	t.Parallel()
	a := start(t, agents.Options{})
	a.do("open", args{"solver": "acs", "instance": "rand-40-1", "as": "a"})
	a.do("step", args{"run": "a", "n": 5})
	a.do("set", args{"run": "a", "params": args{"q0": 0.5}})
	a.do("experiment", args{
		"name": "e1", "solvers": "acs", "instances": "rand-40-1", "seeds": 1, "n": 5,
	})
	listed := func() map[string]bool {
		out := map[string]bool{}
		for r, err := range a.ClientSession.Resources(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			out[r.URI] = true
		}
		return out
	}
	read := func(uri string) (string, error) {
		r, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			return "", err
		}
		return r.Contents[0].Text, nil
	}
	for uri, want := range map[string]string{
		"metalab://runs/a/record":        `{"metalab":"record"`,
		"metalab://runs/a/journal":       "q0",
		"metalab://runs/a/history":       "5",
		"metalab://experiments/e1/table": "rand-40-1",
		"metalab://experiments/e1/units": "rand-40-1",
	} {
		if !listed()[uri] {
			t.Errorf("%s is not listed", uri)
		}
		if got, err := read(uri); err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %v %.200q, want %q", uri, err, got, want)
		}
	}
	a.do("close", args{"run": "a"})
	if listed()["metalab://runs/a/record"] {
		t.Error("the record of a closed run is listed")
	}
	for _, uri := range []string{
		"metalab://runs/a/record", "metalab://runs/..%2F..%2Fhello/record", "file:///etc/passwd",
		"metalab://runs//record", "metalab://experiments/%00/table",
		"metalab://runs/" + strings.Repeat("a", 1<<20) + "/record",
	} {
		if got, err := read(uri); err == nil {
			t.Errorf("%.80s: %.200q", uri, got)
		}
	}
}

// A long step tells how far it is, and ends where it is cancelled, after a whole iteration.
func TestProgressAndCancel(t *testing.T) {
	t.Parallel()
	a := start(t, agents.Options{Iterations: 1e9})
	a.do("open", args{"solver": "acs", "instance": "rand-300-1", "as": "a"})
	ctx, cancel := context.WithCancel(t.Context())
	p := &mcp.CallToolParams{Name: "step", Arguments: args{"run": "a", "n": int64(1e8)}}
	p.SetProgressToken("far")
	ended := make(chan error, 1)
	go func() {
		_, err := a.CallTool(ctx, p)
		ended <- err
	}()
	for range 2 {
		<-a.more
	}
	cancel()
	if err := <-ended; err == nil {
		t.Fatal("a cancelled step succeeded")
	}
	a.mu.Lock()
	for i, p := range a.progress {
		if p.ProgressToken != "far" || p.Total != 1e8 || i > 0 && p.Progress <= a.progress[i-1].Progress {
			t.Errorf("progress %d: %+v", i, p)
		}
	}
	a.mu.Unlock()
	// The next step waits for the end of the one that was cancelled, and goes on from there.
	r := a.try("step", args{"run": "a", "n": 1})
	if made, at := a.number(r, "made"), a.number(r, "iteration"); made != 1 || at >= 1e8 {
		t.Errorf("after the cancelled step: %v iterations, at %v", made, at)
	}
}

// An agent that joins a session sees the runs of others there, and its budget counts from when it
// came.
func TestJoined(t *testing.T) {
	t.Parallel()
	session := fmt.Sprintf("mcp-test-%d-%d", os.Getpid(), sessions.Add(1))
	p, err := serve.Start(t.Context(), host.Options{Session: session, StateDir: folder(t)}, "other")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	ask := func(verb string, q any) {
		t.Helper()
		if err := p.Client.Do(t.Context(), verb, q, nil); err != nil {
			t.Fatal(err)
		}
	}
	ask("open", &wire.OpenRequest{Solver: "acs", Instance: "rand-40-1", As: "theirs"})
	ask("step", &wire.StepRequest{Run: "theirs", N: 500})
	a := start(t, agents.Options{
		Iterations: 100, Name: "guest\n\"x\"",
		Connect: func(ctx context.Context, who string) (*wire.Client, error) {
			return wire.Dial(ctx, session, who)
		},
	})
	r := a.try("step", args{"run": "theirs", "n": 60})
	if made, at := a.number(r, "made"), a.number(r, "iteration"); made != 60 || at != 560 {
		t.Errorf("%v iterations, at %v", made, at)
	}
	a.do("set", args{"run": "theirs", "params": args{"q0": 0.5}})
	if j := a.do("journal", args{"run": "theirs"}); !strings.Contains(j, "agent guest") {
		t.Errorf("the journal: %s", j)
	}
	ask("step", &wire.StepRequest{Run: "theirs", N: 40})
	a.fails("step", args{"run": "theirs", "n": 1}, "100 of 100 iterations")
}

// No call makes more than the budget of the session.
func TestBudgets(t *testing.T) {
	t.Parallel()
	a := start(t, agents.Options{Iterations: 50, Folder: t.TempDir()})
	a.do("open", args{"solver": "acs", "instance": "rand-40-1", "as": "a"})
	a.do("step", args{"run": "a", "n": 30})
	r := a.try("step", args{"run": "a", "n": 1000})
	if made := a.number(r, "made"); r.IsError || made != 20 || !strings.Contains(text(r), "50 of 50") {
		t.Errorf("a step beyond the budget made %v: %s", made, text(r))
	}
	for tool, q := range map[string]args{
		"step": {"run": "a", "n": 1}, "solve": {"instance": "rand-40-1"},
		"repeat": {"run": "a"}, "fork": {"run": "a", "at": 5},
		"experiment": {"name": "e", "solvers": "acs", "instances": "rand-40-1", "n": 5},
	} {
		a.fails(tool, q, "the budget of this session is used up: 50 of 50 iterations")
	}
	a.do("best", args{"run": "a"})
	a.do("save", args{"run": "a"})

	// What is no step ends soon after the budget.
	b := start(t, agents.Options{Iterations: 2000, CPU: 1e6})
	b.fails("experiment", args{
		"name": "e", "solvers": "acs", "instances": "rand-40-1", "n": 1_000_000_000, "seeds": 1,
	}, "the budget of this session is used up")

	// A step ends by the CPU time that is left.
	c := start(t, agents.Options{CPU: 0.5})
	c.do("open", args{"solver": "acs", "instance": "rand-100-1", "as": "a"})
	c.try("step", args{"run": "a", "n": 1_000_000_000})
	c.try("step", args{"run": "a", "n": 1_000_000_000})
	c.fails("step", args{"run": "a", "n": 1_000_000_000}, "of 0.5 CPU seconds")
}
