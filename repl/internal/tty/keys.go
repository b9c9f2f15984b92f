package tty

// An action is what a key asks of the editor.
type action uint8

// The actions. Keys that mean nothing here become no action at all and are
// dropped: inserting them as text is what wrecks a line after an unknown key.
const (
	actNone         action = iota
	actInsert              // insert key.text
	actEnter               // the line is done
	actInterrupt           // ^C
	actEOF                 // ^D: leave on an empty line, else delete
	actSuspend             // ^Z
	actTab                 // complete, or the next suggestion
	actBackTab             // the previous suggestion
	actUp                  // older
	actDown                // newer
	actLeft                // one character left
	actRight               // one character right
	actWordLeft            // one word left
	actWordRight           // one word right
	actHome                // start of the line
	actEnd                 // end of the line
	actBackspace           // delete before the cursor
	actDelete              // delete under the cursor
	actKillEnd             // cut to the end
	actKillStart           // cut to the start
	actKillBlank           // cut the word before the cursor, up to a blank
	actKillWordBack        // cut the word before the cursor, up to a punctuation
	actKillWord            // cut the word after the cursor
	actYank                // paste what was cut last
	actTranspose           // swap the two characters before the cursor
	actUndo                // take back the last change
	actSearch              // search the history
	actSearchBack          // go back in the search
	actCancel              // leave the search or the suggestions
	actClear               // clear the screen
)

// A key is one keystroke, or a run of text typed or pasted in one go.
type key struct {
	act    action
	text   string // of actInsert; never empty, without control characters
	pasted bool   // it came from a bracketed paste
}

// controlKeys are the actions of the bytes below 0x20, as in the Emacs mode of
// most shells.
var controlKeys = [0x20]action{
	0x01: actHome,
	0x02: actLeft,
	0x03: actInterrupt,
	0x04: actEOF,
	0x05: actEnd,
	0x06: actRight,
	0x07: actCancel,
	0x08: actBackspace,
	0x09: actTab,
	0x0a: actEnter,
	0x0b: actKillEnd,
	0x0c: actClear,
	0x0d: actEnter,
	0x0e: actDown,
	0x10: actUp,
	0x12: actSearch,
	0x13: actSearchBack,
	0x14: actTranspose,
	0x15: actKillStart,
	0x17: actKillBlank,
	0x19: actYank,
	0x1a: actSuspend,
	0x1f: actUndo,
}

// altKeys are the actions of Alt (or Escape) and a byte.
var altKeys = map[byte]action{
	'b':  actWordLeft,
	'f':  actWordRight,
	'd':  actKillWord,
	0x7f: actKillWordBack,
	0x08: actKillWordBack,
}

// finalKeys are the actions of the sequences ESC [ x and ESC O x.
var finalKeys = map[byte]action{
	'A': actUp,
	'B': actDown,
	'C': actRight,
	'D': actLeft,
	'F': actEnd,
	'H': actHome,
	'Z': actBackTab,
}

// tildeKeys are the actions of the sequences ESC [ n ~.
var tildeKeys = map[string]action{
	"1": actHome,
	"3": actDelete,
	"4": actEnd,
	"7": actHome,
	"8": actEnd,
}

// wordKeys is what an action becomes with Ctrl or Alt held.
var wordKeys = map[action]action{
	actLeft:   actWordLeft,
	actRight:  actWordRight,
	actDelete: actKillWord,
}
