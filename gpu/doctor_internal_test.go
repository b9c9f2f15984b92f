package gpu

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// machine makes a site out of files and variables.
func machine(t *testing.T, files, vars map[string]string, nvcc string) site {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return site{
		root: root, getenv: func(k string) string { return vars[k] },
		lookPath: func(string) (string, error) {
			if nvcc == "" {
				return "", errors.New("no")
			}
			return nvcc, nil
		},
	}
}

func TestDoctorLooksAround(t *testing.T) {
	t.Parallel()
	card := map[string]string{
		"sys/bus/pci/devices/0000:01:00.0/vendor": "0x10de\n",
		"sys/bus/pci/devices/0000:01:00.0/class":  "0x030200\n",
		// its sound
		"sys/bus/pci/devices/0000:01:00.1/vendor": "0x10de\n",
		"sys/bus/pci/devices/0000:01:00.1/class":  "0x040300\n",
		"sys/bus/pci/devices/0000:02:00.0/vendor": "0x8086\n",
		"sys/bus/pci/devices/0000:02:00.0/class":  "0x030000\n",
	}
	withModule := map[string]string{
		"proc/driver/nvidia/version": "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.1\nGCC " +
			"version: 12\n",
	}
	for name, c := range map[string]struct {
		files, vars map[string]string
		nvcc        string
		want, not   []string
	}{
		"bare": {want: []string{
			"note  hardware: no NVIDIA device", "note  nvcc: not on the PATH",
		}, not: []string{"kernel module", "environment"}},
		"card": {files: card, nvcc: "/x/nvcc", want: []string{"1 NVIDIA device on the PCI bus " +
			"(0000:01:00.0)", "FAIL  kernel module: not loaded", "nvcc: /x/nvcc"}},
		"module": {files: withModule, want: []string{"ok    kernel module: NVIDIA UNIX x86_64 Kernel " +
			"Module 580.1"}},
		"stubs": {
			vars: map[string]string{
				"LD_LIBRARY_PATH": "/a:/usr/local/cuda/lib64/stubs", "CUDA_VISIBLE_DEVICES": "1",
				"CUDA_LAUNCH_BLOCKING": "1", "METALAB_LIBCUDA": "none",
			},
			want: []string{
				"FAIL  environment: LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES=1 limits",
				"makes every launch wait", "METALAB_LIBCUDA=none",
			},
		},
	} {
		var b strings.Builder
		for _, f := range machine(t, c.files, c.vars, c.nvcc).examine() {
			b.WriteString(f.String() + "\n")
		}
		for _, w := range c.want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s: doctor does not say %q:\n%s", name, w, b.String())
			}
		}
		for _, w := range c.not {
			if strings.Contains(b.String(), w) {
				t.Errorf("%s: doctor says %q:\n%s", name, w, b.String())
			}
		}
		built := strings.Contains(b.String(), "built with CUDA")
		if built != (drv != nil) {
			t.Errorf("%s: built with CUDA %v", name, built)
		}
	}
}

// TestCodesHaveSentences keeps the table of codes whole.
func TestCodesHaveSentences(t *testing.T) {
	t.Parallel()
	for c, m := range codes {
		if !strings.HasPrefix(m.name, "CUDA_ERROR_") || m.text == "" ||
			m.text != strings.TrimSuffix(m.text, ".") {
			t.Errorf("code %d: %+v", c, m)
		}
		if m.lost && !m.sticky || m.sticky && m.hint == "" && c != 4 && c != 709 {
			t.Errorf("code %d: lost without sticky, or sticky without a hint", c)
		}
	}
	if got := describe(123456); !strings.Contains(got, "123456") {
		t.Error(got)
	}
}
