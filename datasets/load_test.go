//go:build !js

package datasets_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"metalab/datasets"
)

// server serves files by path and counts the requests.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	files map[string][]byte
	asked []string
}

func serve(t *testing.T, files map[string][]byte) *server {
	t.Helper()
	s := &server{files: files}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.Path)
		data, ok := s.files[r.URL.Path]
		s.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data) // the client's test sees what is missing
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) set(path string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[path] = data
}

func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// options make a loader that sees only the server and the cache folder.
func (s *server) options(cache string, more ...datasets.Option) []datasets.Option {
	return append([]datasets.Option{
		datasets.Folders(), datasets.Cache(cache), datasets.Client(s.Client()),
		datasets.Homes(
			datasets.HomeURLs{
				TSPLIB: s.URL, QAPLIB: s.URL + "/qap", VLSI: s.URL + "/vlsi", Art: s.URL + "/art",
			},
		),
	}, more...)
}

func zip(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestLoadFetchesOnceAndKeeps(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string][]byte{"/tsp/mine3.tsp.gz": zip(t, euc("3", "1 0 0", "2 3 4", "3 6 8"))})
	cache := t.TempDir()
	var progress []int64
	var log []string
	opts := s.options(cache,
		datasets.Progress(func(done, total int64) { progress = append(progress, done, total) }),
		datasets.Log(func(line string) { log = append(log, line) }))
	for range 2 {
		p, err := datasets.LoadTSP("mine3", opts...)
		if err != nil || p.Name() != "mine3" || p.Dist(0, 2) != 10 {
			t.Fatalf("%v, %v", p, err)
		}
	}
	if got := s.requests(); len(got) != 1 {
		t.Errorf("asked for %v, want one request", got)
	}
	if n := len(progress); n < 2 || progress[n-2] <= 0 || progress[n-2] != progress[n-1] {
		t.Errorf("progress %v", progress)
	}
	if len(log) != 3 || !strings.HasPrefix(log[0], "fetching ") ||
		!strings.Contains(log[1], "plain http") || !strings.HasPrefix(log[2], "kept ") {
		t.Errorf("log %q", log)
	}
	files, err := filepath.Glob(filepath.Join(cache, "*"))
	if err != nil || len(files) != 3 {
		t.Errorf("the cache holds %v", files)
	}
	// From the cache alone, offline.
	if _, err := datasets.Load("mine3", s.options(cache, datasets.Offline())...); err != nil {
		t.Error(err)
	}
}

func TestLoadHoldsAFileToItsFirstHash(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string][]byte{"/qap/mine2.dat": []byte("2\n1 2 3 4\n5 6 7 8\n")})
	cache := t.TempDir()
	if _, err := datasets.Load("mine2", s.options(cache)...); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(cache, "mine2.dat")
	if err := os.WriteFile(path, []byte("2\n1 2 3 4\n5 6 7 9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := datasets.Load("mine2", s.options(cache)...); err == nil ||
		!strings.Contains(err.Error(), "differs") {
		t.Errorf("a changed file in the cache: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s.set("/qap/mine2.dat", []byte("2\n1 2 3 4\n5 6 7 9\n"))
	if _, err := datasets.Load("mine2", s.options(cache)...); err == nil ||
		!strings.Contains(err.Error(), "differs") {
		t.Errorf("a changed file on the server: %v", err)
	}
	s.set("/qap/mine2.dat", []byte("2\n1 2 3 4\n5 6 7 8\n"))
	if _, err := datasets.Load("mine2", s.options(cache)...); err != nil {
		t.Errorf("the first file again: %v", err)
	}
}

func TestLoadRefusesOtherDataUnderAPublishedName(t *testing.T) {
	t.Parallel()
	s := serve(
		t, map[string][]byte{"/tsp/berlin52.tsp.gz": zip(t, euc("3", "1 0 0", "2 3 4", "3 6 8"))},
	)
	cache := t.TempDir()
	_, err := datasets.Load("berlin52", s.options(cache)...)
	if err == nil || !strings.Contains(err.Error(), "differs from the published berlin52") {
		t.Errorf("error is %v", err)
	}
	if files, _ := filepath.Glob(filepath.Join(cache, "*")); len(files) != 0 {
		t.Errorf("the cache holds %v", files)
	}
}

func TestLoadTakesPublishedDataFromItsHome(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	for name, at := range map[string][2]string{
		"berlin52": {"tsplib/berlin52.tsp", "/tsp/berlin52.tsp.gz"},
		"br17":     {"tsplib/atsp/br17.atsp", "/atsp/br17.atsp.gz"},
		"nug12":    {"qaplib/nug12.dat", "/qap/nug12.dat"},
		"xqf131":   {"vlsi/xqf131.tsp", "/vlsi/xqf131.tsp"},
	} {
		data, err := os.ReadFile(filepath.Join(dir, at[0]))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(at[1], ".gz") {
			data = zip(t, string(data))
		}
		s := serve(t, map[string][]byte{at[1]: data})
		inst, err := datasets.Load(strings.ToUpper(name), s.options(t.TempDir())...)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, ok := inst.BestKnown(); !ok || inst.Name() != name || len(s.requests()) != 1 {
			t.Errorf("%s: asked %v, name %s", name, s.requests(), inst.Name())
		}
	}
}

func TestLoadLimitsAndFaults(t *testing.T) {
	t.Parallel()
	big := euc("3", "1 0 0", "2 3 4", "3 6 8"+strings.Repeat(" ", 5000))
	s := serve(t, map[string][]byte{
		"/tsp/bomb.tsp.gz": zip(t, big), "/vlsi/large.tsp": []byte(big),
		"/vlsi/page.tsp":  []byte("<html><body>not found</body></html>"),
		"/tsp/cut.tsp.gz": zip(t, big)[:40],
	})
	for name, want := range map[string]string{
		"bomb":  "more than 1000 bytes when decompressed",
		"large": "more than 1000 bytes",
		"page":  "does not hold the instance",
		"cut":   "gzip",
	} {
		_, err := datasets.Load(name, s.options(t.TempDir(), datasets.MaxDownload(1000))...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want … %s …", name, err, want)
		}
	}
	down := serve(t, nil)
	down.Close()
	_, err := datasets.Load("pr1002", down.options(t.TempDir())...)
	if err == nil || !strings.Contains(err.Error(), "METALAB_DATA") ||
		!strings.Contains(err.Error(), "pr1002") {
		t.Errorf("the home does not answer: %v", err)
	}
}

func TestLoadGoesOnWithoutACache(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string][]byte{"/vlsi/mine4.tsp": []byte(euc("2", "1 0 0", "2 3 4"))})
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var log []string
	opts := s.options(filepath.Join(
		blocked, "cache",
	), datasets.Log(func(line string) { log = append(log, line) }))
	inst, err := datasets.Load("mine4", opts...)
	if err != nil || inst.Size() != 2 {
		t.Errorf("Load = %v, %v", inst, err)
	}
	if n := len(log); n == 0 || !strings.HasPrefix(log[n-1], "could not keep mine4") {
		t.Errorf("log %q", log)
	}
}

func TestLoadAsksTheCopyWhenAHomeIsDown(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	data, err := os.ReadFile(filepath.Join(dir, "qaplib", "nug12.dat"))
	if err != nil {
		t.Fatal(err)
	}
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
	}))
	defer down.Close()
	up := serve(t, map[string][]byte{"/nug12.dat": data})
	homes := datasets.HomeURLs{QAPLIB: down.URL, QAPCopy: up.URL}
	inst, err := datasets.Load("nug12", datasets.Folders(), datasets.Cache(""), datasets.Homes(homes))
	if err != nil || inst.Size() != 12 {
		t.Errorf("Load = %v, %v", inst, err)
	}
	homes.QAPCopy = ""
	if _, err := datasets.Load(
		"nug12", datasets.Folders(), datasets.Cache(""), datasets.Homes(homes),
	); err == nil || !strings.Contains(err.Error(), "502") {
		t.Errorf("without the copy: %v", err)
	}
}

// What came by plain http, and is held to no published hash, says so, from the cache too.
func TestPlainHTTPIsTold(t *testing.T) {
	t.Parallel()
	file := zip(t, euc("3", "1 0 0", "2 3 4", "3 6 8"))
	plain := serve(t, map[string][]byte{"/tsp/mine3.tsp.gz": file})
	secure := &server{files: map[string][]byte{"/tsp/mine3.tsp.gz": file}}
	secure.Server = httptest.NewTLSServer(plain.Config.Handler)
	t.Cleanup(secure.Close)
	turns := httptest.NewTLSServer(
		http.RedirectHandler(plain.URL+"/tsp/mine3.tsp.gz", http.StatusFound),
	)
	t.Cleanup(turns.Close)
	dead := httptest.NewTLSServer(nil)
	dead.Close()
	empty := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(empty.Close)
	for _, c := range []struct {
		name  string
		homes datasets.HomeURLs
		from  string // where it came from, if that is told
		asked int    // requests at the plain home
	}{
		// by its handler
		{
			"https first", datasets.HomeURLs{VLSI: plain.URL, TSPLIB: secure.URL, TSPCopy: plain.URL}, "", 1,
		},
		{
			"https does not answer",
			datasets.HomeURLs{TSPLIB: dead.URL, TSPCopy: plain.URL},
			plain.URL + "/tsp/mine3.tsp.gz", 1,
		},
		{"https leads to http", datasets.HomeURLs{TSPLIB: turns.URL}, turns.URL + "/tsp/mine3.tsp.gz", 1},
		{"https has none", datasets.HomeURLs{TSPLIB: empty.URL, TSPCopy: plain.URL}, "-", 0},
	} {
		before, cache := len(plain.requests()), t.TempDir()
		for _, from := range []string{"home", "cache"} {
			inst, err := datasets.Load(
				"mine3", datasets.Folders(), datasets.Cache(cache), datasets.Client(secure.Client()),
				datasets.Homes(c.homes),
			)
			if c.from == "-" {
				if err == nil {
					t.Errorf("%s: %v", c.name, inst)
				}
				break
			}
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				break
			}
			if got := datasets.Unverified(inst); got != c.from {
				t.Errorf("%s, from the %s: it came from %q, want %q", c.name, from, got, c.from)
			}
			text := datasets.UnverifiedText(inst)
			if c.from != "" && (!strings.Contains(text, inst.SHA256()) || !strings.Contains(text, c.from)) ||
				c.from == "" && text != "" {
				t.Errorf("%s, from the %s: %s", c.name, from, text)
			}
		}
		if n := len(plain.requests()) - before; n != c.asked {
			t.Errorf("%s: %d requests at the plain home, want %d", c.name, n, c.asked)
		}
	}
	// A published one is held to its hash, whichever way it came.
	dir := dataFolder(t)
	data, err := os.ReadFile(filepath.Join(dir, "tsplib", "berlin52.tsp"))
	if err != nil {
		t.Fatal(err)
	}
	plain.set("/tsp/berlin52.tsp.gz", data)
	inst, err := datasets.Load(
		"berlin52", datasets.Folders(), datasets.Cache(""),
		datasets.Homes(datasets.HomeURLs{TSPCopy: plain.URL}),
	)
	if err != nil || datasets.Unverified(inst) != "" {
		t.Errorf("a published instance: %v, from %q", err, datasets.Unverified(inst))
	}
}

// The published homes that are asked first are behind https.
func TestHomesAreSecure(t *testing.T) {
	t.Parallel()
	h := datasets.DefaultHomes()
	for _, url := range []string{h.TSPLIB, h.QAPLIB, h.QAPCopy, h.VLSI, h.Art} {
		if !strings.HasPrefix(url, "https://") {
			t.Errorf("%s is asked first", url)
		}
	}
}

func TestLoadCanBeCancelled(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer s.Close()
	defer close(release)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := datasets.LoadContext(
		ctx, "mine", datasets.Folders(), datasets.Cache(""),
		datasets.Homes(datasets.HomeURLs{TSPLIB: s.URL}),
	)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v", err)
	}
}

func TestLoadPathsAndFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(deep, "deepOne.tsp"), euc("2", "1 0 0", "2 3 4"))
	put(filepath.Join(dir, "q.dat"), "2\n1 2 3 4\n5 6 7 8\n")
	put(filepath.Join(dir, "noending"), "2\n1 2 3 4\n5 6 7 8\n")
	put(filepath.Join(dir, "bad.tsp"), euc("2", "1 0 0", "2 3 x"))
	put(filepath.Join(dir, "packed.tsp.gz"), string(zip(t, euc("2", "1 0 0", "2 3 4"))))
	opts := []datasets.Option{datasets.Folders(dir), datasets.Cache(""), datasets.Offline()}
	for name, want := range map[string]string{
		"deepOne": "deepOne", "deepone": "deepOne", "deepOne.tsp": "deepOne", "q": "q",
		"packed":                           "packed",
		filepath.Join(deep, "deepOne.tsp"): "deepOne", filepath.Join(dir, "noending"): "noending",
		filepath.Join(dir, "packed.tsp.gz"): "packed",
	} {
		inst, err := datasets.Load(name, opts...)
		if err != nil || inst.Name() != want {
			t.Errorf("Load(%q) = %v, %v", name, inst, err)
		}
	}
	for _, name := range []string{"bad", filepath.Join(dir, "bad.tsp")} {
		var e *datasets.SyntaxError
		if _, err := datasets.Load(name, opts...); !errors.As(err, &e) ||
			filepath.Base(e.File) != "bad.tsp" || e.Line != 7 {
			t.Errorf("Load(%q): %v", name, err)
		}
	}
	for _, path := range []string{filepath.Join(dir, "none.tsp"), filepath.Join(dir, "a")} {
		if inst, err := datasets.Load(path, opts...); err == nil || inst != nil {
			t.Errorf("Load(%q) = %v, %v", path, inst, err)
		}
	}
	if _, err := datasets.LoadTSP("q", opts...); err == nil || !strings.Contains(err.Error(), "qap") {
		t.Errorf("LoadTSP of a QAP: %v", err)
	}
	// A file that appears later is found too.
	put(filepath.Join(dir, "later.tsp"), euc("2", "1 0 0", "2 3 4"))
	if _, err := datasets.Load("later", opts...); err != nil {
		t.Error(err)
	}
}

func TestInstancesAreSharedByGoroutines(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"E1k.0", "tai20a", "ppp-73x73-1", "weierstrass-3"} {
		inst := generate(t, name)
		want := generate(t, name).SHA256()
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if _, ok := inst.BestKnown(); ok == (inst.Kind() == datasets.KindWeierstrass) {
					t.Errorf("%s: best known is %v", name, ok)
				}
				if got := inst.SHA256(); got != want || len(got) != 64 {
					t.Errorf("%s: hash %s, want %s", name, got, want)
				}
			})
		}
		wg.Wait()
	}
}

func BenchmarkLoadPla85900(b *testing.B) {
	dataFolder(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := datasets.Load("pla85900", datasets.Offline()); err != nil {
			b.Fatal(err)
		}
	}
}
