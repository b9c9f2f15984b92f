package wire_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"metalab/kernel/wire"
)

// peer answers each request with the next of several texts, and then closes the connection
// where the text does not keep it.
func peer(t testing.TB, answers ...string) (path string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "ml")
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", dir+"/p.sock")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for len(answers) > 0 {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r := bufio.NewReader(c)
			for len(answers) > 0 {
				length := 0
				for {
					line, err := r.ReadString('\n')
					if err != nil {
						break
					}
					_, _ = fmt.Sscanf(strings.ToLower(line), "content-length: %d", &length)
					if line == "\r\n" {
						break
					}
				}
				if _, err := r.Discard(length); err != nil {
					break
				}
				a := answers[0]
				answers = answers[1:]
				keep := strings.HasPrefix(a, "keep ")
				if _, err := c.Write([]byte(strings.TrimPrefix(a, "keep "))); err != nil || !keep {
					break
				}
			}
			c.Close()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
		os.RemoveAll(dir)
	})
	return dir + "/p.sock"
}

const hello = "keep HTTP/1.1 200 OK\r\nContent-Length: " +
	"37\r\n\r\n{\"protocol\":1,\"session\":\"pp\",\"pid\":7}"

func TestClientReadsHTTP(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, answer, want, fails string }{
		{"a length", "HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{\"a\":1}", `{"a":1}`, ""},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n3\r\n{\"a\r\n4;x=y\r\n\":1}\r\n0\r\n\r\n", `{"a":1}`, ""},
		{"the end of the connection", "HTTP/1.0 200 OK\r\n\r\n{}", `{}`, ""},
		{"our error", "HTTP/1.1 404 x\r\nContent-Length: " +
			"41\r\n\r\n{\"error\":{\"code\":\"run\",\"message\":\"none\"}}", "", "none"},
		{"another's error", "HTTP/1.1 500 x\r\nContent-Length: 4\r\n\r\noops", "", "500: oops"},
		{"cut short", "HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n{\"a\":1}", "", "lost"},
		{"a cut chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n30\r\n{\"a", "", "lost"},
		{"a cut head", "HTTP/1.1 200 OK\r\nConte", "", "lost"},
		{
			"a bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}", "",
			"size of a chunk",
		},
		{"a bad length", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", "", "length \"-5\""},
		{"a huge length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n", "", "want 0 to"},
		{"no HTTP", "SSH-2.0-x\r\n\r\n", "", "not the head"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl, err := wire.Dial(t.Context(), peer(t, hello, c.answer), "x")
			if err != nil {
				t.Fatal(err)
			}
			defer cl.Close()
			raw, err := cl.Raw(t.Context(), "runs", nil)
			if c.fails == "" && (err != nil || string(raw) != c.want) {
				t.Errorf("got %s, %v; want %s", raw, err, c.want)
			}
			if c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("got %s, %v; want an error with %q", raw, err, c.fails)
			}
		})
	}
}

// A connection that was closed while it was idle is replaced without a word.
func TestClientRetriesOnce(t *testing.T) {
	t.Parallel()
	first := strings.TrimPrefix(hello, "keep ") // and closed
	cl, err := wire.Dial(t.Context(),
		peer(t, first, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", ""), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if raw, err := cl.Raw(t.Context(), "runs", nil); err != nil || string(raw) != "{}" {
		t.Errorf("after an idle connection was closed: %s, %v", raw, err)
	}
}

func TestClientGivesUp(t *testing.T) {
	t.Parallel()
	cl, err := wire.Dial(t.Context(),
		peer(t, hello, "keep HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", ""), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := cl.Raw(ctx, "runs", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was withdrawn: %v", err)
	}
}
