package prompt

import (
	"context"
	"path/filepath"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A Held is a run with iterations, and the file that holds it as it stands. The page asks before it
// is closed where its reader has no such file.
type Held struct {
	Run   string `json:"run"`
	Saved string `json:"saved,omitempty"` // a name in the folder; empty: no file holds it
}

// savedAt is where a run was saved last, and its iteration then.
type savedAt struct {
	name string
	iter int64
}

// look asks the host where runs were saved.
func (s *Session) look(ctx context.Context) {
	saved := map[string]savedAt{}
	for _, r := range s.Runs() {
		var rep reply.ShowReply
		if s.c.Do(ctx, "show", &wire.RunRequest{Run: r.Run}, &rep) != nil {
			continue // it was closed meanwhile
		}
		s.Update(rep.Status)
		if rep.Saved == "" {
			continue
		}
		if name, err := filepath.Rel(s.Folder, rep.Saved); err == nil {
			saved[r.Run] = savedAt{name, rep.SavedIter}
		}
	}
	s.mu.Lock()
	s.saved = saved
	s.mu.Unlock()
}

// held lists the runs that have iterations.
func (s *Session) held() []Held {
	runs := s.Runs()
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []Held{}
	for _, r := range runs {
		if r.Iteration == 0 {
			continue
		}
		h := Held{Run: r.Run}
		if at := s.saved[r.Run]; at.iter == r.Iteration {
			h.Saved = at.name
		}
		out = append(out, h)
	}
	return out
}
