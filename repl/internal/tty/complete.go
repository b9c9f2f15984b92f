package tty

import (
	"strings"
	"unicode"
)

// maxList is the number of suggestions on the screen at a time.
const maxList = 8

// A popup is the list of suggestions below the line.
type popup struct {
	list []Suggestion
	from int    // rune of the line at which what the suggestions replace starts
	to   int    // and where it ended before one was chosen
	word []rune // what was typed there
	sel  int    // index in list of the one chosen, or -1
	top  int    // index of the first one shown
}

func (p *popup) open() bool { return len(p.list) > 0 }

func (p *popup) close() { *p = popup{sel: -1} }

// window returns the part of the list that fits in rows and which one of it is
// chosen, or -1.
func (p *popup) window(rows int) ([]Suggestion, int) {
	rows = min(rows, maxList, len(p.list))
	if rows <= 0 {
		return nil, -1
	}
	switch {
	case p.sel < 0:
		p.top = 0
	case p.sel < p.top:
		p.top = p.sel
	case p.sel >= p.top+rows:
		p.top = p.sel - rows + 1
	}
	p.top = min(p.top, len(p.list)-rows)
	return p.list[p.top : p.top+rows], max(-1, p.sel-p.top)
}

// ask fills the popup with suggestions for the present line.
func (e *editor) ask() {
	e.popup.close()
	if e.completer == nil {
		return
	}
	text, pos := e.prior+e.line.String(), len(e.prior)+e.line.offset()
	from, list := e.completer(text, pos)
	from = min(max(from, len(e.prior)), pos) // lines already entered stay as they are
	if len(list) == 0 {
		return
	}
	word := []rune(text[from:pos])
	e.popup = popup{list: list, from: e.line.pos - len(word), to: e.line.pos, word: word, sel: -1}
}

// suggest shows suggestions while the user types, where they help: at the end of a word that starts
// with a letter and is not yet complete. There are none at numbers, blanks and in the middle of a
// word.
func (e *editor) suggest() {
	e.popup.close()
	if e.tabOnly || e.completer == nil {
		return
	}
	p := e.line.pos
	if p == 0 || p < len(e.line.text) && !notWord(e.line.text[p]) ||
		unicode.IsSpace(e.line.text[p-1]) {
		return
	}
	if w := e.line.back(notWord); w == p || !unicode.IsLetter(e.line.text[w]) {
		return
	}
	e.ask()
	w := e.popup.word
	if len(w) == 0 || !unicode.IsLetter(w[0]) || len(e.popup.list) == 1 &&
		strings.TrimRight(e.popup.list[0].Text, " ") == string(w) {
		e.popup.close()
	}
}

// tabText is what a tab is in a line, typed or pasted.
const tabText = "    "

// tab completes: it inserts a single suggestion at once, and for several their common beginning;
// then each further Tab chooses the next one (step -1: the one before). Where no word begins there
// is nothing to complete: at the start of a later line of an input Tab indents it, and on an empty
// line the first Tab only shows the list. So code pasted without brackets stays unchanged.
func (e *editor) tab(step int) {
	if e.popup.sel >= 0 {
		e.choose(e.popup.sel + step)
		return
	}
	blank := strings.TrimSpace(string(e.line.text[:e.line.pos])) == ""
	if blank && e.prior != "" {
		e.popup.close()
		if step > 0 {
			e.line.do(key{act: actInsert, text: tabText})
		}
		return
	}
	shown := e.popup.open()
	e.ask()
	p := &e.popup
	if blank && !shown {
		return
	}
	switch len(p.list) {
	case 0:
		return
	case 1:
		e.choose(0)
		p.close()
		return
	}
	if common := []rune(commonPrefix(p.list)); len(common) > len(p.word) &&
		strings.HasPrefix(string(common), string(p.word)) {
		e.line.replace(p.from, p.to, common)
		p.to, p.word = e.line.pos, common
		return
	}
	if step > 0 {
		e.choose(0)
	} else {
		e.choose(len(p.list) - 1)
	}
}

// choose puts suggestion i into the line; before the first and after the last comes the typed text.
func (e *editor) choose(i int) {
	p := &e.popup
	if n := len(p.list); i < -1 {
		i = n - 1
	} else if i >= n {
		i = -1
	}
	with := p.word
	if i >= 0 {
		with = []rune(p.list[i].Text)
	}
	e.line.replace(p.from, p.to, with)
	p.sel, p.to = i, e.line.pos
}

// commonPrefix returns what the texts of all suggestions start with.
func commonPrefix(list []Suggestion) string {
	common := []rune(list[0].Text)
	for _, s := range list[1:] {
		text := []rune(s.Text)
		n := 0
		for n < len(common) && n < len(text) && common[n] == text[n] {
			n++
		}
		common = common[:n]
	}
	return string(common)
}
