package prompt

import (
	"os"
	"time"

	"metalab/kernel/view"

	"golang.org/x/term"
)

// askPatience is how long the terminal may take to say which pictures it can show: so short that
// the user does not wait for a silent one. The reader of keys ignores a later answer.
const askPatience = 100 * time.Millisecond

// askTerminal asks the terminal which pictures it can show, if the environment does not say it. It
// is called before anything reads keys. Keys pressed meanwhile are lost, so it asks only if the
// answer matters, and ends as soon as the answer is there.
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
	// Not Fd(), which would make reads block without a deadline.
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
