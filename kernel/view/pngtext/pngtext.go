// Package pngtext puts a text into a PNG: pictures of the documentation hold what is to be read in
// them, so that a test notices when what they show has changed.
package pngtext

import (
	"encoding/binary"
	"hash/crc32"
	"strings"
)

// textKind is a chunk of a PNG that holds text in UTF-8.
const (
	textKind = "iTXt"
	textHead = "Description\x00\x00\x00\x00\x00"
)

// With puts a text into a PNG, behind its head.
func With(b []byte, text string) []byte {
	const head = 8 + 4 + 4 + 13 + 4
	body := append([]byte(textKind+textHead), text...)
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)-len(textKind)))
	chunk = append(chunk, body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(body))
	return append(append(append([]byte{}, b[:head]...), chunk...), b[head:]...)
}

// In is the text that With has put into a PNG; empty where there is none.
func In(b []byte) string {
	for at := 8; at+12 <= len(b); {
		n := int(binary.BigEndian.Uint32(b[at:]))
		if string(b[at+4:at+8]) == textKind && at+8+n <= len(b) {
			return strings.TrimPrefix(string(b[at+8:at+8+n]), textHead)
		}
		at += 12 + n
	}
	return ""
}
