package own

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"metalab/gpu/ptx"
)

const tiny = `package main

import "metalab/gpu/cuda"

func K(t cuda.T, x []int32) { x[t.Thread()] = %d }
`

// A text is compiled once, however many ask for it at once, and again only after so many others
// that there was no room for it; what differs in one letter, or is an outline, is another.
func TestModules(t *testing.T) {
	t.Parallel()
	m := modules{by: map[listing]func() (*ptx.Module, error){}}
	get := func(l listing) *ptx.Module {
		got, err := m.compile(l)
		if err != nil {
			t.Error(err)
		}
		return got
	}
	nth := func(n int) listing { return listing{name: "k", text: fmt.Sprintf(tiny, n)} }
	var all sync.WaitGroup
	got := make([]*ptx.Module, 8)
	for i := range got {
		all.Go(func() { got[i] = get(nth(0)) })
	}
	all.Wait()
	for _, g := range got {
		if g != got[0] {
			t.Fatal("two that asked at once have two modules")
		}
	}
	if !strings.Contains(get(nth(1)).PTX, "1;") || get(nth(1)) == got[0] {
		t.Errorf("of another text: %s", get(nth(1)).PTX)
	}
	outline := nth(0)
	outline.outline = true
	if o := get(outline); o.PTX != "" || len(o.Kernels) != 1 {
		t.Errorf("an outline: %q, %d kernels", o.PTX, len(o.Kernels))
	}
	for n := 2; n < modulesMost-1; n++ {
		get(nth(n))
	}
	if get(nth(0)) != got[0] {
		t.Errorf("of %d texts the first is not there any more", modulesMost)
	}
	get(nth(modulesMost))
	if len(m.by) != modulesMost || len(m.order) != modulesMost {
		t.Errorf("%d texts, %d in order, want %d", len(m.by), len(m.order), modulesMost)
	}
	if get(nth(0)) == got[0] {
		t.Error("the oldest text is there after one more than there is room for")
	}
}

// Why a text is refused is told to each who asks.
func TestModulesRefused(t *testing.T) {
	t.Parallel()
	m := modules{by: map[listing]func() (*ptx.Module, error){}}
	for range 2 {
		if _, err := m.compile(listing{name: "k", text: "package main"}); err == nil ||
			!strings.Contains(err.Error(), "no kernel") {
			t.Errorf("a text without a kernel: %v", err)
		}
	}
}
