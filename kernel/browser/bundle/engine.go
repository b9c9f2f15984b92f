package bundle

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"metalab/solvers/record"
)

// An Engine is the engine's file.
type Engine struct {
	Path string // where it is
	Hash string // of its sources and of Go: 16 hexadecimal digits
	Go   string // the version that compiled it
	Size int64  // bytes of the file
	Made string // the metalab from whose sources it was compiled, in words; empty: not known

	Program Program // empty: Replay
}

// Name is what the file is called.
func (e *Engine) Name() string { return e.Program.file(e.Hash) }

// A Program is what is compiled for pages.
type Program string

// The programs.
const (
	Replay Program = "metalab/kernel/browser/engine" // of pages that make a run again
	Prompt Program = "metalab/repl/browser"          // of a page with a prompt, and of Go there
)

// file is what the file of a program is called.
func (p Program) file(hash string) string {
	if p == Prompt {
		return "metalab-prompt-" + hash + ".js"
	}
	return "metalab-" + hash + ".js"
}

// ErrNoGo is wrapped by the error of a build without Go.
var ErrNoGo = errors.New("there is no Go here that could build the engine of pages")

// script is what the engine's file holds, as the argument of a call.
type script struct {
	Notices string `json:"notices,omitempty"` // licences of what is in it; of Prompt they lie beside

	Hash string  `json:"hash"`
	Go   string  `json:"go"`
	What Program `json:"what"`
	Raw  int     `json:"raw"`  // bytes of the WebAssembly
	Exec []byte  `json:"exec"` // Go's wasm_exec.js
	Wasm []byte  `json:"wasm"` // compressed by gzip
}

// The file is these around the JSON of a script.
const (
	before = "// The engine of metalab for pages, and wasm_exec.js of Go.\nself.metalabEngine("
	behind = ")\n"
)

// Progress receives how many packages are compiled so far, of how many, and a note for users.
type Progress func(done, total int64, note string)

// Build returns the engine of pages that replay; see [BuildProgram].
func Build(ctx context.Context, root, cache string, say Progress) (*Engine, error) {
	return BuildProgram(ctx, Replay, root, cache, say)
}

// BuildProgram returns a program of metalab's sources in the folder root. It is compiled when the
// folder cache has none of these sources and this Go.
func BuildProgram(
	ctx context.Context, what Program, root, cache string, say Progress,
) (*Engine, error) {
	version, goroot, err := goEnv(ctx, root)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "metalab-engine-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	p := building{what: what, root: root, dir: dir}
	if what == Prompt {
		if err := p.replace(ctx); err != nil {
			return nil, err
		}
	}
	e := &Engine{Go: version, Program: what}
	if e.Hash, err = p.hash(ctx, version); err != nil {
		return nil, err
	}
	e.Path = filepath.Join(cache, e.Name())
	if found, err := Open(e.Path); err == nil && found.Hash == e.Hash {
		return found, nil
	}
	s := script{Hash: e.Hash, Go: version, What: what}
	if what == Replay { // its file goes alone to where its pages are
		text, err := Notices(ctx, what, root)
		if err != nil {
			return nil, err
		}
		s.Notices = string(text)
	}
	if s.Exec, err = os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, fmt.Errorf("the engine of pages needs Go's own wasm_exec.js: %w", err)
	}
	wasm, err := p.compile(ctx, say)
	if err != nil {
		return nil, err
	}
	s.Raw = len(wasm)
	if s.Wasm, err = compressed(wasm); err != nil {
		return nil, err
	}
	b, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	err = record.Atomic(e.Path, func(w io.Writer) error {
		_, err := w.Write([]byte(before + string(b) + behind))
		return err
	})
	if err != nil {
		return nil, err
	}
	return Open(e.Path)
}

// Open returns the engine whose file is at path.
func Open(path string) (*Engine, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s is no engine of pages: %w", path, err)
	}
	return &Engine{Path: path, Hash: s.Hash, Go: s.Go, Size: int64(len(b)), Program: s.What}, nil
}

// parse reads the engine's file.
func parse(b []byte) (s script, err error) {
	b, ok := bytes.CutPrefix(b, []byte(before))
	if !ok {
		return s, errors.New("it does not begin as one does")
	}
	if b, ok = bytes.CutSuffix(b, []byte(behind)); !ok {
		return s, errors.New("its end is missing")
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, err
	}
	if raw, err := hex.DecodeString(s.Hash); err != nil || len(raw) != 8 {
		return s, fmt.Errorf("its hash is %q, want 16 hexadecimal digits", s.Hash)
	}
	return s, nil
}

// goEnv is the version of Go for the module in root, and its folder.
func goEnv(ctx context.Context, root string) (version, goroot string, err error) {
	out, err := golang(ctx, root, nil, "env", "GOVERSION", "GOROOT")
	if err != nil {
		return "", "", err
	}
	version, goroot, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	return version, goroot, nil
}

// golang calls Go for the engine. line takes the lines that it prints to its standard error and
// says whether they are about its progress; the others are in the error. It may be nil.
func golang(
	ctx context.Context, root string, line func(string) bool, args ...string,
) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOWASM=")
	var out bytes.Buffer
	cmd.Stdout = &out
	pipe, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, fmt.Errorf("%w (go.dev/dl has it)", ErrNoGo)
	}
	if err != nil {
		return nil, err
	}
	var said []string
	for sc := bufio.NewScanner(pipe); sc.Scan(); {
		if text := strings.TrimSpace(sc.Text()); line == nil || !line(text) {
			said = append(said, text)
		}
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, strings.Join(said, "; "))
	}
	return out.Bytes(), nil
}

// compressed is b by gzip.
func compressed(b []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(b)
	}
	if err == nil {
		err = z.Close()
	}
	return out.Bytes(), err
}

// text64 is b compressed, in base64.
func text64(b []byte) (string, error) {
	z, err := compressed(b)
	return base64.StdEncoding.EncodeToString(z), err
}

// CopyTo puts the engine's file into the folder of a page, where it is not there, and returns its
// path.
func (e *Engine) CopyTo(dir string) (string, error) {
	to := filepath.Join(dir, e.Name())
	b, err := os.ReadFile(e.Path)
	if err != nil {
		return to, err
	}
	if old, err := os.ReadFile(to); err == nil && bytes.Equal(old, b) {
		return to, nil
	} else if err == nil {
		if _, err := parse(old); err != nil {
			return to, &record.TakenError{Path: to, What: "it is no engine of pages"}
		}
	}
	return to, record.Atomic(to, func(w io.Writer) error { _, err := w.Write(b); return err })
}
