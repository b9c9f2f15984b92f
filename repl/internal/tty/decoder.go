package tty

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	escapeWait = 50 * time.Millisecond  // after it a lone ESC is the Escape key
	pasteWait  = 500 * time.Millisecond // after it, a paste without an end is complete
	maxPaste   = 16 << 20               // bytes of one paste that are held back for its end
)

var (
	pasteStart = []byte("\x1b[200~")
	pasteEnd   = []byte("\x1b[201~")
)

// A decoder cuts the bytes of a terminal into keys. One read of a terminal may hold half a key or a
// hundred: a run of text is one key, each control byte and each escape sequence is one, and the
// lines of a bracketed paste are text and Enter. The result does not depend on how reads divided
// the bytes.
//
// The zero value is ready.
type decoder struct {
	tail  []byte    // what could not be decided yet
	at    time.Time // when the last byte came
	paste bool      // inside a bracketed paste
	keys  []key     // decided, in order
}

// push takes the bytes of one read made at time now.
func (d *decoder) push(b []byte, now time.Time) {
	d.tail = append(d.tail, b...)
	d.at = now
	d.split(now)
}

// next returns the next key, if there is one by time now.
func (d *decoder) next(now time.Time) (key, bool) {
	if len(d.keys) == 0 {
		d.split(now)
	}
	if len(d.keys) == 0 {
		return key{}, false
	}
	k := d.keys[0]
	d.keys = d.keys[1:]
	return k, true
}

// line removes and returns the text of a whole line that waits at the front,
// such as one of a paste of many. It is false if something else than plain text
// is in the way.
func (d *decoder) line() (string, bool) {
	var b strings.Builder
	for i, k := range d.keys {
		switch k.act {
		case actInsert:
			b.WriteString(k.text)
		case actEnter:
			d.keys = d.keys[i+1:]
			return b.String(), true
		default:
			return "", false
		}
	}
	return "", false
}

// rest removes all that waits and returns its text; keys that are no text are left out.
func (d *decoder) rest() string {
	d.split(d.at.Add(pasteWait)) // half a key and half a paste, too
	var b strings.Builder
	for _, k := range d.keys {
		switch k.act {
		case actInsert:
			b.WriteString(k.text)
		case actEnter:
			b.WriteByte('\n')
		}
	}
	*d = decoder{}
	return b.String()
}

// wait returns how long to wait for more bytes before next is asked again. It is negative if no key
// is incomplete.
func (d *decoder) wait(now time.Time) time.Duration {
	if len(d.tail) == 0 && !d.paste {
		return -1
	}
	limit := escapeWait
	if d.paste {
		limit = pasteWait
	}
	return max(0, d.at.Add(limit).Sub(now))
}

// add appends a key; text follows text as one key.
func (d *decoder) add(act action, text string, pasted bool) {
	if act == actNone || act == actInsert && text == "" {
		return
	}
	if n := len(d.keys) - 1; n >= 0 && act == actInsert && d.keys[n].act == actInsert {
		d.keys[n].text += text
		d.keys[n].pasted = d.keys[n].pasted || pasted
		return
	}
	d.keys = append(d.keys, key{act: act, text: text, pasted: pasted})
}

// split decides as much of the tail as can be decided at time now.
func (d *decoder) split(now time.Time) {
	for {
		var n int
		if d.paste {
			n = d.splitPaste(now)
		} else {
			n = d.splitKey(now)
		}
		if n == 0 {
			break
		}
		d.tail = d.tail[n:]
	}
	if len(d.tail) == 0 {
		d.tail = nil
	}
}

// splitPaste takes a paste once its end has come. It returns the number of
// bytes used up; none means that more must come first.
func (d *decoder) splitPaste(now time.Time) int {
	b := d.tail
	text, used := b, len(b)
	if i := bytes.Index(b, pasteEnd); i >= 0 {
		text, used = b[:i], i+len(pasteEnd)
	} else if len(b) < maxPaste && now.Sub(d.at) < pasteWait {
		return 0
	}
	d.paste = false
	s := strings.ReplaceAll(string(text), "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			d.add(actEnter, "", true)
		}
		d.add(actInsert, clean(line), true)
	}
	return used
}

// splitKey takes one key, or a run of text. It returns the number of bytes used
// up; none means that more must come first.
func (d *decoder) splitKey(now time.Time) int {
	b := d.tail
	late := now.Sub(d.at) >= escapeWait
	switch {
	case len(b) == 0:
		return 0
	case b[0] == 0x1b:
		n := escapeLen(b)
		if n == 0 {
			if !late {
				return 0
			}
			if len(b) == 1 {
				d.add(actCancel, "", false) // the Escape key
			}
			return len(b) // half a sequence: not text
		}
		d.escape(b[:n])
		return n
	case b[0] < 0x20:
		d.add(controlKeys[b[0]], "", false)
		return 1
	case b[0] == 0x7f:
		d.add(actBackspace, "", false)
		return 1
	}
	i := 0
	for i < len(b) && b[i] >= 0x20 && b[i] != 0x7f {
		if !utf8.FullRune(b[i:]) {
			if !late {
				break
			}
			d.add(actInsert, clean(string(b[:i])), false)
			return len(b) // the rest of the character never came
		}
		_, n := utf8.DecodeRune(b[i:])
		i += n
	}
	d.add(actInsert, clean(string(b[:i])), false)
	return i
}

// escape adds the key of a complete escape sequence.
func (d *decoder) escape(b []byte) {
	if len(b) == 1 {
		d.add(actCancel, "", false)
		return
	}
	switch b[1] {
	case 'O':
		d.add(finalKeys[b[2]], "", false)
	case '[':
		if bytes.Equal(b, pasteStart) {
			d.paste = true
			return
		}
		if len(b) < 3 {
			return // cut off by a byte that cannot be part of it
		}
		act, params := actNone, string(b[2:len(b)-1])
		first, modifier, _ := strings.Cut(params, ";")
		if final := b[len(b)-1]; final == '~' {
			act = tildeKeys[first]
		} else if first == "" || first == "1" {
			act = finalKeys[final]
		}
		if w, ok := wordKeys[act]; ok && modifier != "" && modifier != "2" { // 2 is Shift
			act = w
		}
		d.add(act, "", false)
	case '\r', '\n':
		d.add(actInsert, "\n", false) // Alt-Enter: a new line within the input
	default:
		d.add(altKeys[b[1]], "", false)
	}
}

// escapeLen returns the length of the escape sequence at the start of b, or 0 if its end has not
// come yet. It covers replies of the terminal (OSC, DCS, APC strings) completely, so that none of
// them gets into the line.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[':
		if len(b) > 2 && b[2] == '[' { // function keys of the Linux console
			if len(b) < 4 {
				return 0
			}
			return 4
		}
		for i := 2; i < len(b); i++ {
			switch {
			case b[i] >= 0x40 && b[i] <= 0x7e:
				return i + 1
			case b[i] < 0x20 || b[i] > 0x7e: // not a sequence after all
				return i
			}
		}
		return 0
	case 'O':
		if len(b) < 3 {
			return 0
		}
		return 3
	case ']', 'P', '_', '^', 'X':
		for i := 2; i < len(b); i++ {
			switch {
			case b[i] == 0x07:
				return i + 1
			case b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\':
				return i + 2
			}
		}
		return 0
	case 0x1b:
		return 1 // the first is the Escape key; the second starts the next one
	}
	return 2 // Alt and a byte
}

// clean prepares text for a line: tabs become four spaces, other control characters and invalid
// UTF-8 are removed.
func clean(s string) string {
	s = strings.ReplaceAll(s, "\t", tabText)
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}
