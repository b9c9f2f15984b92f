package tty

import (
	"strings"
	"time"
)

// DecodeKeys cuts chunks of bytes into keys. All chunks come at once; then the
// time for half sequences passes.
func DecodeKeys(chunks ...[]byte) []KeyForTest {
	var d decoder
	now := time.Unix(0, 0)
	for _, c := range chunks {
		d.push(c, now)
	}
	now = now.Add(time.Hour)
	var keys []KeyForTest
	for {
		k, ok := d.next(now)
		if !ok {
			return keys
		}
		if n := len(keys) - 1; n >= 0 && k.act == actInsert && keys[n].Act == int(actInsert) {
			keys[n].Text += k.text
			continue
		}
		keys = append(keys, KeyForTest{int(k.act), k.text})
	}
}

// KeyForTest is a key.
type KeyForTest struct {
	Act  int
	Text string
}

// Names of actions for tables.
const (
	ActInsert    = int(actInsert)
	ActEnter     = int(actEnter)
	ActInterrupt = int(actInterrupt)
	ActTab       = int(actTab)
	ActUp        = int(actUp)
	ActLeft      = int(actLeft)
	ActWordRight = int(actWordRight)
	ActHome      = int(actHome)
	ActEnd       = int(actEnd)
	ActDelete    = int(actDelete)
	ActBackspace = int(actBackspace)
	ActBackTab   = int(actBackTab)
	ActCancel    = int(actCancel)
	ActKillWord  = int(actKillWord)
	ActWordLeft  = int(actWordLeft)
	ActRight     = int(actRight)
	ActUndo      = int(actUndo)
	ActNone      = int(actNone)
	LastAct      = int(actClear)
)

// EditForTest is a line that keys act upon.
type EditForTest struct{ l line }

// Do carries out a key and returns the text and the cursor, in runes.
func (e *EditForTest) Do(act int, text string) (string, int) {
	e.l.do(key{act: action(act), text: text})
	return e.l.String(), e.l.pos
}

// View is what the screen shows for a text.
func View(text string, pos int) (string, int) { return view([]rune(text), pos) }

// Functions of a text alone.
var (
	Fit           = fit
	Clean         = clean
	OneLine       = oneLine
	EscapeEntry   = escapeEntry
	UnescapeEntry = unescapeEntry
	ParseHistory  = parseHistory
)

// LoadHistory and AppendHistory are the history file's.
func LoadHistory(path string) ([]string, error) { return historyFile{path: path}.load() }
func AppendHistory(path, entry string) error    { return historyFile{path: path}.append(entry) }
func HistoryFileLimits() (read, file, entry int) {
	return maxHistoryRead, maxHistoryFile, maxHistoryEntry
}

// FindHistory searches entries.
func FindHistory(entries []string, query string, limit int) []string {
	return newHistory(entries).find(query, limit)
}

// WriterForTest is a writer whose frames are kept.
type WriterForTest struct {
	*writer
	Sent []string
}

// NewWriterForTest returns a writer on a screen of 40 by 10.
func NewWriterForTest() *WriterForTest {
	w := &WriterForTest{}
	w.writer = newWriter(func(b []byte) error {
		w.Sent = append(w.Sent, string(b))
		return nil
	}, func() (int, int) { return 40, 10 })
	return w
}

// Begin, End, SetStatus, SetMark, SetChosen and AboveForTest reach the fields.
func (w *WriterForTest) Begin()             { w.begin() }
func (w *WriterForTest) End() error         { return w.end() }
func (w *WriterForTest) SetStatus(s string) { w.status = s }
func (w *WriterForTest) SetMark(s string)   { w.mark = s }
func (w *WriterForTest) SetMute(on bool)    { w.mute = on }
func (w *WriterForTest) Print(s string)     { _, _ = above{w.writer}.Write([]byte(s)) }

// Frame draws a frame as go-prompt does, BreakLine ends the line as it does.
func (w *WriterForTest) Frame(prefix, text string) {
	w.HideCursor()
	w.WriteStr(prefix)
	w.WriteStr(text)
	w.EraseDown()
	w.ShowCursor()
	_ = w.Flush()
}

// BreakLine ends a line as go-prompt does; the cursor is in the first row.
func (w *WriterForTest) BreakLine(prefix, text string) {
	w.EraseDown()
	w.WriteStr(prefix)
	w.WriteStr(text + "\n")
	_ = w.Flush()
}

// TakeSent returns what was sent since the last call.
func (w *WriterForTest) TakeSent() string {
	s := strings.Join(w.Sent, "")
	w.Sent = nil
	return s
}

// Sync waits until all that was captured is on the screen.
func (t *Terminal) Sync() {
	if t.capture != nil {
		t.capture.sync()
	}
}
