package datasets

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Names returns the names that Load knows, sorted: published instances, generated ones (an example
// of each family with free numbers), and the files in the folders of METALAB_DATA. It does not go
// online. A program that cannot fetch, such as that of a page, returns only names that it can open.
func Names() []string { return newLoader(nil).names() }

// KindOf returns the kind of the published, generated or local instance with a name; ok is false if
// there is none. It reads at most the head of a file and does not go online. The kind is empty if
// the head does not tell it.
func KindOf(name string) (kind Kind, ok bool) {
	if kind, _, ok := generatedForm(name); ok {
		return kind, true
	}
	l := newLoader(nil)
	if name, ok = l.spelling(name); !ok {
		return "", false
	}
	return l.here().entry(name).Kind, true
}

func (l *loader) names() []string {
	all := slices.Clone(known().names)
	for _, class := range []string{"E", "C"} {
		for _, s := range dimacsSizes {
			for i := range s.count {
				all = append(all, fmt.Sprintf("%s%s.%d", class, s.label, i))
			}
		}
	}
	all = append(all, "V1k.0", "N1k.0", "rand-200-7")
	for _, m := range []int{73, 81} {
		all = append(all, fmt.Sprintf("ppp-%dx%d-1", m, m))
	}
	for _, m := range []int{101, 201, 401, 601, 801, 1001, 1301} {
		all = append(all, fmt.Sprintf("ppp-%dx%d-1", m, m+16))
	}
	for n := range 10 {
		all = append(all, fmt.Sprintf("weierstrass-%d", n+1))
	}
	for n := range 8 {
		all = append(all, fmt.Sprintf("queen%d_%d", n+5, n+5))
	}
	for n := range 5 {
		all = append(all, fmt.Sprintf("myciel%d", n+3))
	}
	all = append(all, "gnp-125-50-1", "gset-like-800-6-1", "torus-30x30", "torus-30x30-1",
		"glass-30x30-1")
	all = slices.AppendSeq(all, maps.Keys(gsetTable()))
	for _, dir := range l.folders {
		for name := range index(dir, false) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if alone != nil {
		files := l.here()
		all = slices.DeleteFunc(all, func(name string) bool { return !files.opens(name) })
	}
	return all
}

// mostInPage is the largest generated instance that a program names which fetches nothing, as that
// of a page: larger ones open there, too, and take minutes.
const mostInPage = 20000

// opens reports whether a name is of something that a program opens which fetches nothing.
func (h here) opens(name string) bool {
	if _, size, ok := generatedForm(name); ok {
		return size <= mostInPage
	}
	return h.file(name) != ""
}

// absent is the error of a program that fetches nothing about a name that it does not open.
func (l *loader) absent(name string) error {
	f, published := lookup(name)
	if !published {
		return &NotFoundError{
			Name: name, Near: l.near(name), Hint: "here are those that are generated, as E1k.0 and " +
				"rand-200-7, and files that are added",
		}
	}
	like, off := "", math.Inf(1) // the one of that kind whose size is nearest
	for _, n := range l.names() {
		kind, size, ok := generatedForm(n)
		d := math.Abs(math.Log(float64(size) / float64(f.size)))
		uniform := strings.HasPrefix(n, "E") && !strings.HasPrefix(like, "E")
		if ok && kind == f.kind && (d < off || d == off && uniform) {
			like, off = n, d
		}
	}
	if like != "" {
		like = ", or take " + like + ", which is generated"
	}
	return fmt.Errorf("datasets: %s is not generated, and %w%s", name, alone, like)
}

// near returns up to five names that Load knows and that are spelt like name, the most alike
// first: by edit distance, without regard to case. Name itself is not among them.
func (l *loader) near(name string) []string {
	type candidate struct {
		name string
		far  int
	}
	name = strings.ToLower(name)
	most := max(1, min(3, len(name)/3))
	var found []candidate
	for _, n := range l.names() {
		if strings.EqualFold(n, name) {
			continue // it is known, but cannot be got
		}
		if d := editDistance(name, strings.ToLower(n), most); d <= most {
			found = append(found, candidate{n, d})
		} else if len(name) >= 2 && strings.HasPrefix(strings.ToLower(n), name) {
			found = append(found, candidate{n, most + 1})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	var out []string
	for _, c := range found[:min(5, len(found))] {
		out = append(out, c.name)
	}
	return out
}

// editDistance returns how many insertions, deletions, replacements and swaps of
// neighbours lead from a to b, or most+1 when the lengths differ by more.
func editDistance(a, b string, most int) int {
	if max(len(a)-len(b), len(b)-len(a)) > most {
		return most + 1
	}
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// spelling returns the known name that equals name but for its case.
func (l *loader) spelling(name string) (string, bool) {
	if _, ok := lookup(name); ok {
		return name, true
	}
	for _, n := range l.names() {
		if strings.EqualFold(n, name) {
			return n, true
		}
	}
	return "", false
}

// find returns the instance file with the name in the loader's folders: the
// exact spelling in any of them before another case.
func (l *loader) find(name string) (path string, ok bool) {
	for _, again := range []bool{false, true} { // look into the folders again before giving up
		for _, dir := range l.folders {
			if path, ok := index(dir, again)[name]; ok && exists(path) {
				return path, true
			}
		}
		for _, dir := range l.folders {
			names := index(dir, false)
			for _, n := range sortedKeys(names) {
				if strings.EqualFold(n, name) && exists(names[n]) {
					return names[n], true
				}
			}
		}
	}
	return "", false
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// indexes holds the index of each folder, for the life of the process.
var indexes struct {
	sync.Mutex
	byDir map[string]map[string]string
}

// index maps names to the instance files in dir and below. If two files have one name, the first in
// lexical order counts. It skips folders that it cannot read, and stops after 200000 entries: that
// is not a folder of data.
func index(dir string, again bool) map[string]string {
	indexes.Lock()
	defer indexes.Unlock()
	if m, ok := indexes.byDir[dir]; ok && !again {
		return m
	}
	m := map[string]string{}
	entries := 0
	root := dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		root = real
	}
	// The function's error is only ever a wish to stop.
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if entries++; entries > 200000 {
			return fs.SkipAll
		}
		if err != nil {
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		name := baseName(path)
		if name == filepath.Base(path) || slices.Contains(citiesExts, extOf(path)) {
			return nil // no known ending
		}
		if _, taken := m[name]; !taken {
			m[name] = path
		}
		return nil
	})
	if indexes.byDir == nil {
		indexes.byDir = map[string]map[string]string{}
	}
	indexes.byDir[dir] = m
	return m
}
