package agents

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A kind is a sort of resource: what there is of a run or an experiment.
type kind struct {
	of, what  string // as "runs" and "record" in metalab://runs/a/record
	mime, doc string
	read      func(ctx context.Context, s *server, name string) (string, error)
}

var kinds = []kind{
	{"runs", "record", "application/x-ndjson", "the record of a run, which replays", readRecord},
	{"runs", "journal", "text/plain", "what was done to a run, and by whom", readJournal},
	{"runs", "history", "text/plain", "the points of a run's history", readHistory},
	{"experiments", "table", "text/plain", "the table of an experiment, with its tests", readTable},
	{"experiments", "units", "text/plain", "the units of an experiment with their results", readUnits},
}

func (k kind) address(name string) string {
	return "metalab://" + k.of + "/" + url.PathEscape(name) + "/" + k.what
}

func (k kind) resource(name string) *mcp.Resource {
	return &mcp.Resource{
		URI: k.address(name), Name: name + " " + k.what, Description: sentence(k.doc), MIMEType: k.mime,
	}
}

// templates describes the form of the addresses to clients.
func (s *server) templates() {
	for _, k := range kinds {
		s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: "metalab://" + k.of + "/{name}/" + k.what, Name: k.of + " " + k.what,
			Description: sentence(k.doc), MIMEType: k.mime,
		}, s.resource)
	}
}

// resource reads a resource.
func (s *server) resource(
	ctx context.Context, r *mcp.ReadResourceRequest,
) (*mcp.ReadResourceResult, error) {
	uri := r.Params.URI
	rest, ok := strings.CutPrefix(uri, "metalab://")
	parts := strings.Split(rest, "/")
	if !ok || len(parts) != 3 || len(uri) > maxPath {
		return nil, mcp.ResourceNotFoundError(clip(uri))
	}
	name, err := url.PathUnescape(parts[1])
	if err != nil || name == "" || strings.ContainsAny(name, `/\`) ||
		strings.ContainsFunc(name, control) {
		return nil, mcp.ResourceNotFoundError(clip(uri))
	}
	if err := s.connect(ctx, r.Session); err != nil {
		return nil, err
	}
	for _, k := range kinds {
		if k.of != parts[0] || k.what != parts[2] {
			continue
		}
		text, err := k.read(ctx, s, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", clip(uri), err)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: uri, MIMEType: k.mime, Text: text},
		}}, nil
	}
	return nil, mcp.ResourceNotFoundError(clip(uri))
}

func readRecord(ctx context.Context, s *server, name string) (string, error) {
	b, err := s.client.Record(ctx, url.PathEscape(name))
	return string(b), err
}

// ask asks a verb and returns its text.
func ask[R any, P interface {
	*R
	reply.Reply
}](ctx context.Context, s *server, verb string, q any,
) (string, error) {
	var r R
	if err := s.client.Do(ctx, verb, q, &r); err != nil {
		return "", err
	}
	return P(&r).String(), nil
}

func readJournal(ctx context.Context, s *server, name string) (string, error) {
	return ask[reply.JournalReply](ctx, s, "journal", &wire.RunRequest{Run: name})
}

func readHistory(ctx context.Context, s *server, name string) (string, error) {
	return ask[reply.HistoryReply](ctx, s, "history", &wire.HistoryRequest{Run: name})
}

func readTable(ctx context.Context, s *server, name string) (string, error) {
	return ask[reply.ExperimentReply](ctx, s, "experiment", &wire.ExperimentRequest{
		Name: name, Do: "table",
	})
}

func readUnits(ctx context.Context, s *server, name string) (string, error) {
	return ask[reply.ExperimentReply](ctx, s, "experiment", &wire.ExperimentRequest{
		Name: name, Do: "units",
	})
}
