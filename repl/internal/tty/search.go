package tty

// maxFound is the number of entries a search of the history offers.
const maxFound = 100

// A search is an incremental search of the history (^R). Typed keys narrow it; the line that was
// being typed waits in saved.
type search struct {
	on    bool
	saved string // the line before
	pos   int    // and its cursor
}

// searchPrompt is the prompt while the history is searched.
const searchPrompt = "history: "

// startSearch begins a search; what is in the line is the first query.
func (e *editor) startSearch() {
	e.search = search{on: true, saved: e.line.String(), pos: e.line.pos}
	e.line.pos = len(e.line.text)
	e.narrow()
}

// narrow lists the entries that fit what is typed now.
func (e *editor) narrow() {
	e.popup.close()
	for _, found := range e.hist.find(e.line.String(), maxFound) {
		e.popup.list = append(e.popup.list, Suggestion{Text: found})
	}
	if e.popup.open() {
		e.popup.sel = 0
	}
}

// endSearch leaves the search with the line as text, the cursor at pos.
func (e *editor) endSearch(text string, pos int) {
	e.search = search{}
	e.popup.close()
	e.line.set(text, pos)
}

// searchKey carries out a key during a search.
func (e *editor) searchKey(k key) {
	switch k.act {
	case actSearch, actDown: // down the list, which is back in time
		e.stepSearch(1)
	case actSearchBack, actUp:
		e.stepSearch(-1)
	case actCancel, actEOF:
		e.endSearch(e.search.saved, e.search.pos)
	case actEnter, actTab, actRight, actEnd:
		text := e.search.saved
		if e.popup.sel >= 0 {
			text = e.popup.list[e.popup.sel].Text
		}
		e.endSearch(text, len([]rune(text)))
	default:
		if changed, _ := e.line.do(k); changed {
			e.narrow()
		}
	}
}

func (e *editor) stepSearch(by int) {
	if n := len(e.popup.list); n > 0 {
		e.popup.sel = min(max(e.popup.sel+by, 0), n-1)
	}
}
