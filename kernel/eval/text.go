package eval

import (
	"fmt"
	"strings"
)

// Text is a value as a prompt prints it: by its own String, else in Go's syntax.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case error:
		return v.Error()
	case fmt.Stringer:
		return strings.TrimRight(v.String(), "\n")
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprintf("%v", v)
}
