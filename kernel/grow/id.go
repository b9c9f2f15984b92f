package grow

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// short returns a name of a folder for a build ID.
func short(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:8])
}

// mostBefore is how many bytes of a program that is no ELF lie at most before its build ID.
const mostBefore = 1 << 20

// buildID returns the build ID that the go command gave a program. It depends on all that the
// program was made of: sources, flags, and Go.
func buildID(path string) (string, error) {
	missing := fmt.Errorf("%s has no build ID of Go's", path)
	if f, err := elf.Open(path); err == nil {
		defer f.Close()
		s := f.Section(".note.go.buildid")
		if s == nil {
			return "", missing
		}
		b, err := s.Data()
		if err != nil || len(b) < 16 {
			return "", missing
		}
		// A note: the sizes of name and text, a type, the name "Go\0\0", the text.
		n := f.ByteOrder.Uint32(b[4:])
		if f.ByteOrder.Uint32(b) != 4 || int64(n) > int64(len(b)-16) || n == 0 {
			return "", missing
		}
		return string(b[16 : 16+n]), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, mostBefore))
	if err != nil {
		return "", err
	}
	_, rest, ok := bytes.Cut(b, []byte("\xff Go build ID: "))
	text, _, end := bytes.Cut(rest, []byte("\n \xff"))
	if !ok || !end {
		return "", missing
	}
	id, err := strconv.Unquote(string(text))
	if err != nil || id == "" {
		return "", errors.Join(missing, err)
	}
	return id, nil
}
