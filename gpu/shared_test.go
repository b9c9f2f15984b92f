package gpu_test

import (
	"fmt"
	"sync"
	"testing"

	"metalab/gpu"
)

// free is the memory of the second device that nothing holds; of the fake driver also modules do.
func free(t *testing.T, d *gpu.Device) int64 {
	t.Helper()
	n, _, err := d.MemInfo()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// numbered is an image like no other.
func numbered(i int) []byte { return fmt.Appendf(nil, "%s// %d\n", image, i) }

// An image that Devices share is loaded once, works on each, and stays until the last is closed.
func TestSharedModule(t *testing.T) {
	withCUDA(t)
	keep := open(t, 1)
	before := free(t, keep)
	one := must(keep.Module(numbered(0)))(t)
	size := before - free(t, keep)
	if err := one.Free(); err != nil || size <= 0 {
		t.Fatalf("a module takes %d bytes, %v", size, err)
	}
	for range 3 {
		d := open(t, 1)
		m := must(d.SharedModule(numbered(1)))(t)
		k := must(m.Kernel("small"))(t)
		y := must(gpu.Alloc[int64](d, 1))(t)
		err := k.Launch(gpu.Linear(1, 32), y, int8(1), uint16(2), uint8(3), int64(4))
		if got := must(y.Download())(t); err != nil || got[0] != 10 || k.Device() != d {
			t.Errorf("the kernel gives %v, %v", got, err)
		}
		if n := d.Live()["module"]; n != 1 {
			t.Errorf("%d modules live on the device", n)
		}
		d.Close()
		if held := before - free(t, keep); held != size {
			t.Errorf("%d bytes are held after one load of %d", held, size)
		}
	}
	d := open(t, 1)
	m := must(d.SharedModule(numbered(1)))(t)
	if err := m.Free(); err != nil {
		t.Fatal(err)
	}
	_, err := m.Kernel("small")
	wantError(t, err, gpu.ErrFreed)
	d.Close()
	keep.Close() // the last one: nothing stays
	again := open(t, 1)
	if held := before - free(t, again); held != 0 {
		t.Errorf("%d bytes are held after the last device was closed", held)
	}
}

// Of images that nobody uses the 64 stay that were asked for last; those in use all do.
func TestSharedModulesAreBounded(t *testing.T) {
	withCUDA(t)
	d := open(t, 1)
	before := free(t, d)
	held := func(i int, end bool) int64 { // after image i was asked for
		m := must(d.SharedModule(numbered(i)))(t)
		if end {
			if err := m.Free(); err != nil {
				t.Fatal(err)
			}
		}
		return before - free(t, d)
	}
	size := held(0, true)
	for i := range 90 {
		held(i, true)
	}
	if n := held(26, true) / size; n != 64 {
		t.Errorf("%d images are loaded after 90 that are not used, want 64", n)
	}
	for i := range 10 {
		held(100+i, false)
	}
	if n := held(26, true) / size; n != 73 { // one made room, and there is some for the next
		t.Errorf("%d images are loaded with 10 in use, want 73", n)
	}
	if n := held(27, true) / size; n != 74 {
		t.Errorf("%d images are loaded: that which was asked for longest ago was to go", n)
	}
}

// Devices that ask at once wait for one load.
func TestSharedModuleAtOnce(t *testing.T) {
	withCUDA(t)
	var all []*gpu.Device
	for range 8 {
		all = append(all, open(t, 1))
	}
	before := free(t, all[0])
	must(all[0].SharedModule(numbered(0)))(t)
	size := before - free(t, all[0])
	var wg sync.WaitGroup
	for _, d := range all {
		wg.Go(func() {
			for i := range 20 {
				if m, err := d.SharedModule(numbered(i)); err != nil {
					t.Error(err)
				} else if _, err := m.Kernel("slow"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := (before - free(t, all[0])) / size; n != 20 {
		t.Errorf("%d images are loaded, want 20", n)
	}
}

// What the driver refuses is refused each time, and takes nothing.
func TestSharedModuleRefused(t *testing.T) {
	d := device(t)
	for range 2 {
		_, err := d.SharedModule([]byte(".version 7.5\n.target sm_75\nmistake"))
		wantError(t, err, nil, "CUDA_ERROR_INVALID_PTX", "line 3: mistake", "load a module (PTX)")
	}
	_, err := d.SharedModule(nil)
	wantError(t, err, gpu.ErrArgument, "empty")
}
