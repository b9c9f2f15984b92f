package tty

// An outcome is why the editing of a line ended.
type outcome uint8

const (
	outNone      outcome = iota
	outEnter             // the line is done
	outEOF               // ^D on an empty line
	outInterrupt         // ^C, or SIGINT from elsewhere
	outSuspend           // ^Z
	outRedraw            // the window changed, or the process was continued: go on at once
	outCancel            // the context of ReadLine ended
	outClosed            // Close was called
	outSignal            // a signal asks the process to end
	outHangup            // the terminal has gone
	outPanic             // a callback panicked
)

// An editor holds all that a key can change: the line, the suggestions, the
// place in the history. It does no input and no output.
type editor struct {
	line      line
	prior     string // the lines of a multi-line input before this one, each with its newline
	popup     popup
	search    search
	hist      *history
	completer Completer
	tabOnly   bool
}

func newEditor(hist *history, completer Completer, tabOnly bool) *editor {
	e := &editor{hist: hist, completer: completer, tabOnly: tabOnly}
	e.popup.close()
	return e
}

// finish prepares the editor for the next line.
func (e *editor) finish() {
	e.line.reset()
	e.search = search{}
	e.popup.close()
	e.hist.rewind()
}

// ends tells whether a key ends the editing, and how. Otherwise the key is for
// handle.
func (e *editor) ends(k key) outcome {
	switch k.act {
	case actInterrupt:
		return outInterrupt
	case actSuspend:
		return outSuspend
	case actEnter:
		if !e.search.on {
			e.popup.close() // a suggestion chosen is in the line already
			return outEnter
		}
	case actEOF:
		if !e.search.on && len(e.line.text) == 0 {
			e.popup.close()
			return outEOF
		}
	}
	return outNone
}

// handle carries out a key.
func (e *editor) handle(k key) {
	if e.search.on {
		e.searchKey(k)
		return
	}
	switch k.act {
	case actTab:
		e.tab(1)
	case actBackTab:
		e.tab(-1)
	case actSearch, actSearchBack:
		e.startSearch()
	case actCancel:
		if e.popup.sel >= 0 {
			e.choose(-1)
		}
		e.popup.close()
	case actUp:
		if e.popup.sel >= 0 {
			e.choose(e.popup.sel - 1)
			return
		}
		e.popup.close()
		if text, ok := e.hist.older(e.line.String()); ok {
			e.line.set(text, len(text))
		}
	case actDown:
		if e.popup.sel >= 0 {
			e.choose(e.popup.sel + 1)
			return
		}
		e.popup.close()
		if text, ok := e.hist.newer(); ok {
			e.line.set(text, len(text))
		}
	default:
		changed, _ := e.line.do(k)
		if changed && !k.pasted && (k.act == actInsert || k.act == actBackspace) {
			e.suggest()
		} else {
			e.popup.close()
		}
	}
}
