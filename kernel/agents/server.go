package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// Options say what an agent may do.
type Options struct {
	Name       string  // of the agent, for journals; empty: as its client calls itself
	Folder     string  // where it reads and writes files; empty: nowhere
	Code       bool    // it may run the source that records hold
	Iterations int64   // at most so many in the session; 0: any
	CPU        float64 // at most so many CPU seconds in the session; 0: any

	// Connect connects to the host under a name, when the agent asks for the first tool.
	Connect func(ctx context.Context, who string) (*wire.Client, error)
}

// A server serves one agent.
type server struct {
	o      Options
	folder folder
	budget budget
	mcp    *mcp.Server

	connecting sync.Mutex
	client     *wire.Client // nil before the first call

	mu sync.Mutex
	// who waits for events: by the id of a call, or by "run " and the run's name
	calls     map[string]func(wire.Event)
	runs      map[string]bool // that are open
	resources map[string]bool // the addresses that are listed
}

// Serve serves an agent over a transport until it leaves or ctx ends.
func Serve(ctx context.Context, t mcp.Transport, o Options) error {
	dir, err := newFolder(o.Folder)
	if err != nil {
		return fmt.Errorf("-dir: %w", err)
	}
	s := &server{
		o: o, folder: dir, budget: budget{iterations: o.Iterations, cpu: o.CPU},
		calls: map[string]func(wire.Event){}, runs: map[string]bool{}, resources: map[string]bool{},
	}
	s.mcp = mcp.NewServer(&mcp.Implementation{
		Name: "metalab", Title: "metalab", Version: record.Made().String(),
	}, &mcp.ServerOptions{
		Instructions: s.instructions(), Capabilities: &mcp.ServerCapabilities{},
	})
	for _, t := range tools {
		v, ok := wire.Find(t.verb)
		if !ok {
			return fmt.Errorf("no verb %s", t.verb) // a test holds the list to the table
		}
		no := false
		s.mcp.AddTool(&mcp.Tool{
			Name: v.Name, Description: sentence(v.Doc), InputSchema: schema(v, t.args(v, o.Code)),
			Annotations: &mcp.ToolAnnotations{
				ReadOnlyHint: t.reads && v.Name != "save", DestructiveHint: &no, OpenWorldHint: &no,
			},
		}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.call(ctx, t, v, r), nil
		})
	}
	s.templates()
	defer func() {
		s.connecting.Lock()
		defer s.connecting.Unlock()
		if s.client != nil {
			s.client.Close()
		}
	}()
	err = s.mcp.Run(ctx, t)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// instructions tell an agent what it finds.
func (s *server) instructions() string {
	text := "A laboratory for metaheuristics. Open a search on an instance (open solver=acs " +
		"instance=E1k.0 as=a), make iterations (step), change parameters while it runs (params lists " +
		"them with their ranges, set changes them), copy a run to try something else (fork), look at " +
		"it (plot makes a picture, history, journal, best), compare runs by tests over seeds (repeat, " +
		"compare), plan experiments (experiment, chart), search for good parameters (tune). Runs are " +
		"deterministic: the record that save writes replays bit for bit. Names of instances: instances. "
	if s.folder == "" {
		text += "You have no files. "
	} else {
		text += fmt.Sprintf("Files are in %s; paths are relative to it. ", s.folder)
	}
	if s.o.Iterations > 0 {
		text += fmt.Sprintf("The session makes at most %d iterations. ", s.o.Iterations)
	}
	if s.o.CPU > 0 {
		text += fmt.Sprintf("It uses at most %g CPU seconds. ", s.o.CPU)
	}
	return strings.TrimSpace(text)
}

// sentence is a text of the verb table as a sentence.
func sentence(doc string) string {
	if doc == "" {
		return doc
	}
	return strings.ToUpper(doc[:1]) + doc[1:] + "."
}

// who is the agent's name in journals.
func (s *server) who(ss *mcp.ServerSession) string {
	name := s.o.Name
	if p := ss.InitializeParams(); name == "" && p != nil && p.ClientInfo != nil {
		name = p.ClientInfo.Name
	}
	name = strings.Join(strings.FieldsFunc(reply.Printable(name), func(c rune) bool {
		return c <= ' ' || c == '\\' || c == '"'
	}), "-")
	for len(name) > 40 || strings.ToValidUTF8(name, "") != name {
		name = name[:len(name)-1]
	}
	return "agent " + cmp.Or(name, "unnamed")
}

// connect connects to the host, once.
func (s *server) connect(ctx context.Context, ss *mcp.ServerSession) error {
	s.connecting.Lock()
	defer s.connecting.Unlock()
	if s.client != nil {
		return nil
	}
	c, err := s.o.Connect(context.WithoutCancel(ctx), s.who(ss))
	if err != nil {
		return err
	}
	s.client = c
	if s.budget.began, err = s.look(ctx); err != nil {
		s.client = nil
		c.Close()
		return err
	}
	events := c.Events(context.Background(), 0)
	go func() { // it ends with the host or the process
		for e, err := range events {
			if err != nil {
				return
			}
			s.tell(e)
		}
	}()
	s.refresh(ctx)
	return nil
}

// tell tells the calls that wait for an event of it.
func (s *server) tell(e wire.Event) {
	key := e.Call
	if e.Kind == wire.EventPoint && e.Status != nil {
		key = "run " + e.Status.Run
	} else if e.Kind != wire.EventProgress {
		return
	}
	s.mu.Lock()
	f := s.calls[key]
	s.mu.Unlock()
	if f != nil {
		f(e)
	}
}

// open reports whether a run of that name is open.
func (s *server) open(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs[name]
}

// call executes a tool. An error is an answer that the agent reads.
func (s *server) call(
	ctx context.Context, t tool, v wire.Verb, r *mcp.CallToolRequest,
) *mcp.CallToolResult {
	res, err := s.carryOut(ctx, t, v, r)
	if err != nil {
		return &mcp.CallToolResult{
			IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}},
		}
	}
	return res
}

func (s *server) carryOut(
	ctx context.Context, t tool, v wire.Verb, r *mcp.CallToolRequest,
) (*mcp.CallToolResult, error) {
	if err := s.connect(ctx, r.Session); err != nil {
		return nil, err
	}
	q, err := s.request(t, v, r.Params.Arguments)
	if err != nil {
		return nil, err
	}
	switch q := q.(type) {
	case *wire.PlotRequest:
		if q.To == "" {
			q.Sink = picture()
		}
	case *wire.ChartRequest:
		if q.To == "" {
			q.Sink = picture()
		}
	}
	if why := v.Untaken(q); why != "" {
		return nil, wrong("%s", why)
	}
	id := s.client.NewCall()
	defer s.progress(ctx, id, q, r)()
	var raw json.RawMessage
	ask := func(ctx context.Context) (err error) {
		raw, err = s.client.CallID(ctx, id, v.Name, q)
		return err
	}
	note := ""
	if t.reads {
		err = ask(ctx)
	} else {
		note, err = s.spend(ctx, q, ask)
		s.refresh(context.WithoutCancel(ctx))
	}
	if err != nil {
		return nil, err
	}
	return answer(v, raw, note)
}

// picture returns the target of an agent's figures.
func picture() *wire.Sink { return &wire.Sink{Graphics: "png", DPI: 96} }

// maxAnswer is the most bytes of a text of an answer.
const maxAnswer = 64 << 10

// answer is a reply as an agent reads it: its text, its figure, and the same as JSON.
func answer(v wire.Verb, raw json.RawMessage, note string) (*mcp.CallToolResult, error) {
	r, err := wire.Decode(v.Name, raw)
	if err != nil {
		return nil, err
	}
	res := &mcp.CallToolResult{}
	if p, ok := r.(*reply.PlotReply); ok && p.Mime == "image/png" && len(p.Data) > 0 {
		res.Content = append(res.Content, &mcp.ImageContent{Data: p.Data, MIMEType: p.Mime})
		p.Data = nil
		p.Path = ""
		if raw, err = json.Marshal(p); err != nil {
			return nil, err
		}
	} else {
		text := r.String()
		if len(text) > maxAnswer {
			text = strings.ToValidUTF8(text[:maxAnswer], "") + fmt.Sprintf(
				"\n… and %d bytes more; ask for less of it", len(text)-maxAnswer)
		}
		res.Content = append(res.Content, &mcp.TextContent{Text: text})
	}
	if note != "" {
		res.Content = append(res.Content, &mcp.TextContent{Text: note})
	}
	if len(raw) <= maxAnswer {
		res.StructuredContent = raw
	}
	return res, nil
}

// progress sends the client how far a call is, where it asks for that; end ends it. A step is as
// far as its iterations are, and an end of it that nobody knows has no total.
func (s *server) progress(
	ctx context.Context, id string, q any, r *mcp.CallToolRequest,
) (end func()) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	last := -1.0
	send := func(done, total float64, note string) {
		if done > last { // it only grows
			last = done
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: done, Total: total, Message: note,
			}) // it fails when the client has gone
		}
	}
	key, f := id, func(e wire.Event) {
		if part, known := e.Part(); known {
			send(part*float64(e.Total), float64(e.Total), e.Note)
		}
	}
	if q, ok := q.(*wire.StepRequest); ok {
		var at reply.ShowReply
		if s.client.Do(ctx, "show", &wire.RunRequest{Run: q.Run}, &at) != nil {
			return func() {} // the step says why
		}
		total := float64(q.N)
		key, f = "run "+q.Run, func(e wire.Event) {
			send(float64(e.Status.Iteration-at.Iteration), total, fmt.Sprintf("iteration %d, best %v",
				e.Status.Iteration, e.Status.Best))
		}
	}
	s.mu.Lock()
	s.calls[key] = f
	s.mu.Unlock()
	return func() {
		s.mu.Lock()
		delete(s.calls, key)
		s.mu.Unlock()
	}
}

// refresh notes which runs and experiments there are, and lists their resources.
func (s *server) refresh(ctx context.Context) {
	var runs reply.RunsReply
	if s.client.Do(ctx, "runs", nil, &runs) != nil {
		return // the next call says why
	}
	now, want := map[string]bool{}, map[string]*mcp.Resource{}
	for _, r := range runs.Runs {
		now[r.Run] = true
		for _, k := range kinds {
			if k.of == "runs" {
				want[k.address(r.Run)] = k.resource(r.Run)
			}
		}
	}
	var all reply.ExperimentReply
	if s.client.Do(ctx, "experiment", &wire.ExperimentRequest{}, &all) == nil {
		for _, e := range all.List {
			for _, k := range kinds {
				if k.of == "experiments" {
					want[k.address(e.Name)] = k.resource(e.Name)
				}
			}
		}
	}
	s.mu.Lock()
	s.runs = now
	had := s.resources
	s.resources = map[string]bool{}
	for uri := range want {
		s.resources[uri] = true
	}
	s.mu.Unlock()
	var gone []string
	for uri := range had {
		if want[uri] == nil {
			gone = append(gone, uri)
		}
	}
	if len(gone) > 0 {
		s.mcp.RemoveResources(gone...)
	}
	for _, uri := range slices.Sorted(maps.Keys(want)) {
		if !had[uri] {
			s.mcp.AddResource(want[uri], s.resource)
		}
	}
}
