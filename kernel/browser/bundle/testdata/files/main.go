// Command files does to the files of a page what metalab does: it prints what it finds.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

func main() {
	say := func(what string, args ...any) { fmt.Println(append([]any{what + ":"}, args...)...) }
	must := func(err error) {
		if err != nil {
			say("error", err)
		}
	}
	must(os.WriteFile("a.txt", []byte("one\n"), 0o640))
	b, err := os.ReadFile("/files/a.txt")
	say("read", string(b) == "one\n", err)

	f, err := os.OpenFile("a.txt", os.O_APPEND|os.O_WRONLY, 0)
	must(err)
	_, err = f.WriteString(strings.Repeat("two\n", 1000))
	must(err)
	must(f.Sync())
	st, err := f.Stat()
	say("appended", st.Size(), st.Mode(), st.ModTime().Year() > 2000, err)
	must(f.Truncate(10))
	must(f.Close())
	b, _ = os.ReadFile("a.txt")
	say("cut", fmt.Sprintf("%q", b))

	_, err = f.Write(b)
	say("closed", errors.Is(err, os.ErrClosed))
	_, err = os.ReadFile("none")
	say("none", errors.Is(err, fs.ErrNotExist), err)
	_, err = os.OpenFile("a.txt", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	say("there", errors.Is(err, fs.ErrExist))
	_, err = os.ReadFile("a.txt/b")
	say("no folder", err)

	must(os.MkdirAll("deep/down", 0o755))
	must(os.Rename("a.txt", "deep/down/b.txt"))
	must(os.WriteFile("deep/c.txt", nil, 0o600))
	must(os.WriteFile("gone.txt", nil, 0o600))
	must(os.Remove("gone.txt"))
	entries, err := os.ReadDir("deep")
	say("list", entries, err)
	say("not empty", os.Remove("deep") != nil)
	_, err = os.Stat("a.txt")
	say("moved", errors.Is(err, fs.ErrNotExist))
	a, _ := os.Stat("deep/c.txt")
	c, _ := os.Stat("deep/down/../c.txt")
	d, _ := os.Stat("deep/down/b.txt")
	say("same", os.SameFile(a, c), os.SameFile(a, d))
	t, err := os.CreateTemp("", "x")
	must(err)
	_, err = t.WriteAt([]byte("z"), 5)
	must(err)
	got := make([]byte, 6)
	n, err := t.ReadAt(got, 0)
	say("hole", n, fmt.Sprintf("%q", got), err)
	dir, err := os.Getwd()
	say("folder", dir, err)
	must(os.RemoveAll("deep/down"))
	_, err = os.Stat("deep/down/b.txt")
	say("removed", errors.Is(err, fs.ErrNotExist))
}
