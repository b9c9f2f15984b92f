package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// maxReply bounds what a client reads in one piece, in bytes.
const maxReply = 1 << 30

// conn is a connection to a host, for one request after another.
type conn struct {
	f *os.File
	r *bufio.Reader
	b []byte // scratch of the request
}

func dial(path string) (*conn, error) {
	f, err := connect(path)
	if err != nil {
		return nil, err
	}
	return &conn{f: f, r: bufio.NewReaderSize(f, 16<<10)}, nil
}

// head is the head of a response.
type head struct {
	status  int
	length  int64 // -1 when it is chunked or ends with the connection
	chunked bool
	last    bool // the connection ends after it
	fields  map[string]string
}

// errStale is wrapped by errors that came before any byte of the response: the connection
// had been closed, or closed while the request was under way.
var errStale = errors.New("the connection was closed")

// send writes a request.
func (c *conn) send(method, target string, fields []string, body []byte) error {
	b := append(c.b[:0], method...)
	b = append(b, ' ')
	b = append(b, target...)
	b = append(b, " HTTP/1.1\r\nHost: metalab\r\n"...)
	for i := 0; i+1 < len(fields); i += 2 {
		b = append(b, fields[i]...)
		b = append(b, ": "...)
		b = append(b, clean(fields[i+1])...)
		b = append(b, "\r\n"...)
	}
	if method != "GET" {
		kind := "application/json"
		if method == "PUT" {
			kind = "application/octet-stream"
		}
		b = append(b, "Content-Type: "+kind+"\r\nContent-Length: "...)
		b = strconv.AppendInt(b, int64(len(body)), 10)
		b = append(b, "\r\n"...)
	}
	b = append(b, "\r\n"...)
	b = append(b, body...)
	c.b = b[:0]
	if _, err := c.f.Write(b); err != nil {
		return fmt.Errorf("%w: %w", errStale, err)
	}
	return nil
}

// clean keeps line feeds out of a header field.
func clean(s string) string {
	if strings.ContainsAny(s, "\r\n") {
		s = strings.NewReplacer("\r", " ", "\n", " ").Replace(s)
	}
	return s
}

// receive reads the head of a response.
func (c *conn) receive() (head, error) {
	line, err := c.line()
	if err != nil {
		if len(line) == 0 {
			return head{}, fmt.Errorf("%w: %w", errStale, err)
		}
		return head{}, err
	}
	h := head{length: -1, fields: map[string]string{}}
	proto, rest, _ := strings.Cut(line, " ")
	code, _, _ := strings.Cut(rest, " ")
	if h.status, err = strconv.Atoi(code); err != nil || !strings.HasPrefix(proto, "HTTP/1.") {
		return h, fmt.Errorf("wire: %q is not the head of a response", clip(line))
	}
	for {
		if line, err = c.line(); err != nil {
			return h, err
		}
		if line == "" {
			break
		}
		name, val, _ := strings.Cut(line, ":")
		h.fields[strings.ToLower(name)] = strings.TrimSpace(val)
	}
	h.chunked = h.fields["transfer-encoding"] == "chunked"
	h.last = h.fields["connection"] == "close"
	if v, ok := h.fields["content-length"]; ok {
		if h.length, err = strconv.ParseInt(v, 10, 64); err != nil || h.length < 0 ||
			h.length > maxReply {
			return h, fmt.Errorf("wire: a response of length %q, want 0 to %d", clip(v), maxReply)
		}
	}
	return h, nil
}

func clip(s string) string { return s[:min(len(s), 60)] }

func (c *conn) line() (string, error) {
	s, err := c.r.ReadString('\n')
	if len(s) > 64<<10 {
		return "", errors.New("wire: a line of the head is too long")
	}
	if err == io.EOF && s != "" {
		err = io.ErrUnexpectedEOF
	}
	return strings.TrimRight(s, "\r\n"), err
}

// body returns the reader of the response's body.
func (c *conn) body(h head) io.Reader {
	switch {
	case h.chunked:
		return &chunks{c: c}
	case h.length >= 0:
		return io.LimitReader(c.r, h.length)
	}
	return c.r
}

// chunks reads a chunked body.
type chunks struct {
	c    *conn
	left int64
	done bool
}

func (k *chunks) Read(p []byte) (int, error) {
	if k.done {
		return 0, io.EOF
	}
	if k.left == 0 {
		line, err := k.c.line()
		if err != nil {
			return 0, noEOF(err)
		}
		size, _, _ := strings.Cut(line, ";")
		if k.left, err = strconv.ParseInt(size, 16, 64); err != nil || k.left < 0 {
			return 0, fmt.Errorf("wire: %q is not the size of a chunk", clip(line))
		}
		if k.left == 0 {
			k.done = true
			_, err := k.c.line()
			if err != nil {
				return 0, noEOF(err)
			}
			return 0, io.EOF
		}
	}
	n, err := k.c.r.Read(p[:min(int64(len(p)), k.left)])
	k.left -= int64(n)
	if k.left == 0 && err == nil {
		_, err = k.c.line()
	}
	return n, noEOF(err)
}

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readAll reads a body whole; a body of known length that is cut short is an error.
func (c *conn) readAll(h head) ([]byte, error) {
	if h.length >= 0 && !h.chunked {
		b := make([]byte, h.length)
		_, err := io.ReadFull(c.r, b)
		return b, noEOF(err)
	}
	b, err := io.ReadAll(io.LimitReader(c.body(h), maxReply+1))
	if err == nil && len(b) > maxReply {
		err = errors.New("wire: the reply is too long")
	}
	return b, err
}

// guard makes the end of ctx end what waits on the connection; the caller calls stop when
// it no longer waits, and may use the connection again only when stop returns true.
func (c *conn) guard(ctx context.Context) (stop func() bool) {
	if ctx.Done() == nil {
		return func() bool { return true }
	}
	return context.AfterFunc(ctx, func() { _ = c.f.SetDeadline(time.Unix(1, 0)) })
}

func (c *conn) close() { _ = c.f.Close() }
