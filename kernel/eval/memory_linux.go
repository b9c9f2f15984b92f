package eval

import (
	"bytes"
	"math"
	"os"
	"strconv"
)

// freeMemory is what the process could still take: of the machine, and of the group of processes
// that it is in, as in a container.
func freeMemory() int64 {
	free := int64(math.MaxInt64)
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range bytes.Lines(b) {
			if f := bytes.Fields(line); len(f) > 1 && string(f[0]) == "MemAvailable:" {
				if n, err := strconv.ParseInt(string(f[1]), 10, 64); err == nil {
					free = n << 10
				}
			}
		}
	}
	number := func(path string) (int64, bool) {
		b, err := os.ReadFile(path)
		if err != nil {
			return 0, false
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(b)), 10, 64)
		return n, err == nil
	}
	for _, g := range [][2]string{
		{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
	} {
		most, ok := number(g[0])
		if used, ok2 := number(g[1]); ok && ok2 {
			free = min(free, max(0, most-used))
		}
	}
	if free == math.MaxInt64 {
		return unknownMemory
	}
	return free
}
