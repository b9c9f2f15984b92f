package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// List are the command lines of the processes that can be seen.
func List() map[int][]string {
	out := map[int][]string{}
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err == nil && len(names) > 0 {
		for _, name := range names {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			if err != nil {
				continue
			}
			if b, err := os.ReadFile(name); err == nil && len(b) > 0 {
				out[pid] = strings.Split(strings.TrimRight(string(b), "\x00"), "\x00")
			}
		}
		return out
	}
	list, err := exec.Command("ps", "-axww", "-o", "pid=,command=").Output()
	if err != nil {
		return out
	}
	for line := range strings.Lines(string(list)) {
		f := strings.Fields(line)
		if pid, err := strconv.Atoi(strings.Join(f[:min(1, len(f))], "")); err == nil {
			out[pid] = f[1:]
		}
	}
	return out
}
