package host

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"metalab/kernel/reply"
	"metalab/solvers/record"
)

// A list of autosaves says of each what is at its beginning and its end, and whether the part
// between is undamaged. Reading hundreds of megabytes for that takes long, so each folder has an
// index with this information. An entry is valid only while the file has the same size, time,
// beginning and end as when the entry was made. Only lists use it: to open an autosave, the host
// reads the whole record.

// saved is an autosave, and the folder of its host.
type saved struct {
	reply.Autosave
	dir string
}

// tag identifies the content of a file.
type tag struct {
	Size int64  `json:"size"`
	Time int64  `json:"time"` // of the last change, in nanoseconds
	Ends uint32 `json:"ends"` // checksum of its beginning and its end
}

// told is an entry of the index.
type told struct {
	tag
	reply.Autosave
}

// tagOf reads the tag of a file.
func tagOf(path string) (tag, error) {
	f, err := os.Open(path)
	if err != nil {
		return tag{}, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return tag{}, err
	}
	const most = 2 << 10
	n := min(st.Size(), most)
	b := make([]byte, 2*n)
	for i, at := range []int64{0, st.Size() - n} {
		if _, err := f.ReadAt(b[int64(i)*n:int64(i+1)*n], at); err != nil && err != io.EOF {
			return tag{}, err
		}
	}
	return tag{st.Size(), st.ModTime().UnixNano(), crc32.ChecksumIEEE(b)}, nil
}

// all lists the autosaves of hosts that ended and of the runs that were closed here: first
// those of the own notebook if own, then the latest first.
func (s *store) all(own bool) []saved {
	var out []saved
	for _, dir := range s.dead() {
		out = append(out, s.list(dir, nil)...)
	}
	out = append(out, s.list(s.dir, isClosed)...)
	slices.SortStableFunc(out, func(a, b saved) int {
		if own && a.Notebook != b.Notebook && s.notebook != "" {
			switch s.notebook {
			case a.Notebook:
				return -1
			case b.Notebook:
				return 1
			}
		}
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// autosaves is all for a reply.
func (s *store) autosaves() []reply.Autosave {
	out := []reply.Autosave{}
	for _, a := range s.all(false) {
		out = append(out, a.Autosave)
	}
	return out
}

// list lists the autosaves of a folder, by its index where that is valid, and updates the index.
// only, if it is not nil, says which.
func (s *store) list(dir string, only func(path string) bool) []saved {
	paths := records(dir)
	if only != nil {
		paths = slices.DeleteFunc(paths, func(p string) bool { return !only(p) })
	}
	if len(paths) == 0 {
		return nil
	}
	indexPath := filepath.Join(dir, "index")
	index := map[string]told{}
	if b, err := os.ReadFile(indexPath); err == nil && json.Unmarshal(b, &index) != nil {
		index = map[string]told{} // it is built again
	}
	notebook, _ := os.ReadFile(filepath.Join(dir, "notebook"))
	now := make([]told, len(paths))
	var fresh []int
	for i, path := range paths {
		t, err := tagOf(path)
		was, ok := index[filepath.Base(path)]
		if err != nil || !ok || was.tag != t {
			fresh = append(fresh, i)
			continue
		}
		now[i] = was
	}
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(len(fresh), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				now[i] = tell(paths[i])
			}
		})
	}
	for _, i := range fresh {
		next <- i
	}
	close(next)
	wg.Wait()
	if len(fresh) > 0 || len(index) != len(paths) {
		s.mu.Lock()
		s.read += len(fresh)
		s.mu.Unlock()
		writeIndex(indexPath, paths, now)
	}
	base := filepath.Base(dir)
	session := base
	if i := strings.LastIndexByte(base, '-'); i > 0 {
		session = base[:i]
	}
	var out []saved
	for i, path := range paths {
		if now[i].Time == 0 {
			continue // it was removed meanwhile
		}
		a := now[i].Autosave
		run := strings.TrimSuffix(filepath.Base(path), ".run")
		a.ID, a.Path, a.Closed = base+"/"+run, path, isClosed(path)
		a.Session, a.Notebook = session, string(notebook)
		a.Run, _, _ = strings.Cut(run, closedMark)
		a.At = time.Unix(0, now[i].Time).UTC()
		out = append(out, saved{a, dir})
	}
	return out
}

// tell reads a record for a list. A file that cannot be read is damaged, too.
func tell(path string) told {
	t, err := tagOf(path)
	if err != nil {
		return told{}
	}
	out := told{tag: t, Autosave: reply.Autosave{Best: nan}}
	f, err := os.Open(path)
	if err != nil {
		return told{}
	}
	defer f.Close()
	sum, err := record.Summarize(f)
	if err != nil {
		out.Damage = err.Error()
		return out
	}
	hd := sum.Header
	out.Seeds = sum.Seeds
	out.Solver, out.Variant, out.Instance = hd.Solver, hd.Variant, hd.Instance.Name
	out.Iteration, out.Best = sum.End, value(hd.Instance.Sense(), sum.Best)
	if d := sum.Damage; d != nil {
		out.Damage = damageText(d)
	}
	return out
}

// damageText says in one line what is damaged.
func damageText(d *record.Damage) string {
	what := strings.TrimPrefix(FirstLine(d.Err.Error()), "record: ")
	if d.Kept+d.Lost == 0 {
		return what
	}
	return fmt.Sprintf("%s; %d of %d bytes are whole", what, d.Kept, d.Kept+d.Lost)
}

// writeIndex writes the index of a folder. If it cannot be written, lists just take longer.
func writeIndex(path string, paths []string, entries []told) {
	index := map[string]told{}
	for i, p := range paths {
		if entries[i].Time != 0 {
			index[filepath.Base(p)] = entries[i]
		}
	}
	b, err := json.Marshal(index)
	if err != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".index.*")
	if err != nil {
		return
	}
	_, err = f.Write(b)
	if cerr := f.Close(); err == nil && cerr == nil && os.Rename(f.Name(), path) == nil {
		return
	}
	os.Remove(f.Name())
}
