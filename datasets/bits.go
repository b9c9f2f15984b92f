package datasets

import (
	"bytes"
	"fmt"
	"io"
)

// ReadBits reads a solution of n bits: the digits 0 and 1, an entry a line, parted by blanks or
// commas, or in one string. Lines that begin with # are comments.
func ReadBits(r io.Reader, name string, n int) ([]int8, error) {
	data, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = "bits"
	}
	x := make([]int8, 0, min(n, len(data)))
	at := 0
	for line := range bytes.Lines(data) {
		at++
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '#' {
			continue
		}
		for _, c := range string(line) {
			switch c {
			case '0', '1':
				x = append(x, int8(c-'0'))
			case ' ', '\t', ',':
			default:
				return nil, &SyntaxError{
					File: name, Line: at, Section: "bits", Want: "0 or 1", Found: string(c),
				}
			}
		}
	}
	if len(x) != n {
		return nil, &SyntaxError{
			File: name, Section: "bits", Want: fmt.Sprint(n, " of them"), Found: fmt.Sprint(len(x)),
		}
	}
	return x, nil
}
