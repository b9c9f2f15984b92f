package gpus_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalab/gpu"
	"metalab/kernel/host/gpus"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
)

// What says that there is no GPU says it once.
func TestNoGPUIsSaidOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want string
	}{
		{&gpu.Error{Op: "open", Err: gpu.ErrNoDevice, Hint: "install the driver"}, "install the driver"},
		{&gpu.Error{Op: "open", Err: gpu.ErrNoDevice}, gpu.ErrNoDevice.Error()},
		{&gpu.Error{Op: "open", Err: gpu.ErrNoCUDA, Hint: "build it"}, gpu.ErrNoCUDA.Error() +
			": build it"},
	} {
		if got := gpus.Why(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

// What asks for a GPU of a run on the cpu, or for a preset of another variant, is told so.
func TestOpenSaysWhereItIs(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Fails("open mmas rand-100-1 as m device=1", wire.CodeRequest, "device is 1", "on=cuda")
	l.Fails("open mmas rand-100-1 as m preset=best-local", wire.CodeRequest,
		"want one of default, best, paper", "best-local is a preset of", "mmas/wrs")
	l.Do("open mmas rand-100-1 as m variant=wrs preset=best-local ants=4 device=0; step m 1")
	l.Fails("fork m as f device=1", wire.CodeRequest, "device is 1", "on=cuda")
}

// presetDoc is the sentence about a preset of mmas/wrs.
func presetDoc(t *testing.T, name string) string {
	t.Helper()
	v, err := solvers.Find("mmas", "wrs", "cpu")
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return p.Doc
}

// Every preset of every variant has a sentence, which solvers shows with the variants that
// it is about.
func TestPresetsAreToldOf(t *testing.T) {
	t.Parallel()
	for _, v := range solvers.Variants() {
		for _, p := range v.AllPresets() {
			if !strings.HasSuffix(p.Doc, ".") {
				t.Errorf("%s/%s on %s, preset %s: %q", v.Solver, v.Name, v.Backend, p.Name, p.Doc)
			}
		}
	}
	l := start(t, hosttest.Options(t))
	if text := l.Do("solvers").String(); strings.Contains(text, "what it is for") {
		t.Errorf("the list of all has presets:\n%s", text)
	}
	r := l.Do("solvers mmas").(*reply.SolversReply)
	for _, text := range []string{r.String(), r.HTML()} {
		for _, want := range []string{
			"what it is for", "mmas/rows, mmas/thin, mmas/wrs",
			presetDoc(t, "best-local"),
		} {
			if !strings.Contains(text, strings.ReplaceAll(want, "'", "&#39;")) &&
				!strings.Contains(text, want) {
				t.Errorf("solvers mmas lacks %q:\n%s", want, text)
			}
		}
	}
	if doc := presetDoc(t, "best"); strings.Count(r.String(), doc) != 1 {
		t.Errorf("%q is not said once:\n%s", doc, r)
	}
}

// A program without CUDA says so wherever a GPU is asked for, and how it is made with it.
func TestBuiltWithoutCUDA(t *testing.T) {
	t.Parallel()
	if !errors.Is(gpu.Available(), gpu.ErrNoCUDA) {
		t.Skip("built with CUDA")
	}
	l := start(t, hosttest.Options(t))
	built := []string{"built without CUDA", "withcuda"}
	l.Fails("open mmas rand-100-1 as m variant=wrs on=cuda", wire.CodeRequest,
		append(built, "mmas/wrs", "cpu")...)
	l.Do("open mmas rand-100-1 as m variant=wrs; step m 1")
	l.Fails("fork m as f on=cuda", wire.CodeRequest, append(built, "mmas/wrs", "cpu")...)
	l.Fails("open mmas rand-100-1 as n on=cuda", wire.CodeRequest,
		append(built, "mmas/scan", "variant=rows, variant=thin, variant=wrs")...)
	l.Fails("open tabu tai12a as n on=cuda", wire.CodeRequest,
		append(built, "tabu/robust", "cpu; this")...)
	l.Fails("open anneal tai12a as n on=cuda", wire.CodeRequest,
		append(built, "on GPUs it searches instances of kind own alone")...)
	l.Fails("open acs rand-100-1 as n on=gpu", wire.CodeRequest,
		append(built, `"gpu"`, "cpu, or cuda")...)
	l.Fails("fork m as f on=gpu", wire.CodeRequest, append(built, `"gpu"`, "cpu, or cuda")...)
	path := filepath.Join(t.TempDir(), "m.run")
	l.Do("save m " + path)
	l.Fails("replay "+path+" on=gpu", wire.CodeRequest, append(built, `"gpu"`, "cpu, or cuda")...)
	l.Fails("replay "+path+" on=cuda", wire.CodeRequest, append(built, "mmas/wrs")...)
	s := l.Do("solvers mmas").(*reply.SolversReply)
	for _, v := range s.Variants {
		if has := v.Variant == "wrs" || v.Variant == "rows" || v.Variant == "thin"; v.GPU != has ||
			!slices.Equal(v.Backends, []string{"cpu"}) {
			t.Errorf("mmas/%s: GPU is %v, backends %v", v.Variant, v.GPU, v.Backends)
		}
	}
	for _, text := range []string{s.String(), s.HTML(), l.Do("solvers").String()} {
		for _, want := range append(built, "cpu, (cuda)", "(cuda): runs on a GPU too, but not here") {
			if !strings.Contains(text, want) {
				t.Errorf("solvers lacks %q:\n%s", want, text)
			}
		}
	}
	if got := l.Do("about").(*reply.AboutReply).CUDA; strings.HasPrefix(got, "gpu:") {
		t.Errorf("about names the call that failed: %s", got)
	}
	l.Fails("gpu", wire.CodeRequest, "built without CUDA", "doctor")
	l.Fails("upload 1,2,3 as x", wire.CodeRequest, built...)
	l.Fails("module "+l.O.Socket, wire.CodeFile)
	l.Fails("values x", wire.CodeRequest, "no array", "none")
	l.Fails("launch m.saxpy x", wire.CodeRequest, "no module")
	l.Fails("free x", wire.CodeRequest, "no array or module")
	if r := l.Do("devices").(*reply.DevicesReply); len(r.GPUs) != 0 || r.Cores < 1 || r.Reason == "" {
		t.Errorf("devices: %+v", r)
	}
	if r := l.Do("doctor").(*reply.DoctorReply); r.Usable || len(r.Findings) == 0 {
		t.Errorf("doctor: %+v", r)
	}
	if r := l.Do("free all").(*reply.NoteReply); r.Note != "0 arrays and modules were freed" {
		t.Errorf("free all: %v", r)
	}
	if _, err := l.C.Upload(t.Context(), 0, "x", wire.Array{
		Type: "float32", Shape: []int{2},
		Data: make([]byte, 7),
	}); wire.CodeOf(err) != wire.CodeRequest {
		t.Errorf("an array whose bytes do not fit: %v", err)
	}
	if _, err := l.C.Upload(t.Context(), 0, "a b",
		wire.Array{Type: "float32", Shape: []int{0}}); wire.CodeOf(err) != wire.CodeRequest {
		t.Errorf("an array with a bad name: %v", err)
	}
	if _, err := l.C.GPUArray(t.Context(), "x"); wire.CodeOf(err) != wire.CodeRequest {
		t.Errorf("an array that there is not: %v", err)
	}
}
