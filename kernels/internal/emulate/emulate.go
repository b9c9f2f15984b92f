// Package emulate runs CUDA kernels on a CPU, for tests of families of kernels without a GPU: g++
// compiles their source with fibres.h, in which every thread of a block is a fibre.
//
// A family has a program in testdata that includes fibres.h and kernel.cu, its source, and calls
// the kernel with a name on the given buffers:
//
//	#include "fibres.h"
//	#include "kernel.cu"
//	enum { SIZES, COSTS, BUFFERS };
//	static std::vector<char> buffer[BUFFERS];
//	static std::string name;
//	static void body() {
//		if (name == "scan") scan((const int *)buffer[SIZES].data(), (float *)buffer[COSTS].data());
//		else _Exit(2);
//	}
//	int main(int, char **arg) { return emulate(arg, name, buffer, body); }
//
// A test compiles it once ([Source.For]), launches kernels ([Program.Launch]), and compares the
// structs of both languages ([Program.Layout]). TestMain must call [Main].
package emulate

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

//go:embed fibres.h
var fibres []byte

// A Replacement is an edit of the sources, which are C++ then.
type Replacement struct {
	From *regexp.Regexp
	To   string
}

// shared is what all sources need.
var shared = Replacement{
	regexp.MustCompile(`extern __shared__ (\w+) (\w+)\[\];`), "$1 *$2 = ($1 *)shared_memory;",
}

// A Source is a source of kernels in the folder of the test.
type Source struct {
	File    string // as X.cu
	Main    string // the program that launches kernels, in the same folder; as testdata/emulate.cc
	Replace []Replacement
	Defines []string // for the program
}

// A Program is a source that was compiled for the CPU.
type Program struct {
	path string
	dir  string // with the sources as C++
	file string
	args []string // of the compiler
}

var made struct {
	sync.Mutex
	dir string
	of  map[string]*Program
}

// Need skips a test where there is no compiler, and with METALAB_EMULATE=none.
func Need(t testing.TB) {
	t.Helper()
	if os.Getenv("METALAB_EMULATE") == "none" {
		t.Skip("METALAB_EMULATE=none")
	}
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("no g++")
	}
}

// Main runs the tests of a package, and removes the programs.
func Main(m *testing.M) int {
	code := m.Run()
	if made.dir != "" {
		_ = os.RemoveAll(made.dir)
	}
	return code
}

// For compiles a source for a test, which is skipped where there is no compiler.
func (s Source) For(t testing.TB) *Program {
	t.Helper()
	Need(t)
	p, err := s.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Compile compiles a source, once in a process.
func (s Source) Compile() (*Program, error) {
	made.Lock()
	defer made.Unlock()
	key := fmt.Sprint(s.File, " ", s.Main, " ", s.Defines)
	if p := made.of[key]; p != nil {
		return p, nil
	}
	if made.dir == "" {
		dir, err := os.MkdirTemp("", "emulate")
		if err != nil {
			return nil, err
		}
		made.dir, made.of = dir, map[string]*Program{}
	}
	dir := filepath.Join(made.dir, fmt.Sprint(len(made.of)))
	p := &Program{path: filepath.Join(dir, "emulate"), dir: dir, file: s.File}
	p.args = []string{
		"-std=c++17", "-O1", "-ffp-contract=off", "-w", "-I", dir, "-I", ".",
	}
	for _, d := range s.Defines {
		p.args = append(p.args, "-D"+d)
	}
	if err := s.write(dir); err != nil {
		return nil, err
	}
	if err := p.compile(s.Main, p.path); err != nil {
		return nil, err
	}
	made.of[key] = p
	return p, nil
}

// write writes the sources of the folder to dir as C++.
func (s Source) write(dir string) error {
	files, err := filepath.Glob("*.cu*")
	if err = errors.Join(err, os.MkdirAll(dir, 0o755),
		os.WriteFile(filepath.Join(dir, "fibres.h"), fibres, 0o644)); err != nil {
		return err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, r := range append([]Replacement{shared}, s.Replace...) {
			text = r.From.ReplaceAll(text, []byte(r.To))
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	include := fmt.Sprintf("#include %q\n", s.File)
	return os.WriteFile(filepath.Join(dir, "kernel.cu"), []byte(include), 0o644)
}

// compile compiles a file to a program.
func (p *Program) compile(file, to string) error {
	args := append([]string{"-o", to, file}, p.args...)
	if out, err := exec.Command("g++", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// Run runs the program with arguments, as a kernel, the blocks and the warps of a block.
func (p *Program) Run(ctx context.Context, in []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, p.path, args...)
	var out, why bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &why
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("emulate %s: %w %s", strings.Join(args, " "), err, why.String())
	}
	return out.Bytes(), nil
}

// Launch launches a kernel with buffers, whose contents the kernel may change.
func (p *Program) Launch(kernel string, blocks, warps int, buffers [][]byte) error {
	var in bytes.Buffer
	for _, b := range buffers {
		_ = binary.Write(&in, binary.LittleEndian, int64(len(b)))
		in.Write(b)
	}
	text, err := p.Run(context.Background(), in.Bytes(), kernel, fmt.Sprint(blocks),
		fmt.Sprint(warps))
	if err != nil {
		return err
	}
	out := bytes.NewReader(text)
	for _, b := range buffers {
		var n int64
		if err := binary.Read(out, binary.LittleEndian, &n); err != nil {
			return err
		}
		if n != int64(len(b)) {
			return fmt.Errorf("emulate %s: a buffer of %d bytes came back with %d", kernel, len(b), n)
		}
		if _, err := io.ReadFull(out, b); err != nil {
			return err
		}
	}
	return nil
}

// Raw returns numbers, or structs or slices of them, as a kernel has them.
func Raw(v any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(err)
	}
	return b
}

// Cooked reads the bytes of Raw into v, a pointer or a slice, and returns v. It ignores further
// bytes in b.
func Cooked[T any](b []byte, v T) T {
	if n := binary.Size(v); n >= 0 && n < len(b) {
		b = b[:n] // else Decode panics for bytes
	}
	if _, err := binary.Decode(b, binary.LittleEndian, v); err != nil {
		panic(err)
	}
	return v
}

// Left returns n bytes of a buffer that a kernel must write before it reads them: on a device they
// are what other launches, in other shapes, have left.
func Left(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 0xA5 ^ byte(i)<<3
	}
	return b
}
