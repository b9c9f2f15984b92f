package wire

import "strconv"

// Terminals show the answers of a host: names of files and instances, messages of errors, output of
// users' solvers. On arrival, all control characters in them become visible text, such as \x1b, so
// that none of them can have an effect.

// tame writes out the control characters in the texts of a JSON message, but for new lines and
// tabs. Pictures, which have some of their own, are bytes in base64 and stay as they are.
func tame(msg []byte) []byte {
	at := wildFrom(msg, 0)
	if at == len(msg) {
		return msg
	}
	out := append(make([]byte, 0, len(msg)+64), msg[:at]...)
	for at < len(msg) {
		c, n := wild(msg[at:])
		switch {
		case n == 1 && c < 0x20: // between texts, or where JSON has none
			out = append(out, ' ')
		case c < 0x10:
			out = append(out, `\\x0`...)
			out = strconv.AppendUint(out, uint64(c), 16)
		default:
			out = append(out, `\\x`...)
			out = strconv.AppendUint(out, uint64(c), 16)
		}
		at += n
		next := wildFrom(msg, at)
		out = append(out, msg[at:next]...)
		at = next
	}
	return out
}

// wildFrom is where the next control character is in a message from at on; its length when
// there is none.
func wildFrom(msg []byte, at int) int {
	for at < len(msg) {
		switch b := msg[at]; {
		case b == '\\':
			if _, n := wild(msg[at:]); n > 0 {
				return at
			}
			at += 2 // also of an escaped backslash, which begins nothing
		case b < 0x20, b == 0x7f, b == 0xc2:
			if _, n := wild(msg[at:]); n > 0 {
				return at
			}
			at++
		default:
			at++
		}
	}
	return len(msg)
}

// wild reads a control character at the beginning of a message, as it stands there or is
// written in JSON, and how many bytes that takes; none when there is another one.
func wild(msg []byte) (c byte, n int) {
	switch b := msg[0]; {
	case b < 0x20 || b == 0x7f:
		return b, 1
	case b == 0xc2:
		if len(msg) > 1 && msg[1] >= 0x80 && msg[1] < 0xa0 {
			return msg[1], 2
		}
	case b == '\\' && len(msg) > 1:
		switch msg[1] {
		case 'b':
			return '\b', 2
		case 'f':
			return '\f', 2
		case 'r':
			return '\r', 2
		case 'u':
			if len(msg) < 6 || msg[2] != '0' || msg[3] != '0' {
				return 0, 0
			}
			v, err := strconv.ParseUint(string(msg[4:6]), 16, 8)
			if err == nil && (v < 0x20 && v != '\n' && v != '\t' || v >= 0x7f && v < 0xa0) {
				return byte(v), 6
			}
		}
	}
	return 0, 0
}
