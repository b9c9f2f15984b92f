package record

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
)

// An Appender ends each line with a checksum of the text before it, in a last field "crc32c".
// Programs append to a file for hours, and a crash of the machine may leave it in any state; the
// checksum locates the damage. Lines without one are accepted as they are.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealHead is what the seal begins with; eight hexadecimal digits and sealTail follow.
const (
	sealHead = `,"crc32c":"`
	sealTail = `"}`
	sealSize = len(sealHead) + 8 + len(sealTail)
)

// seal puts the checksum into a line, which ends in "}" and a newline.
func seal(line []byte) []byte {
	body := bytes.TrimSuffix(line, []byte("}\n"))
	sum := crc32.Checksum(body, castagnoli)
	return append(fmt.Appendf(append(body, sealHead...), "%08x", sum), sealTail+"\n"...)
}

// sealed reports whether a line has a checksum.
func sealed(line []byte) bool {
	at := len(line) - sealSize
	return at > 0 && bytes.HasSuffix(line, []byte(sealTail)) &&
		bytes.HasPrefix(line[at:], []byte(sealHead))
}

// checkSeal compares a line with its checksum, where it has one.
func checkSeal(line []byte) error {
	if !sealed(line) {
		return nil
	}
	at := len(line) - sealSize
	var want [8]byte
	sum := crc32.Checksum(line[:at], castagnoli)
	for i := range want {
		want[i] = "0123456789abcdef"[sum>>(28-4*i)&15]
	}
	if !bytes.Equal(want[:], line[at+len(sealHead):len(line)-len(sealTail)]) {
		return errors.New("it is not as it was written: its checksum differs")
	}
	return nil
}
