package lab

import (
	"errors"
	"os"
	"sync"
	"time"

	"metalab/kernel/lab/front"
)

// GoNB gives each cell a named pipe, into which gonbui, GoNB's own package, writes what the
// cell shows, in the encoding of encoding/gob. Cells are linked each time they run, so the
// few messages that lab needs are written here without either package. They may be mixed
// with gonbui's in one cell: the types below have numbers that gob will not give to
// another.

// A mime is one form of what is shown.
type mime struct {
	kind, text string
	pixels     *pixels // of a picture
}

// pixels say how wide and high a page shows a picture, in its own pixels, and what is seen.
type pixels struct {
	wide, high int64
	words      string
}

func htmlForm(html string) mime { return mime{kind: "text/html", text: html} }
func textForm(text string) mime { return mime{kind: "text/plain", text: text} }

var pipe struct {
	sync.Mutex
	file  *os.File
	bad   bool   // it broke: only text is shown from now on
	pings uint64 // sent so far
}

// drainLimit is how long display waits for GoNB to read its message.
const drainLimit = 5 * time.Second

// display shows something in the cell's output, in the first of its forms that the page, the
// notebook's file or its reader knows. It replaces what an earlier call showed under the same id.
// It returns when GoNB has passed it on, so that a cell that ends then loses nothing; false means
// that it could not be shown. Earlier output of the cell stays above it: GoNB reads that from
// another pipe, and has read it first.
func display(id string, forms ...mime) bool {
	if show := front.Get().Display; show != nil {
		return show(id, byMedia(forms), aboutMedia(forms))
	}
	pipe.Lock()
	defer pipe.Unlock()
	if openPipe() != nil {
		return false
	}
	drained(os.Stdout)
	drained(os.Stderr)
	// GoNB takes one message, passes it on, and takes the next. So when a message that
	// was sent after the first had left the pipe has left it too, the first was passed
	// on. The second defines a type that nothing has.
	if _, err := pipe.file.Write(gobDisplay(id, forms)); err != nil {
		pipe.bad = true
		return false
	}
	drained(pipe.file)
	pipe.pings++
	if _, err := pipe.file.Write(gobPing(pipe.pings)); err != nil {
		pipe.bad = true
		return false
	}
	drained(pipe.file)
	return true
}

// byMedia are forms by media type.
func byMedia(forms []mime) map[string]any {
	m := map[string]any{}
	for _, f := range forms {
		m[f.kind] = f.text
	}
	return m
}

// aboutMedia returns the metadata of forms for a page, by media type.
func aboutMedia(forms []mime) map[string]any {
	m := map[string]any{}
	for _, f := range forms {
		if p := f.pixels; p != nil {
			m[f.kind] = map[string]any{"width": p.wide, "height": p.high, "alt": p.words}
		}
	}
	return m
}

// errPipe says that the pipe cannot be written.
var errPipe = errors.New("lab: the pipe to the kernel is broken")

// openPipe opens the pipe at the first need; the caller holds its lock.
func openPipe() error {
	if pipe.bad || pipe.file != nil {
		if pipe.bad {
			return errPipe
		}
		return nil
	}
	f, err := os.OpenFile(os.Getenv("GONB_PIPE"), os.O_WRONLY, 0)
	if err == nil {
		pipe.file = f
		_, err = f.Write(gobTypes())
	}
	pipe.bad = err != nil
	return err
}

// drained waits until the reader of a pipe has taken all of it.
func drained(f *os.File) {
	end := time.Now().Add(drainLimit)
	for wait := 20 * time.Microsecond; time.Now().Before(end); wait = min(2*wait, 5*time.Millisecond) {
		if n, ok := unread(f); !ok || n == 0 {
			return
		}
		time.Sleep(wait)
	}
}

// The numbers of types in the messages. gob counts up from 64.
const (
	gobSigned    = 2
	gobString    = 6
	gobInterface = 8
	gobData      = 1 << 20
	gobMap       = 1<<20 + 1
	gobPings     = 1<<20 + 2
)

// gobUint writes a number as gob does: below 128 as a byte, else the count of its bytes,
// negated, and the bytes.
func gobUint(b []byte, x uint64) []byte {
	if x < 128 {
		return append(b, byte(x))
	}
	n := 8
	for x>>(8*(n-1)) == 0 {
		n--
	}
	b = append(b, byte(-n))
	for i := n - 1; i >= 0; i-- {
		b = append(b, byte(x>>(8*i)))
	}
	return b
}

// gobInt writes a signed number: the sign in the lowest bit.
func gobInt(b []byte, x int64) []byte {
	if x < 0 {
		return gobUint(b, uint64(^x)<<1|1)
	}
	return gobUint(b, uint64(x)<<1)
}

func gobText(b []byte, s string) []byte { return append(gobUint(b, uint64(len(s))), s...) }

// gobMessage frames a message.
func gobMessage(b []byte) []byte { return append(gobUint(nil, uint64(len(b))), b...) }

// gobNamed begins the definition of a type: which kind of definition it is, name, number.
func gobNamed(id int64, kind byte, name string) []byte {
	b := append(gobInt(nil, -id), kind, 1, 1)
	return append(gobInt(append(gobText(b, name), 1), id), 0)
}

// gobTypes defines the type of what is shown: a struct of Data and Metadata, by media type, and
// DisplayID.
func gobTypes() []byte {
	s := append(gobNamed(gobData, 3, "DisplayData"), 1, 3)
	s = append(gobInt(append(gobText(append(s, 1), "Data"), 1), gobMap), 0)
	s = append(gobInt(append(gobText(append(s, 1), "Metadata"), 1), gobMap), 0)
	s = append(gobInt(append(gobText(append(s, 1), "DisplayID"), 1), gobString), 0)
	s = append(s, 0, 0)
	m := gobInt(append(gobNamed(gobMap, 4, "forms"), 1), gobString)
	m = append(gobInt(append(m, 1), gobInterface), 0, 0)
	return append(gobMessage(s), gobMessage(m)...)
}

// gobDisplay is the message that shows forms.
func gobDisplay(id string, forms []mime) []byte {
	b := append(gobInt(nil, gobData), 1)
	b = gobUint(b, uint64(len(forms)))
	field := byte(2) // from Data to DisplayID
	var about []byte
	pictures := uint64(0)
	for _, f := range forms {
		b = gobAny(gobText(b, f.kind), "string", gobString, gobText(nil, f.text))
		if p := f.pixels; p != nil {
			m := gobUint(nil, 3)
			m = gobAny(gobText(m, "width"), "int", gobSigned, gobInt(nil, p.wide))
			m = gobAny(gobText(m, "height"), "int", gobSigned, gobInt(nil, p.high))
			m = gobAny(gobText(m, "alt"), "string", gobString, gobText(nil, p.words))
			about = gobAny(gobText(about, f.kind), "map[string]interface {}", gobMap, m)
			pictures++
		}
	}
	if pictures > 0 {
		b = append(gobUint(append(b, 1), pictures), about...)
		field = 1
	}
	if id != "" {
		b = gobText(append(b, field), id)
	}
	return gobMessage(append(b, 0))
}

// gobAny writes a value of any type: the type's name and number, and the value, in which a zero
// stands before what is no struct.
func gobAny(b []byte, name string, id int64, value []byte) []byte {
	b = gobInt(gobText(b, name), id)
	b = gobUint(b, uint64(len(value)+1))
	return append(append(b, 0), value...)
}

// gobPing is a message without effect: the definition of an n-th type that is never used.
func gobPing(n uint64) []byte {
	b := gobInt(append(gobNamed(gobPings+int64(n), 2, "ping"), 1), gobString)
	return gobMessage(append(b, 0, 0))
}
