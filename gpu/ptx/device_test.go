package ptx_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"metalab/gpu"
	"metalab/gpu/cuda"
	"metalab/gpu/launch"
	"metalab/gpu/ptx"
	"metalab/gpu/ptx/internal/examples"
)

// device opens the GPU, or skips.
func device(t testing.TB) *gpu.Device {
	t.Helper()
	d, err := gpu.Open(context.Background(), 0)
	if err != nil {
		if gpu.IsUnavailable(err) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func load(t testing.TB, d *gpu.Device, m *ptx.Module) *launch.Program {
	t.Helper()
	p, err := launch.Load(d, m)
	if err != nil {
		t.Fatalf("%v\n%s", err, m.PTX)
	}
	t.Cleanup(func() { _ = p.Free() })
	return p
}

func kernelOf(t testing.TB, p *launch.Program, name string) *launch.Kernel {
	t.Helper()
	k, err := p.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestDeviceExamples(t *testing.T) {
	d := device(t)
	for _, c := range trials() {
		t.Run(c.name, func(t *testing.T) {
			want := c.twin(t)
			for _, o := range []ptx.Options{{}, {Plain: true}, {Bounded: true}, {Unchecked: true}} {
				k := kernelOf(t, load(t, d, c.compile(t, o)), c.name)
				args := clone(c.args)
				if err := k.Launch(c.shape, args...); err != nil {
					t.Fatalf("%+v: %v", o, err)
				}
				if !o.Unchecked || c.name != "Corners" {
					same(t, fmt.Sprintf("%+v", o), args, want)
				}
			}
		})
	}
}

func TestDeviceFailures(t *testing.T) {
	d := device(t)
	for _, c := range failures {
		m, err := ptx.Compile("k.go", failing(c.body), ptx.Options{Bounded: true})
		if err != nil {
			t.Fatal(err)
		}
		k := kernelOf(t, load(t, d, m), "K")
		k.Budget = 100_000
		out := make([]int32, 128)
		err = k.Launch(cuda.Shape{Blocks: 4, Threads: 32}, out, int32(0))
		var f *ptx.Failure
		if !errors.As(err, &f) || f.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
		if !reflect.DeepEqual(out, make([]int32, 128)) {
			t.Errorf("%s: what a failed launch wrote came back", c.body)
		}
	}
}

// TestDevicePrograms runs random programs on the GPU and, not optimised, in the interpreter.
func TestDevicePrograms(t *testing.T) {
	d := device(t)
	for _, p := range programs(200, 99) {
		m, err := ptx.Compile("k.go", p.text, ptx.Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, p.text)
		}
		mod, err := launch.Load(d, m)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, p.text, m.PTX)
		}
		got := p.input()
		err = kernelOf(t, mod, p.name).Launch(p.shape, got.args()...)
		want, fail := interpreted(t, p, ptx.Options{Plain: true})
		if fail != nil {
			want.Error = sansColumn(fail)
		}
		var f *ptx.Failure
		if errors.As(err, &f) && want.Error != "" &&
			(strings.Contains(p.text, "cuda.Shuffle") || strings.Contains(p.text, "t.Ballot")) {
			continue // what threads get from one that failed is not defined
		}
		judge(t, p, "GPU", got, want, err)
		if err := mod.Free(); err != nil {
			t.Fatal(err)
		}
	}
}

// nvcc finds the compiler of the CUDA toolkit.
func nvcc() string {
	if p, err := exec.LookPath("nvcc"); err == nil {
		return p
	}
	for _, root := range []string{os.Getenv("CUDA_PATH"), "/usr/local/cuda"} {
		if p := filepath.Join(root, "bin", "nvcc"); root != "" {
			if _, err := os.Stat(p); err == nil {
				return p
			}
		}
	}
	return ""
}

// reference compiles testdata/kernels.cu for the device; nil without nvcc.
func reference(t testing.TB, d *gpu.Device) *gpu.Module {
	t.Helper()
	cc := nvcc()
	if cc == "" {
		t.Log("no nvcc: the kernels in CUDA C are left out")
		return nil
	}
	out := filepath.Join(t.TempDir(), "kernels.cubin")
	arch := fmt.Sprintf("-arch=sm_%d%d", d.Info().Major, d.Info().Minor)
	start := time.Now()
	cmd := exec.Command(cc, "-O3", "-fmad=false", arch, "-cubin", "-o", out, "testdata/kernels.cu")
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	t.Logf("nvcc: %v", time.Since(start))
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Module(b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A contest is a kernel beside its CUDA C.
type contest struct {
	trial
	size string
	cu   string              // name in testdata/kernels.cu
	args func(a []any) []any // that it takes, slices without lengths
	out  int                 // the argument that is compared
}

func contests() (cs []contest) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{500, 2000, 8000, 32000} {
		for _, k := range []struct {
			name string
			fn   any
		}{{"Scan", examples.Scan}, {"Scan32", examples.Scan32}} {
			cs = append(cs, contest{
				scan(r, k.name, k.fn, n, n, 256), fmt.Sprint(n, " cities"), "scan",
				func(a []any) []any {
					c := a[0].(examples.Cities)
					return []any{c.X, c.Y, a[1], int32(n), a[2]}
				}, 2,
			})
		}
	}
	for _, w := range []int{1, 16, 132, 528, 2640} {
		cs = append(cs, contest{
			qap(r, 100, w, 256), fmt.Sprint(w, " walks of 100"), "qap",
			func(a []any) []any { return a }, 4,
		})
	}
	for _, n := range []int{73, 117} {
		blocks := (n*(n-1)/2 + 127) / 128
		cs = append(cs, contest{
			ppp(r, n, blocks, true), fmt.Sprint(n, " by ", n), "ppp2",
			func(a []any) []any {
				return []any{a[0], a[1], int32(n), a[2], int32(n), a[3], int32(n), a[4]}
			}, 4,
		})
	}
	for _, w := range []int{264, 2640} {
		cs = append(cs, contest{
			knapsack(r, 1000, w), fmt.Sprint(w, " walks of 1000"), "knapsack",
			func(a []any) []any { return []any{a[0], a[1], int32(1000), a[2], a[3], a[4], a[5]} }, 5,
		})
	}
	for _, n := range []int{10_000, 100_000} {
		cs = append(cs, contest{
			weierstrass(r, 10, n), fmt.Sprint(n, " neighbours of 10"), "weierstrass",
			func(a []any) []any { return []any{a[0], int32(10), a[1], a[2], int32(n)} }, 2,
		})
	}
	return cs
}

// median is the time of a launch, of 15 after 3.
func median(t testing.TB, f func() (time.Duration, error)) time.Duration {
	t.Helper()
	var ts []time.Duration
	for i := range 18 {
		took, err := f()
		if err != nil {
			t.Fatal(err)
		}
		if i >= 3 {
			ts = append(ts, took)
		}
	}
	slices.Sort(ts)
	return ts[len(ts)/2]
}

// TestDeviceTable times the examples beside CUDA C, if nvcc is found, and compares their words.
// Run it with -v.
func TestDeviceTable(t *testing.T) {
	d := device(t)
	cu := reference(t, d)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "kernel\tsize\tchecked\tunchecked\tnvcc -O3\tratio\tunchecked\twords\tregisters")
	start := time.Now()
	m, err := ptx.Compile("kernels.go", examples.Kernels, ptx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compiled := time.Now()
	checked := load(t, d, m)
	t.Logf("%d kernels: %v to PTX, %v to a loaded module", len(m.Kernels), compiled.Sub(start),
		time.Since(compiled))
	if m, err = ptx.Compile("kernels.go", examples.Kernels, ptx.Options{Unchecked: true}); err != nil {
		t.Fatal(err)
	}
	unchecked := load(t, d, m)
	for _, c := range contests() {
		var took [3]time.Duration
		var words [3]any
		for i, p := range []*launch.Program{checked, unchecked} {
			args := clone(c.trial.args)
			call, err := kernelOf(t, p, c.name).Bind(args...)
			if err != nil {
				t.Fatal(err)
			}
			took[i] = median(t, func() (time.Duration, error) { return call.Time(c.shape) })
			if err := errors.Join(call.Fetch(), call.Free()); err != nil {
				t.Fatal(err)
			}
			words[i] = args[c.out]
		}
		verdict := reflect.DeepEqual(words[0], words[1])
		line := fmt.Sprintf("%s\t%s\t%v\t%v\t", c.name, c.size, took[0], took[1])
		if cu != nil {
			took[2], words[2] = timeReference(t, d, cu, c)
			verdict = verdict && reflect.DeepEqual(words[0], words[2])
			line += fmt.Sprintf("%v\t%.2f\t%.2f\t", took[2], float64(took[0])/float64(took[2]),
				float64(took[1])/float64(took[2]))
		} else {
			line += "-\t-\t-\t"
		}
		text := "identical"
		if !verdict {
			text = "DIFFERENT"
			t.Errorf("%s, %s: different words", c.name, c.size)
		}
		fmt.Fprintln(w, line+text+"\t"+fmt.Sprint(kernelOf(t, checked, c.name).Info().Registers))
	}
	w.Flush()
	t.Logf("%v\n%s", d.Info(), table.String())
}

// timeReference runs the kernel in CUDA C.
func timeReference(
	t testing.TB, d *gpu.Device, cu *gpu.Module, c contest,
) (took time.Duration, out any) {
	t.Helper()
	k, err := cu.Kernel(c.cu)
	if err != nil {
		t.Fatal(err)
	}
	args := clone(c.trial.args)
	var flat []any
	var fetch func()
	for _, a := range c.args(args) {
		switch v := a.(type) {
		case []float64:
			flat = append(flat, put(t, d, v, &fetch))
		case []int32:
			flat = append(flat, put(t, d, v, &fetch))
		case []int64:
			flat = append(flat, put(t, d, v, &fetch))
		case []uint64:
			flat = append(flat, put(t, d, v, &fetch))
		case []int8:
			flat = append(flat, put(t, d, v, &fetch))
		case []uint8:
			flat = append(flat, put(t, d, v, &fetch))
		default:
			flat = append(flat, a)
		}
	}
	took = median(t, func() (time.Duration, error) {
		return k.LaunchTimed(gpu.Config{
			Grid: gpu.Dim{X: c.shape.Blocks}, Block: gpu.Dim{X: c.shape.Threads},
		}, flat...)
	})
	fetch()
	return took, args[c.out]
}

// put uploads a slice and adds its download to fetch.
func put[T any](t testing.TB, d *gpu.Device, s []T, fetch *func()) *gpu.Buffer[T] {
	t.Helper()
	b, err := gpu.Upload(d, s)
	if err != nil {
		t.Fatal(err)
	}
	before := *fetch
	*fetch = func() {
		if before != nil {
			before()
		}
		if err := errors.Join(b.DownloadTo(s), b.Free()); err != nil {
			t.Fatal(err)
		}
	}
	return b
}
