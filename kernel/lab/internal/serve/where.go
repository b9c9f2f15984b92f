package serve

import (
	"runtime"
	"strconv"
	"strings"

	"metalab/kernel/wire"
)

// stackMost bounds the text of all stacks in bytes.
const stackMost = 1 << 20

// whereNow returns the line by which the process says in which function of somebody's code it is.
func whereNow() string {
	b := make([]byte, stackMost)
	function, line := userFrame(string(b[:runtime.Stack(b, true)]))
	return wire.WorkerAt + function + "\t" + strconv.Itoa(line) + "\n"
}

// userFrame finds, in the stacks of all goroutines, the innermost function of somebody's code: of
// package main, less main itself, or of a test. It is empty where there is none.
func userFrame(stacks string) (function string, line int) {
	lines := strings.Split(stacks, "\n")
	for i := 0; i+1 < len(lines); i++ {
		name, place := lines[i], strings.TrimSpace(lines[i+1])
		end := strings.LastIndexByte(name, '(')
		if end < 0 || strings.HasPrefix(name, "\t") || strings.HasPrefix(name, "created by ") {
			continue
		}
		name = name[strings.LastIndexByte(name[:end], '/')+1 : end]
		if !strings.HasPrefix(name, "main.") && !strings.Contains(name, "_test.") || name == "main.main" {
			continue
		}
		_, place, _ = strings.Cut(place, ".go:")
		place, _, _ = strings.Cut(place, " ")
		n, err := strconv.Atoi(place)
		if err == nil {
			return strings.TrimPrefix(name, "main."), n
		}
	}
	return "", 0
}
