package grow

import (
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// sources lists what a program was compiled from: the files of metalab's module, go.mod, go.sum,
// and their folders, whose times change with a new file.
type sources struct {
	Files map[string]stamp `json:"files"` // by path
}

// A stamp detects changes of a file or a folder.
type stamp struct {
	Size int64 `json:"size"` // of a file
	Time int64 `json:"time"` // ns
}

// stampOf returns the present stamp of a path.
func stampOf(path string) (stamp, error) {
	st, err := os.Stat(path)
	if err != nil {
		return stamp{}, err
	}
	s := stamp{Size: st.Size(), Time: st.ModTime().UnixNano()}
	if st.IsDir() {
		s.Size = 0
	}
	return s, nil
}

// stamped returns the sources at paths.
func stamped(paths []string) (*sources, error) {
	s := &sources{Files: map[string]stamp{}}
	for _, p := range paths {
		for _, at := range []string{p, filepath.Dir(p)} {
			if _, ok := s.Files[at]; ok {
				continue
			}
			var err error
			if s.Files[at], err = stampOf(at); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// changed returns the first path that has changed since; empty where none has.
func (s *sources) changed() string {
	var out []string
	for path, was := range s.Files {
		if now, err := stampOf(path); err != nil || now != was {
			out = append(out, path)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return slices.Min(out)
}

func (s *sources) write(w io.Writer) error { return json.NewEncoder(w).Encode(s) }

// list returns the path of the list of the program's sources.
func (c *cached) list() string { return filepath.Join(c.dir, "sources.json") }

// fresh reports whether the program is there, and its sources have not changed.
func (c *cached) fresh() bool {
	b, err := os.ReadFile(c.list())
	if err != nil {
		return false
	}
	var s sources
	if json.Unmarshal(b, &s) != nil || len(s.Files) == 0 || s.changed() != "" {
		return false
	}
	st, err := os.Stat(c.program())
	return err == nil && st.Mode().IsRegular()
}

// mostPrograms is the number of programs that stay, each of another build of the core.
const mostPrograms = 3

// prune removes programs of cores that were not started for the longest time.
func (c *cached) prune() {
	top := filepath.Dir(c.dir)
	dirs, err := os.ReadDir(top)
	if err != nil {
		return
	}
	var all []fs.FileInfo
	for _, d := range dirs {
		if st, err := d.Info(); err == nil && d.IsDir() && d.Name() != filepath.Base(c.dir) {
			all = append(all, st)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, st := range all[min(len(all), mostPrograms-1):] {
		other := &cached{dir: filepath.Join(top, st.Name())}
		free, ok := other.try()
		if !ok {
			continue // it is being compiled
		}
		_ = os.RemoveAll(other.dir) // a later one removes it
		free()
	}
}
