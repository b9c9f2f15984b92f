package main

import (
	"os"
	"time"

	"metalab/kernel/view"

	"golang.org/x/term"
)

// askPatience is how long the terminal may take to say what pictures it shows: so short
// that a silent one does not keep anybody waiting. An answer that comes later is passed
// over by the reader of keys.
const askPatience = 100 * time.Millisecond

// askTerminal asks the terminal what pictures it shows, where its environment does not
// tell. It is called before anything reads keys; keys that are pressed meanwhile are
// lost, so it asks only where an answer can change something, and ends with the answer.
func askTerminal() view.Reply {
	var none view.Reply
	if !view.Asks(os.Getenv, true) {
		return none
	}
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return none
	}
	defer f.Close()
	// Not Fd(), which would make reads wait without a deadline.
	raw, err := f.SyscallConn()
	if err != nil {
		return none
	}
	var old *term.State
	if cerr := raw.Control(func(fd uintptr) { old, err = term.MakeRaw(int(fd)) }); cerr != nil ||
		err != nil {
		return none
	}
	defer raw.Control(func(fd uintptr) { _ = term.Restore(int(fd), old) })
	if f.SetReadDeadline(time.Now().Add(askPatience)) != nil {
		return none // a terminal that cannot be polled here is not asked
	}
	if _, err := f.WriteString(view.Query()); err != nil {
		return none
	}
	var got []byte
	b := make([]byte, 256)
	for {
		n, err := f.Read(b)
		got = append(got, b[:n]...)
		if r, _ := view.ParseReply(got); r.Done || err != nil {
			return r
		}
	}
}
