package jupyter

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// SessionName names the session after the notebook, where it is known which it is, and after
// the kernel's process.
func SessionName(notebook string, pid int) string {
	base := filepath.Base(notebook)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	base = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, base)
	base = strings.TrimLeft(base[:min(len(base), 28)], "-_")
	if base == "" {
		base = "notebook"
	}
	return base + "-" + strconv.Itoa(pid)
}

// NotebookPath is the notebook that this is the kernel of: the path where Jupyter tells it,
// else the folder, in which the kernel of a notebook is started.
func NotebookPath() string {
	path, err := filepath.Abs(os.Getenv("JPY_SESSION_NAME"))
	if err != nil {
		return ""
	}
	return path
}
