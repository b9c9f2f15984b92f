package process

import (
	"fmt"
	"os/exec"
	"strings"
)

// Output runs a command and returns what it printed, trimmed; the error holds the last line
// that it printed to standard error.
func Output(cmd *exec.Cmd) (string, error) {
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		if s := LastLine(errs.String()); s != "" {
			err = fmt.Errorf("%w: %s", err, s)
		}
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// LastLine is the last line of a text that is trimmed.
func LastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
