package datasets

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Option changes where and how Load looks.
type Option func(*loader)

// Progress makes Load report a download's progress to f: bytes so far and in total, -1 if that is
// unknown. The loading goroutine calls f.
func Progress(f func(done, total int64)) Option { return func(l *loader) { l.progress = f } }

// Log makes Load report to f in sentences: what it fetches from where, and what it stores in the
// cache.
func Log(f func(sentence string)) Option { return func(l *loader) { l.log = f } }

// Offline forbids downloads, as the environment variable METALAB_OFFLINE does.
func Offline() Option { return func(l *loader) { l.offline = true } }

// Folders replaces the folders of METALAB_DATA.
func Folders(dirs ...string) Option { return func(l *loader) { l.folders = dirs } }

// Cache replaces the user's cache folder (os.UserCacheDir, then metalab). An empty name disables
// the cache.
func Cache(dir string) Option { return func(l *loader) { l.cache = dir } }

// Homes replaces the addresses from which Load fetches instances.
func Homes(h HomeURLs) Option { return func(l *loader) { l.homes = h } }

// MaxDownload replaces the limit of a download's size in bytes, before and after decompression. The
// default is 256 MiB.
func MaxDownload(bytes int64) Option { return func(l *loader) { l.most = bytes } }

// loader holds what the options of one call of Load set.
type loader struct {
	progress func(done, total int64)
	log      func(string)
	offline  bool
	folders  []string
	cache    string
	homes    HomeURLs
	client   client // of HTTP
	most     int64
}

func newLoader(opts []Option) *loader {
	l := &loader{
		progress: func(int64, int64) {},
		log:      func(string) {},
		offline:  os.Getenv("METALAB_OFFLINE") != "",
		folders:  dataFolders(),
		homes:    DefaultHomes(),
		client:   defaultClient,
		most:     256 << 20,
	}
	if dir, err := os.UserCacheDir(); err == nil {
		l.cache = filepath.Join(dir, "metalab")
	}
	for _, o := range opts {
		o(l)
	}
	return l
}

// dataFolders returns the folders that METALAB_DATA lists.
func dataFolders() []string {
	var dirs []string
	for _, dir := range filepath.SplitList(os.Getenv("METALAB_DATA")) {
		if dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// A NotFoundError reports where Load looked for a name, and which names are close to it.
type NotFoundError struct {
	Name   string
	Looked []string // places, in the order of the search
	Near   []string // similar names that exist
	Hint   string   // advice, if there is any; else empty
}

// Error returns one line with the name, the places and the near names.
func (e *NotFoundError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "datasets: no instance %q", clip(e.Name))
	if len(e.Near) > 0 {
		fmt.Fprintf(&b, "; did you mean %s?", strings.Join(e.Near, ", "))
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	// Addresses appear as hosts only: all of Looked would fill the screen.
	var places, hosts []string
	why := ""
	for _, l := range e.Looked {
		address, cause, failed := strings.Cut(l, " (")
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			places = append(places, l)
			continue
		}
		if failed && why == "" {
			why = " (" + cause
		}
		if !slices.Contains(hosts, u.Host) {
			hosts = append(hosts, u.Host)
		}
	}
	if len(hosts) > 0 {
		places = append(places, strings.Join(hosts, ", ")+why)
	}
	if len(places) > 0 {
		b.WriteString("; looked in: " + strings.Join(places, ", "))
	}
	return b.String()
}

// Is makes errors.Is(err, fs.ErrNotExist) true.
func (e *NotFoundError) Is(target error) bool { return target == fs.ErrNotExist }

// Load returns the instance with a name or path. See LoadContext.
func Load(name string, opts ...Option) (Instance, error) {
	return LoadContext(context.Background(), name, opts...)
}

// LoadTSP is Load for a travelling salesman problem. Another kind is an error.
func LoadTSP(name string, opts ...Option) (*TSP, error) {
	inst, err := Load(name, opts...)
	if err != nil {
		return nil, err
	}
	t, ok := inst.(*TSP)
	if !ok {
		return nil, fmt.Errorf(
			"datasets: %s is of kind %s, want a travelling salesman problem", inst.Name(), inst.Kind(),
		)
	}
	return t, nil
}

// LoadContext returns the instance with a name or path. It looks for it in this order:
//
//  1. the file, if name has a slash or ends in .tsp, .atsp, .dat, .col, .mc, .coo, .qubo, .sparse,
//     .csv or .tsv (with or without .gz) and such a file exists; the last two are tables of
//     cities, see ReadCities;
//  2. a generated instance, see Generate;
//  3. the folders that METALAB_DATA lists, and all below them, with a file name.tsp, name.atsp,
//     name.dat, name.col, name.mc, name.coo, name.qubo or name.sparse; for name-kK also one of
//     name, a graph to be coloured with K colours;
//  4. the user's cache folder;
//  5. the instance's published home, see DefaultHomes. LoadContext stores a fetched file in the
//     cache.
//
// It compares a fetched instance with its published hash. Without a published hash it trusts the
// first download, and stores a hash beside the file to check later ones. Such an instance over
// plain http is marked, see Unverified. If the name is nowhere, the error is a *NotFoundError.
func LoadContext(ctx context.Context, name string, opts ...Option) (Instance, error) {
	l := newLoader(opts)
	if isPath(name) {
		inst, err := l.file(name, baseName(name))
		if err == nil || strings.ContainsAny(name, "/"+string(filepath.Separator)) ||
			!errors.Is(err, fs.ErrNotExist) {
			return inst, err
		}
		name = baseName(name)
	}
	if !validName(name) {
		return nil, &NotFoundError{Name: name, Hint: "a name consists of letters, digits and . _ -"}
	}
	if inst, ok, err := Generate(name); ok {
		return inst, err
	}
	miss := &NotFoundError{Name: name}
	if path, ok := l.find(name); ok {
		return l.file(path, baseName(path))
	}
	if graph, k, ok := cutColours(name); ok {
		if path, ok := l.find(graph); ok {
			inst, err := l.file(path, baseName(path))
			if g, ok := inst.(*Colouring); ok && err == nil {
				return g.coloured(k)
			}
		}
	}
	for _, dir := range l.folders {
		miss.Looked = append(miss.Looked, "METALAB_DATA folder "+dir)
	}
	if len(l.folders) == 0 {
		miss.Looked = append(miss.Looked, "METALAB_DATA (not set)")
	}
	if n, ok := l.spelling(name); ok { // as kroA100 for kroa100
		name = n
		if inst, ok, err := Generate(name); ok {
			return inst, err
		}
	}
	inst, err := l.cached(name)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return inst, err
	}
	if l.cache != "" {
		miss.Looked = append(miss.Looked, "cache "+l.cache)
	}
	if alone != nil {
		return nil, l.absent(name)
	}
	if hint, ok := homeless[strings.ToLower(name)]; ok {
		miss.Hint = hint
		return nil, miss
	}
	if graph, _, _ := cutColours(name); chromatics()[graph].colours > 0 {
		miss.Hint = "it is a published graph without an address that we know of: put " + graph +
			".col into a folder of METALAB_DATA"
		return nil, miss
	}
	inst, err = l.fetch(ctx, name, miss)
	if err != nil && errors.Is(err, fs.ErrNotExist) {
		miss.Near = l.near(name)
	}
	return inst, err
}

// homeless are instances of the literature without a known address, in lower case.
var homeless = map[string]string{
	"cro6857": "the Croatian post offices of J. Fosin et al. have no public address that we know " +
		"of: ask the authors for the file and put cro6857.tsp into a folder of METALAB_DATA",
}

// A noFileError says that a file is not where it was named.
type noFileError struct{ path string }

// Error names the folder, and files of instances that it has.
func (e *noFileError) Error() string {
	dir, name := filepath.Split(e.path)
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	s := fmt.Sprintf("datasets: there is no file %s in folder %s", clip(name), dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return s + ", nor that folder"
	}
	var there []string
	for _, d := range entries {
		n := strings.TrimSuffix(d.Name(), ".gz")
		read := slices.Concat(instanceExts, citiesExts)
		if !d.IsDir() && slices.Contains(read, strings.ToLower(filepath.Ext(n))) {
			there = append(there, d.Name())
		}
	}
	const most = 5
	if n := len(there); n > most {
		there = append(there[:most], fmt.Sprintf("%d more", n-most))
	}
	if len(there) > 0 {
		s += ", which has " + strings.Join(there, ", ")
	}
	return s
}

// Unwrap makes it an error about a file that does not exist.
func (e *noFileError) Unwrap() error {
	return &fs.PathError{Op: "open", Path: e.path, Err: fs.ErrNotExist}
}

// file reads an instance from a file. name is the instance's name.
func (l *loader) file(path, name string) (Instance, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &noFileError{path}
	}
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return nil, fmt.Errorf("datasets: %s is a folder, want a file", path)
	}
	data, err := readAll(f, path)
	if err != nil {
		return nil, err
	}
	return parse(data, path, name)
}

// parse reads an instance of any format. The ending of the file's name decides
// which; without a known one, a number at the start tells QAPLIB's, two of them before a line of
// three a graph of rudy, and a line "p edge" or "p col" a graph of DIMACS.
func parse(data []byte, file, name string) (Instance, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		var err error
		if data, err = gunzip(data, file, MaxFile); err != nil {
			return nil, err
		}
	}
	data = plainText(data)
	switch ext := extOf(file); {
	case slices.Contains(citiesExts, ext):
		return as(parseCities(data, file, name, nil, ""))
	case ext == ".dat":
		return as(parseQAP(data, file, name))
	case ext == ".col":
		return as(parseColouring(data, file, name, 0))
	case ext == ".tsp" || ext == ".atsp":
		return as(parseTSP(data, file, name))
	case slices.Contains(spinExts, ext):
		return as(parseSpins(data, file, name, ext))
	}
	if looksLikeColouring(data) {
		return as(parseColouring(data, file, name, 0))
	}
	if looksLikeRudy(data) {
		return as(parseRudy(data, file, name))
	}
	if first := data[min(lead(data), len(data)):]; len(first) > 0 && first[0]-'0' < 10 {
		inst, err := as(parseQAP(data, file, name))
		return inst, taken(err, file, data, "an instance of QAPLIB, as it begins with a number")
	}
	inst, err := as(parseTSP(data, file, name))
	return inst, taken(err, file, data, "an instance of TSPLIB, for want of another sign")
}

// as keeps a nil pointer from becoming an Instance that is not nil.
func as[T Instance](v T, err error) (Instance, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

// extOf is the ending of a file's name in small letters, without .gz.
func extOf(file string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(file), ".gz"))
}

// gunzip decompresses data to at most most bytes.
func gunzip(data []byte, file string, most int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: gzip: %w", file, err)
	}
	out, err := io.ReadAll(io.LimitReader(z, most+1))
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: gzip: %w", file, err)
	}
	if int64(len(out)) > most {
		return nil, fmt.Errorf("datasets: %s: more than %d bytes when decompressed", file, most)
	}
	return out, nil
}

// isPath reports whether name names a file.
func isPath(name string) bool {
	return strings.ContainsAny(name, "/"+string(filepath.Separator)) ||
		baseName(name) != filepath.Base(name)
}

// instanceExts are the endings of instance files.
var instanceExts = append([]string{".tsp", ".atsp", ".dat", ".col"}, spinExts...)

// citiesExts are the endings of tables of cities. They are read where they are named: a folder of
// METALAB_DATA may hold tables of other things.
var citiesExts = []string{".csv", ".tsv"}

// baseName returns the file's name without folder and without a known ending.
func baseName(path string) string {
	base := filepath.Base(path)
	plain := base
	if strings.EqualFold(filepath.Ext(base), ".gz") {
		plain = base[:len(base)-len(".gz")]
	}
	ext := filepath.Ext(plain)
	small := strings.ToLower(ext)
	if ext != plain && (slices.Contains(instanceExts, small) || slices.Contains(citiesExts, small)) {
		return strings.TrimSuffix(plain, ext)
	}
	return base
}

// validName reports whether the name can stand in a file's name and an address.
func validName(name string) bool {
	if name == "" || len(name) > 100 || name[0] == '.' || name[0] == '-' {
		return false
	}
	for _, c := range []byte(name) {
		switch {
		case c-'0' < 10, c|0x20 >= 'a' && c|0x20 <= 'z', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}
