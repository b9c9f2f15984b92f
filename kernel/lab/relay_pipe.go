package lab

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// GoNB passes messages between a cell and the page: a value for an address each, through the
// pipe that pictures take, and back through another one. As in display, the few messages are
// written and read here, without GoNB's package and encoding/gob.

// The numbers of the types of messages between cell and page.
const (
	gobSubscription = 1 << 21
	gobComm         = 1<<21 + 1
)

const (
	gonbValue     = "github.com/janpfeifer/gonb/gonbui/protocol.CommValue"
	gonbSubscribe = "github.com/janpfeifer/gonb/gonbui/protocol.CommSubscription"
)

// relayPipe is the connection to the pages of the notebook.
type relayPipe struct {
	ask, told string // addresses
	back      *os.File
}

// openRelay begins to listen to pages of a session.
func openRelay(session string) (*relayPipe, error) {
	// GoNB opens its end for writing at the start of the cell; so this does not wait.
	back, err := os.OpenFile(os.Getenv("GONB_PIPE_BACK"), os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	p := &relayPipe{
		ask: "/metalab/" + session + "/ask", told: "/metalab/" + session + "/say",
		back: back,
	}
	pipe.Lock()
	defer pipe.Unlock()
	if err := openPipe(); err != nil {
		back.Close()
		return nil, err
	}
	b := gobRelayTypes()
	b = append(b, gobRelay("gonb/comm_subscribe", gonbSubscribe, gobSubscription,
		gobText([]byte{1}, p.ask))...)
	if _, err := pipe.file.Write(b); err != nil {
		back.Close()
		return nil, err
	}
	return p, nil
}

func (p *relayPipe) close() { p.back.Close() }

// say sends a message to all pages.
func (p *relayPipe) say(m relaySay) {
	b, err := json.Marshal(m)
	if err != nil {
		return // of types that cannot fail
	}
	pipe.Lock()
	defer pipe.Unlock()
	if pipe.bad {
		return
	}
	if _, err := pipe.file.Write(gobRelay("gonb/comm_value", gonbValue, gobComm,
		gobCommFields(p.told, string(b)))); err != nil {
		pipe.bad = true
	}
	if m.Bye {
		drained(pipe.file)
	}
}

// read passes on what pages ask until ctx ends or GoNB closes its end.
func (p *relayPipe) read(ctx context.Context, asked chan<- relayAsk) {
	stop := context.AfterFunc(ctx, func() { p.back.Close() })
	defer stop()
	r := bufio.NewReader(p.back)
	for {
		m, err := gobRead(r)
		if err != nil {
			return
		}
		address, text, ok := gobCommText(m)
		var q relayAsk
		if !ok || address != p.ask || json.Unmarshal([]byte(text), &q) != nil {
			continue
		}
		select {
		case asked <- q:
		case <-ctx.Done():
			return
		}
	}
}

// gobRelayTypes defines the types of subscriptions and values.
func gobRelayTypes() []byte {
	field := func(b []byte, name string, kind int64) []byte {
		return append(gobInt(append(gobText(append(b, 1), name), 1), kind), 0)
	}
	s := append(gobNamed(gobSubscription, 3, "CommSubscription"), 1, 2)
	s = field(field(s, "Address", gobString), "Unsubscribe", 1)
	v := append(gobNamed(gobComm, 3, "CommValue"), 1, 3)
	v = field(field(field(v, "Address", gobString), "Request", 1), "Value", gobInterface)
	return append(gobMessage(append(s, 0, 0)), gobMessage(append(v, 0, 0))...)
}

// gobRelay is a message of what is shown that holds a struct of a registered type.
func gobRelay(kind, name string, id int64, fields []byte) []byte {
	b := append(gobInt(nil, gobData), 1, 1) // Data, of one entry
	b = gobInt(gobText(gobText(b, kind), name), id)
	v := append(fields, 0)
	b = append(gobUint(b, uint64(len(v))), v...)
	return gobMessage(append(b, 0))
}

// gobCommFields are the fields of a text for an address.
func gobCommFields(address, text string) []byte {
	b := append(gobText([]byte{1}, address), 2) // Address, and two further on Value
	b = gobInt(gobText(b, "string"), gobString)
	v := gobText([]byte{0}, text)
	return append(gobUint(b, uint64(len(v))), v...)
}

// maxRelay bounds a message of a page, in bytes.
const maxRelay = 1 << 20

var errGob = errors.New("lab: Relay: the kernel's message is not understood")

// gobRead reads a message.
func gobRead(r *bufio.Reader) ([]byte, error) {
	n, err := gobNumber(r)
	if err != nil {
		return nil, err
	}
	if n > maxRelay {
		return nil, fmt.Errorf("%w: %d bytes", errGob, n)
	}
	b := make([]byte, n)
	_, err = io.ReadFull(r, b)
	return b, err
}

// gobNumber reads an unsigned number.
func gobNumber(r io.ByteReader) (uint64, error) {
	c, err := r.ReadByte()
	if err != nil || c < 128 {
		return uint64(c), err
	}
	n := -int(int8(c))
	if n > 8 {
		return 0, errGob
	}
	var x uint64
	for range n {
		if c, err = r.ReadByte(); err != nil {
			return 0, err
		}
		x = x<<8 | uint64(c)
	}
	return x, nil
}

// gobCursor reads the inside of a message.
type gobCursor struct {
	b   []byte
	bad bool
}

// ReadByte returns the next byte.
func (c *gobCursor) ReadByte() (byte, error) {
	if len(c.b) == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	x := c.b[0]
	c.b = c.b[1:]
	return x, nil
}

func (c *gobCursor) number() uint64 {
	x, err := gobNumber(c)
	c.bad = c.bad || err != nil
	return x
}

func (c *gobCursor) signed() int64 {
	x := c.number()
	if x&1 != 0 {
		return ^int64(x >> 1)
	}
	return int64(x >> 1)
}

func (c *gobCursor) text() string {
	n := c.number()
	if c.bad || n > uint64(len(c.b)) {
		c.bad = true
		return ""
	}
	s := string(c.b[:n])
	c.b = c.b[n:]
	return s
}

// gobCommText reads the address and the value of a message to the cell, where the value is a
// text. Definitions of types and other values are none.
func gobCommText(m []byte) (address, text string, ok bool) {
	c := gobCursor{b: m}
	if c.signed() < 0 || c.bad {
		return "", "", false // a definition
	}
	for field := uint64(0); !c.bad; {
		d := c.number()
		if d == 0 {
			break
		}
		switch field += d; field {
		case 1:
			address = c.text()
		case 2:
			c.number()
		case 3:
			kind := c.text()
			if kind != "string" {
				return address, "", false
			}
			id, n := c.signed(), c.number()
			zero, err := c.ReadByte()
			if id != gobString || n == 0 || zero != 0 || err != nil {
				return address, "", false
			}
			text, ok = c.text(), true
		default:
			return address, "", false
		}
	}
	return address, text, ok && !c.bad
}
