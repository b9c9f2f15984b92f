package tty

import (
	"slices"
	"unicode"
)

const maxUndo = 200 // number of changes that can be undone

// A line is the text being typed, with its cursor. It knows nothing of a
// terminal; go-prompt's own buffer only mirrors it (see view).
type line struct {
	text []rune
	pos  int      // of the cursor, 0..len(text)
	cut  []rune   // what was cut last
	past []change // to undo, the newest last
}

type change struct {
	text []rune
	pos  int
}

func (l *line) String() string { return string(l.text) }

// offset returns the cursor's place in String, in bytes.
func (l *line) offset() int { return len(string(l.text[:l.pos])) }

// set replaces text and cursor, which can be undone.
func (l *line) set(text string, pos int) {
	l.save()
	l.text = []rune(text)
	l.pos = min(max(pos, 0), len(l.text))
}

// reset empties the line and forgets its changes, but not what was cut.
func (l *line) reset() { l.text, l.pos, l.past = nil, 0, nil }

func (l *line) save() {
	if n := len(l.past); n > 0 && slices.Equal(l.past[n-1].text, l.text) {
		return
	}
	if len(l.past) >= maxUndo {
		l.past = slices.Delete(l.past, 0, 1)
	}
	l.past = append(l.past, change{slices.Clone(l.text), l.pos})
}

// replace puts with in the place of text[from:to], the cursor behind it.
func (l *line) replace(from, to int, with []rune) {
	l.save()
	l.text = slices.Concat(l.text[:from], with, l.text[to:])
	l.pos = from + len(with)
}

// kill removes text[from:to] and keeps it for a yank.
func (l *line) kill(from, to int) {
	if from < to {
		l.cut = slices.Clone(l.text[from:to])
		l.replace(from, to, nil)
	}
}

// do carries out an action of editing. It tells whether the text changed and
// whether the action was one of editing at all.
func (l *line) do(k key) (changed, known bool) {
	n := len(l.text)
	switch k.act {
	case actInsert:
		l.replace(l.pos, l.pos, []rune(k.text))
		return true, true
	case actLeft:
		l.pos = max(0, l.pos-1)
	case actRight:
		l.pos = min(n, l.pos+1)
	case actWordLeft:
		l.pos = l.back(notWord)
	case actWordRight:
		l.pos = l.ahead()
	case actHome:
		l.pos = 0
	case actEnd:
		l.pos = n
	case actBackspace:
		if l.pos > 0 {
			l.replace(l.pos-1, l.pos, nil)
		}
	case actDelete, actEOF:
		if l.pos < n {
			l.replace(l.pos, l.pos+1, nil)
		}
	case actKillEnd:
		l.kill(l.pos, n)
	case actKillStart:
		l.kill(0, l.pos)
	case actKillBlank:
		l.kill(l.back(unicode.IsSpace), l.pos)
	case actKillWordBack:
		l.kill(l.back(notWord), l.pos)
	case actKillWord:
		from := l.pos
		l.kill(from, l.ahead())
	case actYank:
		if len(l.cut) > 0 {
			l.replace(l.pos, l.pos, l.cut)
		}
	case actTranspose:
		if p := min(l.pos, n-1); p > 0 {
			l.replace(p-1, p+1, []rune{l.text[p], l.text[p-1]})
		}
	case actUndo:
		if m := len(l.past); m > 0 {
			l.text, l.pos = l.past[m-1].text, l.past[m-1].pos
			l.past = l.past[:m-1]
			return true, true
		}
	default:
		return false, false
	}
	return len(l.text) != n || k.act == actTranspose, true
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

// back returns where the word before the cursor starts.
func (l *line) back(gap func(rune) bool) int {
	p := l.pos
	for p > 0 && gap(l.text[p-1]) {
		p--
	}
	for p > 0 && !gap(l.text[p-1]) {
		p--
	}
	return p
}

// ahead returns where the word at or after the cursor ends.
func (l *line) ahead() int {
	p := l.pos
	for p < len(l.text) && notWord(l.text[p]) {
		p++
	}
	for p < len(l.text) && !notWord(l.text[p]) {
		p++
	}
	return p
}
