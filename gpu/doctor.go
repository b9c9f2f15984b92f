package gpu

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"metalab/gpu/internal/driver"
)

// Level is the severity of a finding.
type Level string

// The levels. Only a Problem prevents the use of the GPU.
const (
	Fine    Level = "fine"
	Note    Level = "note"
	Problem Level = "problem"
)

// A Finding is one result of Doctor.
type Finding struct {
	Level Level `json:"level"`
	// build, hardware, driver, devices, device 0, nvcc, environment
	Subject string `json:"subject"`
	Text    string `json:"text"`          // the finding
	Fix     string `json:"fix,omitempty"` // what to do; empty if nothing
}

// String returns the finding as one line.
func (f Finding) String() string {
	mark := map[Level]string{Fine: "ok  ", Note: "note", Problem: "FAIL"}[f.Level]
	s := fmt.Sprintf("%s  %s: %s", mark, f.Subject, f.Text)
	if f.Fix != "" {
		s += " → " + f.Fix
	}
	return s
}

// lowest is the least compute capability that the committed kernel images run on (their
// PTX is for 7.5).
const lowestMajor, lowestMinor = 7, 5

// Doctor checks everything between this program and a GPU, and reports in plain words what is
// there, what is missing and how to fix it. It opens no device.
func Doctor() []Finding {
	return site{root: "/", getenv: os.Getenv, lookPath: exec.LookPath}.examine()
}

// site is the machine as Doctor sees it; tests make their own.
type site struct {
	root     string
	getenv   func(string) string
	lookPath func(string) (string, error)
}

func (s site) examine() []Finding {
	var out []Finding
	add := func(l Level, subject, fix, format string, args ...any) {
		out = append(out, Finding{l, subject, fmt.Sprintf(format, args...), fix})
	}
	cards, module := s.cards(), s.kernelModule()
	seen := len(cards) > 0 || module != ""

	if drv == nil {
		text := "this program was built without CUDA, so it uses the CPU only"
		level, fix := Note, ""
		if seen {
			level, fix = Problem, build
		}
		if runtime.GOOS != "linux" {
			level, fix = Note, "CUDA is supported on Linux"
		}
		add(level, "build", fix, "%s", text)
	} else {
		add(Fine, "build", "", "this program was built with CUDA")
	}

	switch {
	case len(cards) > 0:
		add(
			Fine, "hardware", "", "%d NVIDIA %s on the PCI bus (%s)", len(cards),
			plural(len(cards), "device", "devices"), strings.Join(cards, ", "),
		)
	case module != "":
		add(Fine, "hardware", "", "the kernel's NVIDIA module is loaded")
	case runtime.GOOS == "linux":
		add(Note, "hardware", "", "no NVIDIA device on the PCI bus")
	}
	if module != "" {
		add(Fine, "kernel module", "", "%s", module)
	} else if len(cards) > 0 {
		add(
			Problem, "kernel module",
			"install the NVIDIA driver and restart; with secure boot its module must be signed",
			"not loaded, though there is an NVIDIA device",
		)
	}
	out = append(out, s.environment()...)
	if drv != nil {
		out = append(out, s.driver(seen)...)
	}
	if path, err := s.lookPath("nvcc"); err == nil {
		add(Fine, "nvcc", "", "%s (needed only to change kernels: in a clone "+
			"go run ./kernels/build)", path)
	} else {
		add(
			Note, "nvcc", "",
			"not on the PATH; it is needed only to change kernels, whose images come compiled",
		)
	}
	return out
}

// driver examines the loaded library and the devices.
func (s site) driver(seen bool) (out []Finding) {
	add := func(l Level, subject, fix, format string, args ...any) {
		out = append(out, Finding{l, subject, fmt.Sprintf(format, args...), fix})
	}
	missing := Note // no driver on a machine without a GPU is as it should be
	if seen {
		missing = Problem
	}
	st := driver.Read()
	switch st.State {
	case driver.NotFound:
		add(
			missing, "driver",
			"install the NVIDIA driver, or pass the GPU into the container (docker run --gpus all)",
			"its library libcuda.so.1 was not found: %s", st.Detail,
		)
		return out
	case driver.InitFailed:
		level := Problem
		if st.Init == codeNoDevice {
			level = missing
		}
		add(
			level, "driver", codes[st.Init].hint, "%s was found but does not start: %s (%s, %d)", st.Path,
			describe(st.Init), nameOf(st.Init), st.Init,
		)
		return out
	}
	if err := usable("doctor"); err != nil {
		add(Problem, "driver", "update the NVIDIA driver", "%s: %v", st.Path, err)
		return out
	}
	add(Fine, "driver", "", "%s speaks CUDA %v", st.Path, Version(st.Version))
	list, err := Devices()
	if err != nil {
		add(Problem, "devices", "", "%v", err)
		return out
	}
	if len(list) == 0 {
		add(missing, "devices", codes[codeNoDevice].hint, "the driver sees none")
	}
	for _, in := range list {
		subject := fmt.Sprintf("device %d", in.Ordinal)
		text := fmt.Sprintf(
			"%s, %s, compute capability %s, %d multiprocessors, %s", in.Name, Bytes(in.Memory),
			in.Capability(), in.SMs, in.UUID,
		)
		if in.Major < lowestMajor || in.Major == lowestMajor && in.Minor < lowestMinor {
			add(
				Problem, subject, "use a GPU of the Turing generation or later",
				"%s: older than %d.%d, for which the kernels are compiled", text, lowestMajor, lowestMinor,
			)
			continue
		}
		add(Fine, subject, "", "%s", text)
	}
	return out
}

// environment reports the variables that hide a GPU or show a wrong driver.
func (s site) environment() (out []Finding) {
	if v := s.getenv("METALAB_LIBCUDA"); v != "" {
		out = append(
			out,
			Finding{
				Note, "environment", "METALAB_LIBCUDA=" + v + " is used in place of the driver's library",
				"unset it to use the driver",
			},
		)
	}
	if v, unset := s.getenv("CUDA_VISIBLE_DEVICES"), "unset it to see all"; v != "" {
		out = append(
			out,
			Finding{
				Note, "environment", "CUDA_VISIBLE_DEVICES=" + v + " limits which devices are seen", unset,
			},
		)
	}
	for _, dir := range filepath.SplitList(s.getenv("LD_LIBRARY_PATH")) {
		if filepath.Base(dir) == "stubs" {
			out = append(
				out,
				Finding{
					Problem, "environment",
					"LD_LIBRARY_PATH names " + dir + ", whose libcuda.so is for linking and runs nothing",
					"take it out",
				},
			)
		}
	}
	if v := s.getenv("CUDA_LAUNCH_BLOCKING"); v != "" && v != "0" {
		out = append(
			out,
			Finding{
				Note, "environment", "CUDA_LAUNCH_BLOCKING=" + v + " makes every launch wait, which is slow",
				"unset it when the search for an error is over",
			},
		)
	}
	return out
}

// cards lists the addresses of NVIDIA display and compute devices on the PCI bus.
func (s site) cards() (found []string) {
	dirs, _ := filepath.Glob(filepath.Join(s.root, "sys/bus/pci/devices/*"))
	for _, dir := range dirs {
		vendor, _ := os.ReadFile(filepath.Join(dir, "vendor"))
		class, _ := os.ReadFile(filepath.Join(dir, "class"))
		if strings.TrimSpace(string(vendor)) == "0x10de" && strings.HasPrefix(string(class), "0x03") {
			found = append(found, filepath.Base(dir))
		}
	}
	return found
}

// kernelModule returns the first line of the module's version, "" where it is not loaded.
func (s site) kernelModule() string {
	text, err := os.ReadFile(filepath.Join(s.root, "proc/driver/nvidia/version"))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.Join(strings.Fields(strings.TrimPrefix(line, "NVRM version:")), " ")
}
