package eval

import (
	// The standard packages that inputs may import. Not here, on purpose:
	// os/exec, unsafe, syscall, plugin, net and log (its Fatal ends a process).
	_ "github.com/goplus/ixgo/pkg/bufio"
	_ "github.com/goplus/ixgo/pkg/bytes"
	_ "github.com/goplus/ixgo/pkg/cmp"
	_ "github.com/goplus/ixgo/pkg/context"
	_ "github.com/goplus/ixgo/pkg/encoding/csv"
	_ "github.com/goplus/ixgo/pkg/encoding/json"
	_ "github.com/goplus/ixgo/pkg/errors"
	_ "github.com/goplus/ixgo/pkg/fmt"
	_ "github.com/goplus/ixgo/pkg/io"
	_ "github.com/goplus/ixgo/pkg/iter"
	_ "github.com/goplus/ixgo/pkg/maps"
	_ "github.com/goplus/ixgo/pkg/math"
	_ "github.com/goplus/ixgo/pkg/math/bits"
	_ "github.com/goplus/ixgo/pkg/math/cmplx"
	_ "github.com/goplus/ixgo/pkg/math/rand/v2"
	_ "github.com/goplus/ixgo/pkg/os"
	_ "github.com/goplus/ixgo/pkg/path/filepath"
	_ "github.com/goplus/ixgo/pkg/regexp"
	_ "github.com/goplus/ixgo/pkg/slices"
	_ "github.com/goplus/ixgo/pkg/sort"
	_ "github.com/goplus/ixgo/pkg/strconv"
	_ "github.com/goplus/ixgo/pkg/strings"
	_ "github.com/goplus/ixgo/pkg/sync"
	_ "github.com/goplus/ixgo/pkg/sync/atomic"
	_ "github.com/goplus/ixgo/pkg/time"
	_ "github.com/goplus/ixgo/pkg/unicode"
)

// Std lists the standard packages that inputs may use without an import line.
// The others that are built in (os, regexp, encoding/json, math/rand/v2, …) want
// one: they reach outside of the session, or their names are ambiguous.
var Std = []string{
	"cmp", "context", "errors", "fmt", "iter", "maps", "math", "slices", "sort",
	"strconv", "strings", "sync", "time",
}

// execPath is the package that Config.Programs allows.
const execPath = "os/exec"

// refused are packages that inputs must not import, with the reason.
var refused = map[string]string{
	"unsafe": "it can corrupt the session",
	"C":      "there is no cgo at the prompt",
	execPath: "run programs from a shell",
	"metalab/gpu/cuda": "its functions are generic, which no compiled package can offer to " +
		"interpreted Go: write the kernel into a file and load it by module FILE.go, or into a cell " +
		"of a kernel that compiles",
}
