//go:build cuda

package gpus_test

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernel/host/internal/hosttest"
	typed "metalab/kernel/lab"
	"metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernels/launch"
	"metalab/solvers"
	"metalab/solvers/record"
)

// image is PTX that names kernels of the driver that is none.
const image = ".version 7.5\n.target sm_75\n.entry saxpy(\n.entry illegal(\n.entry unplug(\n"

// fake makes the hosts that the test starts use a driver that is none, which plays a
// scenario.
func fake(t *testing.T, scenario string) {
	t.Helper()
	lib := filepath.Join(t.TempDir(), "fake.so")
	args := []string{
		"-shared", "-fPIC", "-O1", "-I", "../../../gpu/internal/driver/include", "-o", lib,
		"../../../gpu/testdata/fakecuda.c", "-lpthread",
	}
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("compile the fake driver: %v\n%s", err, out)
	}
	t.Setenv("METALAB_LIBCUDA", lib)
	t.Setenv("METALAB_FAKE", scenario)
}

func init() {
	solvers.Register(solvers.Variant{
		Solver: "walk", Name: "swap", Backend: "cuda", Revision: 1, Default: true, Deterministic: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Title: "exchanges of two cities",
		Presets: hosttest.WalkPresets,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			fails, _ := strconv.Atoi(os.Getenv("METALAB_FAILS"))
			return &deviceWalk{Walk: hosttest.NewWalk(inst), fails: fails}, nil
		},
	})
}

// deviceWalk is a walk that launches a kernel in each iteration, and in the one of lose a
// kernel after which the device is of no use. Its state counts as the device's.
type deviceWalk struct {
	*hosttest.Walk
	d       *gpu.Device
	good    *gpu.Kernel
	illegal *gpu.Kernel
	x       *gpu.Buffer[float32]
	fails   int // the number of the GPU on which that kernel is launched
}

func (s *deviceWalk) Init(env *solvers.Env) error {
	var err error
	if err = launch.Place(env); err != nil {
		return err
	}
	if s.d, err = gpu.Open(context.Background(), env.Devices[0]); err != nil {
		return err
	}
	if err := s.d.Admit("run "+env.Run, 20<<20); err != nil {
		s.d.Close()
		return err
	}
	m, err := s.d.Module([]byte(image))
	if err == nil {
		s.good, err = m.Kernel("saxpy")
	}
	if err == nil {
		s.illegal, err = m.Kernel("illegal")
	}
	if err == nil {
		s.x, err = gpu.Upload(s.d, make([]float32, 8))
	}
	if err != nil {
		s.d.Close()
		return err
	}
	return s.Walk.Init(env)
}

func (s *deviceWalk) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if s.Lose > 0 && it == int64(s.Lose) && s.d.Info().Ordinal == s.fails {
		return errors.Join(s.illegal.Launch(gpu.Linear(1, 1)), s.d.Sync())
	}
	if err := s.good.Launch(gpu.Linear(8, 8), s.x, s.x, float32(1), int32(8)); err != nil {
		return err
	}
	lose := s.Lose
	s.Lose = 0
	defer func() { s.Lose = lose }()
	return s.Walk.Iterate(ctx, it, p)
}

func (s *deviceWalk) Snapshot(w *solvers.Writer) {
	if s.d.Err() != nil {
		w.Bytes("lost", nil) // no state that could be read
		return
	}
	s.Walk.Snapshot(w)
}

func (s *deviceWalk) Turn(ctx context.Context) (func(), bool, error) {
	return s.d.Turns().Take(ctx)
}

func (s *deviceWalk) Close() {
	if s.d != nil {
		s.d.Close()
	}
}

// Runs that share a GPU are told when it has no room for another, and who holds it; they take
// turns, and what they compute is what one alone does.
func TestRunsShareAGPU(t *testing.T) {
	fake(t, "devices=1")
	l, _ := process(t, hosttest.Options(t))
	for _, name := range []string{"a", "b", "c"} {
		l.Do("open walk rand-50-1 as " + name + " on=cuda seed=3 moves=2")
	}
	l.Fails("open walk rand-50-1 as d on=cuda", wire.CodeRequest, "admit run d", "20.0 MiB are needed",
		"of 64.0 MiB are free", "are missing",
		"run a holds 20.0 MiB, run b holds 20.0 MiB, run c holds 20.0 MiB", "close one")
	if s := l.Do("gpu").(*reply.GPUReply); len(s.GPU.Holders) != 3 ||
		s.GPU.Holders[2] != (reply.GPUHolder{Holder: "run c", Bytes: 20 << 20}) ||
		!strings.Contains(s.String(), "run b holds 20 MiB") {
		t.Errorf("%+v", s)
	}
	l.Do("close c; open walk rand-50-1 as d on=cuda; close d; open walk rand-50-1 as c seed=3 moves=2")
	l.Do("go b; step a 300")
	if s := l.Show("b"); s.Iteration < 200 {
		t.Errorf("a has made 300 iterations, and b %d", s.Iteration)
	}
	l.Do("pause b; step c 300")
	if a, c := l.Show("a"), l.Show("c"); a.Digest != c.Digest {
		t.Errorf("a on a shared GPU has digest %s, c on cpu %s", a.Digest, c.Digest)
	}
}

// A run whose GPU fails in the middle is there again, at the last iteration that it made, and
// so are others on that GPU and on none.
func TestARunOutlivesItsGPU(t *testing.T) {
	fake(t, "devices=1")
	o := hosttest.Options(t)
	l, p := process(t, o)
	told := l.Notice()
	l.Do("open walk rand-50-1 as m on=cuda seed=3 moves=2; step m 30; open walk rand-50-1 as n " +
		"on=cuda; step n 7; open walk rand-50-1 as c seed=3 moves=2; step c 12")
	l.Do("set m lose=41")
	l.Fails("step m 100", wire.CodeFailed, "iteration 41", "CUDA_ERROR_ILLEGAL_ADDRESS",
		"the host starts anew")
	for name, want := range map[string]int64{"m": 40, "n": 7, "c": 12} {
		if s := l.Show(name); s.Iteration != want || s.State != "paused" {
			t.Errorf("%s: %s at iteration %d, want paused at %d", name, s.State, s.Iteration, want)
		}
	}
	if n := <-told; !strings.Contains(n, "ILLEGAL_ADDRESS") ||
		!strings.Contains(n, "runs m, n, c were reloaded") {
		t.Errorf("notice: %q", n)
	}
	// It goes on, on the GPU, and is what an undisturbed run on the cpu is.
	l.Do("set m lose=0; step m 60; step n 3; step c 88; save m " + o.StateDir + "/m.run")
	if m, c := l.Show("m"), l.Show("c"); m.Digest != c.Digest || m.Iteration != 100 ||
		m.Backend != "cuda" {
		t.Errorf("m on %s has digest %s at %d, c on cpu %s", m.Backend, m.Digest, m.Iteration, c.Digest)
	}
	for _, on := range []string{"cuda", "cpu"} {
		if r := l.Do("replay " + o.StateDir + "/m.run on=" + on).(*reply.ReplayReply); !r.Identical {
			t.Errorf("replay on %s: %v", on, r)
		}
	}
	select {
	case <-p.Ended():
		t.Error("the process ended")
	default:
	}
}

// What people type about GPUs.
func TestVerbsOfAGPU(t *testing.T) {
	fake(t, "")
	o := hosttest.Options(t)
	l, _ := process(t, o)
	ptx := filepath.Join(o.StateDir, "k.ptx")
	if err := os.WriteFile(ptx, []byte(image), 0o600); err != nil {
		t.Fatal(err)
	}
	r := l.Do("devices").(*reply.DevicesReply)
	if len(r.GPUs) != 2 || r.GPUs[0].Free == nil || *r.GPUs[0].Free >= r.GPUs[0].Memory ||
		r.GPUs[0].Capability == "" || r.GPUs[0].Driver == "" {
		t.Errorf("devices: %+v", r)
	}
	if r := l.Do("doctor").(*reply.DoctorReply); !r.Usable || len(r.Findings) < 3 {
		t.Errorf("doctor: %v", r)
	}
	l.Do("upload 1,2,3 as x; upload n=3 as y; module " + ptx + " as m")
	if r := l.Do(
		"launch m.saxpy y,x,float32(2),3 grid=1 block=256").(*reply.LaunchReply); r.Kernel != "m.saxpy" ||
		r.Block != [3]int{256, 1, 1} || !(r.TimeS >= 0) {
		t.Errorf("launch: %+v", r)
	}
	l.Do("launch m.saxpy y,x,0.5,3 block=256")
	if r := l.Do("values y").(*reply.ArrayReply); !slices.Equal(r.Values, []reply.Num{2.5, 5, 7.5}) ||
		r.Type != "float32" {
		t.Errorf("values: %+v", r)
	}
	l.Do("upload -1,300 type=int64 as z")
	if r := l.Do("values z").(*reply.ArrayReply); !slices.Equal(r.Values, []reply.Num{-1, 300}) {
		t.Errorf("values: %+v", r)
	}
	if r := l.Do("gpu").(*reply.GPUReply); len(r.Arrays) != 3 || len(r.Modules) != 1 || r.Name == "" {
		t.Errorf("gpu: %v", r)
	}
	l.Fails("upload 1,300 type=uint8", wire.CodeRequest, "value 2", "300", "uint8")
	l.Fails("upload 1 type=complex64", wire.CodeRequest, "complex64")
	l.Fails("values q", wire.CodeRequest, "no array", "x, y, m, z")
	l.Fails("launch m.sax y", wire.CodeRequest, "sax")
	l.Fails("launch q.saxpy y", wire.CodeRequest, "no module")
	l.Fails("launch m.saxpy y,q,0.5,3", wire.CodeRequest, "argument 2", "no array")
	l.Fails("launch m.saxpy y,x,0.5", wire.CodeRequest, "3 arguments", "takes 4")
	l.Fails("launch m.saxpy y,x,0.5,3 block=0", wire.CodeRequest, "block")
	l.Fails("gpu 7", wire.CodeRequest, "7")
	l.Fails("upload n=60000000", wire.CodeRequest, "memory")
	l.Do("free x")
	l.Fails("free x", wire.CodeRequest, "no array")
	l.Do("free all")
	if r := l.Do("gpu").(*reply.GPUReply); len(r.Arrays)+len(r.Modules) != 0 {
		t.Errorf("gpu after free all: %v", r)
	}

	// The same in Go.
	front.Set(front.Front{Client: l.C, Context: t.Context})
	defer front.Set(front.Front{})
	g := typed.GPU(0)
	x, y := g.Upload([]float32{1, 2, 3}), g.UploadAs("y", []float32{10, 10, 10})
	k := g.Module(image).Kernel("saxpy")
	g.Launch(k, 1, 256, y, x, float32(2), int32(3))
	if got := y.Float32s(); !slices.Equal(got, []float32{12, 14, 16}) {
		t.Errorf("saxpy: %v", got)
	}
	if a, b := g.Module(image).String(), g.Module(image).String(); a != b ||
		len(g.Info().Modules) != 1 {
		t.Errorf("one image is loaded twice: %s, %s", a, b)
	}
	for _, v := range []any{
		[]float64{math.Pi},
		[]int64{-1 << 60},
		[]uint64{1 << 63},
		[]int8{-3, 4},
		[]uint8{255},
		[]int32{},
	} {
		if got := g.Upload(v).Slice(); wireBytes(t, got) != wireBytes(t, v) {
			t.Errorf("%T %v came back as %T %v", v, v, got, got)
		}
	}
	if err := typed.Try(func() { x.Int32s() }); err == nil ||
		!strings.Contains(err.Error(), "float32") {
		t.Errorf("float32 as int32: %v", err)
	}
	if err := typed.Try(func() { g.Upload([]int{1}) }); err == nil ||
		!strings.Contains(err.Error(), "int32") {
		t.Errorf("upload of []int: %v", err)
	}
}

func wireBytes(t *testing.T, v any) string {
	a, err := wire.NewArray(v)
	if err != nil {
		t.Fatal(err)
	}
	return a.Type + string(a.Data)
}

// A kernel that was launched by hand takes the GPU down, and no run with it.
func TestALaunchThatFails(t *testing.T) {
	fake(t, "devices=1")
	o := hosttest.Options(t)
	l, _ := process(t, o)
	ptx := filepath.Join(o.StateDir, "k.ptx")
	if err := os.WriteFile(ptx, []byte(image), 0o600); err != nil {
		t.Fatal(err)
	}
	l.Do("open walk rand-50-1 as a on=cuda; step a 20; upload 1,2 as x; module " + ptx + " as m")
	for range 3 {
		told := l.Notice()
		l.Fails("launch m.illegal", wire.CodeRequest, "ILLEGAL_ADDRESS", "starts anew")
		l.Do("step a 5")
		if n := <-told; !strings.Contains(n, "run a was reloaded") ||
			!strings.Contains(n, "gone (x, m)") {
			t.Errorf("notice: %q", n)
		}
		l.Do("upload 1,2 as x; module " + ptx + " as m")
	}
	if s := l.Show("a"); s.Iteration != 35 {
		t.Errorf("a is at %d, want 35", s.Iteration)
	}
}

// Without a GPU a run on one is refused with a reason, and so is a fork.
func TestNoGPU(t *testing.T) {
	t.Setenv("METALAB_LIBCUDA", "none")
	l, _ := process(t, hosttest.Options(t))
	l.Fails("open mmas rand-100-1 as m variant=wrs on=cuda", wire.CodeRequest, "no such GPU",
		"METALAB_LIBCUDA")
	// the instance is not looked for
	l.Fails("open mmas nowhere.tsp as m variant=wrs on=cuda", wire.CodeRequest, "no such GPU")
	if r := l.Do("solvers mmas/wrs").(*reply.SolversReply); !strings.Contains(r.String(),
		"cpu, (cuda)") || !strings.Contains(r.String(), "libcuda") {
		t.Errorf("solvers: %v", r)
	}
	l.Do("open mmas rand-100-1 as m variant=wrs; step m 2")
	l.Fails("fork m as f on=cuda", wire.CodeRequest, "no such GPU", "METALAB_LIBCUDA")
	if r := l.Do("runs").(*reply.RunsReply); len(r.Runs) != 1 {
		t.Errorf("runs: %v", r)
	}
	if r := l.Do("devices").(*reply.DevicesReply); len(r.GPUs) != 0 || r.Reason == "" {
		t.Errorf("devices: %+v", r)
	}
	if r := l.Do("doctor").(*reply.DoctorReply); r.Usable {
		t.Errorf("doctor: %v", r)
	}
}
