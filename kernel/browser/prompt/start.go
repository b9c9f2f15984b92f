package prompt

import (
	"context"
	"os"

	"metalab/kernel/host"
	_ "metalab/kernel/host/export" // export
	_ "metalab/kernel/host/papers" // paper, glance, claim
)

// Start starts a host in this program and its prompt. Paths are relative to folder, autosaves are
// in the folder state. The prompt must be ended by end, when ctx has ended.
func Start(ctx context.Context, folder, state string) (s *Session, end func(), err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, nil, err
	}
	h, err := host.New(ctx, host.Options{Session: "page", StateDir: state}, nil)
	if err != nil {
		return nil, nil, err
	}
	h.Begin()
	s = &Session{
		c: &client{host: h, heard: map[string]func(Event){}}, made: map[string]func(Made){},
	}
	s.Folder = folder
	s.Move(s.c)
	return s, func() { h.Close(nil) }, nil
}
