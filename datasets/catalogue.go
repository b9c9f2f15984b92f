package datasets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Place is where Load finds an instance.
type Place string

// The places, in the order in which Load looks.
const (
	PlaceGenerated Place = "generated"     // made from its name, needs no file
	PlaceData      Place = "METALAB_DATA"  // a file in a folder of METALAB_DATA
	PlaceCache     Place = "cache"         // a file that was fetched before
	PlaceFetch     Place = "to be fetched" // published, but not on this machine
)

// An Entry describes an instance without its data: from its name, from the tables of published
// instances, and from the head of its file, if there is one. Unknown fields are empty. The best
// known value is that of the name; BestKnown of a loaded instance says whether it holds for its
// data.
type Entry struct {
	Name    string
	Kind    Kind // empty when unknown
	Size    int  // 0 when unknown
	Best    BestKnown
	HasBest bool
	// Maximise says that Best.Value is the negative of the published value, as of cuts.
	Maximise bool
	Place    Place
	Path     string // of the file, if there is one
}

// Catalogue returns an entry for each of Names and for each file in the cache, sorted by name. It
// does not go online. The options are those of Load.
func Catalogue(opts ...Option) []Entry {
	l := newLoader(opts)
	files := l.here()
	names := append(l.names(), sortedKeys(files.cache)...)
	slices.Sort(names)
	names = slices.Compact(names)
	out := make([]Entry, len(names))
	for i, n := range names {
		out[i] = files.entry(n)
	}
	return out
}

// entry is what is known of the name.
func (h here) entry(name string) Entry {
	e := Entry{Name: name, Place: PlaceFetch}
	f, published := lookup(name)
	if kind, size, ok := generatedForm(name); ok {
		e.Kind, e.Size, e.Place = kind, size, PlaceGenerated
		switch kind {
		case KindPPP:
			e.Best, e.HasBest = pppBest, true
		case KindColouring:
			e.Best, e.HasBest = colouringBest(name, size, -1)
		case KindCut:
			row, ok := gsetTable()[name]
			e.Best, e.HasBest, e.Maximise = row.best, ok, ok
		}
	} else if e.Path = h.file(name); e.Path != "" {
		e.Place = PlaceData
	} else if path, ok := h.cache[name]; ok {
		e.Place, e.Path = PlaceCache, path
	}
	if e.Path == "" {
		if published && e.Kind == "" {
			e.Kind, e.Size = f.kind, f.size
		}
	} else {
		head := readHead(e.Path)
		e.Kind, e.Size = head.kind, head.size
		if head.kind == KindColouring {
			e.Best, e.HasBest = colouringBest(name, head.size, head.edges)
		}
	}
	if published && f.hasBest && f.kind == e.Kind && f.size == e.Size {
		e.Best, e.HasBest = f.best, true
	}
	return e
}

// here are the files that are here, by name.
type here struct {
	data   map[string]string // in the folders
	folded map[string]string // the same with names in lower case
	cache  map[string]string
}

// here looks into the folders again, and into the cache.
func (l *loader) here() here {
	h := here{data: map[string]string{}, folded: map[string]string{}, cache: l.cacheIndex()}
	put := func(m map[string]string, name, path string) {
		if _, taken := m[name]; !taken {
			m[name] = path
		}
	}
	for _, dir := range l.folders {
		names := index(dir, true)
		for _, n := range sortedKeys(names) {
			put(h.data, n, names[n])
			put(h.folded, strings.ToLower(n), names[n])
		}
	}
	return h
}

// file is the file of the name in the folders: the exact spelling before another case.
func (h here) file(name string) string {
	if path, ok := h.data[name]; ok {
		return path
	}
	return h.folded[strings.ToLower(name)]
}

// cacheIndex maps names to the files of the cache.
func (l *loader) cacheIndex() map[string]string {
	m := map[string]string{}
	if l.cache == "" {
		return m
	}
	files, err := os.ReadDir(l.cache)
	if err != nil {
		return m // there is none yet
	}
	for _, ext := range instanceExts {
		for _, f := range files {
			name, ok := strings.CutSuffix(f.Name(), ext)
			if _, taken := m[name]; ok && !taken && validName(name) {
				m[name] = filepath.Join(l.cache, f.Name())
			}
		}
	}
	return m
}

// generatedForm reads kind and size from a name that Generate knows, without making the
// instance; ok is false for other names.
func generatedForm(name string) (kind Kind, size int, ok bool) {
	if label, index, cut := strings.Cut(name, "."); cut && label != "" &&
		strings.ContainsRune("ECVN", rune(label[0])) {
		i, good := number(index)
		for _, s := range dimacsSizes {
			if s.label == label[1:] {
				return KindTSP, s.n, good && i <= 9
			}
		}
	}
	if rest, found := strings.CutPrefix(name, "tai"); found {
		digits, letter := strings.CutSuffix(rest, "a")
		n, good := number(digits)
		return KindQAP, n, letter && good
	}
	if rest, found := strings.CutPrefix(name, "rand-"); found {
		n, ok := numbers(rest, "-", 2)
		return KindTSP, n[0], ok
	}
	if rest, found := strings.CutPrefix(name, "ppp-"); found {
		n, ok := numbers(strings.Replace(rest, "x", "-", 1), "-", 3)
		return KindPPP, n[1], ok
	}
	if rest, found := strings.CutPrefix(name, "weierstrass-"); found {
		digits, shape, _ := strings.Cut(strings.TrimSuffix(rest, "-max"), "-")
		n, good := number(digits)
		return KindWeierstrass, n, good && (shape == "" || shape[0] == 'b')
	}
	graph, _, _ := cutColours(name)
	if rest, found := strings.CutPrefix(graph, "queen"); found {
		n, ok := numbers(rest, "_", 2)
		return KindColouring, n[0] * n[1], ok
	}
	if rest, found := strings.CutPrefix(graph, "myciel"); found {
		step, good := number(rest)
		if !good || step < 1 || step > 12 {
			return "", 0, false
		}
		return KindColouring, 3<<(step-1) - 1, true
	}
	if rest, found := strings.CutPrefix(graph, "gnp-"); found {
		n, ok := numbers(rest, "-", 3)
		return KindColouring, n[0], ok
	}
	if n, ok := spinsForm(name); ok {
		return KindCut, n, true
	}
	return "", 0, false
}

// numbers reads so many numbers, at most 3, with sep between them.
func numbers(s, sep string, count int) (n [3]int, ok bool) {
	parts := strings.Split(s, sep)
	if len(parts) != count {
		return n, false
	}
	for i, p := range parts {
		if n[i], ok = number(p); !ok {
			return n, false
		}
	}
	return n, true
}

// colouringBest returns 0 where the name's graph is published with as many vertices and edges
// (each counted once or twice; -1: those of a generated graph, which are right) and has a
// proper colouring with the name's number of colours.
func colouringBest(name string, vertices, edges int) (BestKnown, bool) {
	graph, k, cut := cutColours(name)
	row, ok := chromatics()[graph]
	if !ok || row.vertices != vertices || cut && k < row.colours ||
		edges >= 0 && edges != row.edges && edges != 2*row.edges {
		return BestKnown{}, false
	}
	return row.best(), true
}
