package messages

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-zeromq/zmq4"
)

// A Connection is a connection file: where the sockets of a kernel are, and the key that
// signs what is said. See https://jupyter-client.readthedocs.io/en/stable/kernels.html.
type Connection struct {
	Shell     int    `json:"shell_port"`
	IOPub     int    `json:"iopub_port"`
	Stdin     int    `json:"stdin_port"`
	Control   int    `json:"control_port"`
	Heartbeat int    `json:"hb_port"`
	IP        string `json:"ip"`
	Key       string `json:"key"`
	Transport string `json:"transport"`
	Scheme    string `json:"signature_scheme"`
	Kernel    string `json:"kernel_name"`
}

// ReadConnection reads a connection file; sockets are ports or files, and messages are signed.
func ReadConnection(path string) (Connection, error) {
	var c Connection
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	if err == nil && (c.Transport != "tcp" && c.Transport != "ipc" || c.Scheme != "hmac-sha256") {
		err = fmt.Errorf("%s: transport %q with %q, want tcp or ipc with hmac-sha256", path,
			c.Transport, c.Scheme)
	}
	return c, err
}

// Address is where a socket is: a port, or with transport ipc a file that only the user can
// open.
func (c Connection) Address(port int) string {
	if c.Transport == "ipc" {
		return fmt.Sprintf("ipc://%s-%d", c.IP, port)
	}
	return fmt.Sprintf("tcp://%s:%d", c.IP, port)
}

// A header begins every message.
type header struct {
	ID      string `json:"msg_id"`
	Session string `json:"session"`
	User    string `json:"username"`
	Date    string `json:"date"`
	Type    string `json:"msg_type"`
	Version string `json:"version"`
}

// A Message is what was received.
type Message struct {
	Header, Parent header
	Metadata       json.RawMessage
	Content        json.RawMessage
	Buffers        [][]byte

	Raw json.RawMessage // the header as it came, which is the parent of what answers it
	IDs [][]byte        // who sent it, to a socket of a kernel
}

// Delimiter stands between the addresses of a message and its signature.
const Delimiter = "<IDS|MSG>"

// A Peer is a client of a kernel.
type Peer struct {
	Connection
	session string
	Socket  zmq4.Socket
}

// Dial connects to the shell of a kernel, which may just be starting.
func Dial(ctx context.Context, c Connection) (*Peer, error) {
	p := &Peer{Connection: c, session: NewID()}
	p.Socket = zmq4.NewDealer(ctx, append(DialOptions(), zmq4.WithID([]byte(p.session)))...)
	if err := p.Socket.Dial(c.Address(c.Shell)); err != nil {
		p.Socket.Close()
		return nil, fmt.Errorf("the kernel does not answer: %w", err)
	}
	return p, nil
}

// DialStdin connects to the socket on which a kernel asks the peer for input.
func (p *Peer) DialStdin(ctx context.Context) (zmq4.Socket, error) {
	s := zmq4.NewDealer(ctx, append(DialOptions(), zmq4.WithID([]byte(p.session)))...)
	return s, s.Dial(p.Address(p.Connection.Stdin))
}

// DialOptions make a socket wait for a kernel that just starts: 20 s.
func DialOptions() []zmq4.Option {
	return []zmq4.Option{zmq4.WithDialerMaxRetries(2000), zmq4.WithDialerRetry(10 * time.Millisecond)}
}

func (p *Peer) Close() { p.Socket.Close() }

// Send sends a request to a socket and returns its id.
func (p *Peer) Send(s zmq4.Socket, kind string, content any) (string, error) {
	id, frames, err := encode(p.Key, p.session, kind, nil, content, nil)
	if err != nil {
		return "", err
	}
	return id, s.Send(zmq4.NewMsgFrom(frames...))
}

// encode makes the frames of a message, and its id.
func encode(key, session, kind string, parent json.RawMessage, content any,
	metadata map[string]any,
) (id string, frames [][]byte, err error) {
	h := header{NewID(), session, "metalab", time.Now().UTC().Format(time.RFC3339Nano), kind, "5.3"}
	parts := make([][]byte, 4)
	if parent == nil {
		parent = json.RawMessage("{}")
	}
	if metadata == nil {
		metadata = map[string]any{}
	}
	for i, v := range []any{h, parent, metadata, content} {
		if parts[i], err = json.Marshal(v); err != nil {
			return "", nil, err
		}
	}
	return h.ID, append([][]byte{[]byte(Delimiter), sign(key, parts)}, parts...), nil
}

// Receive reads the next message of a socket that is signed with the kernel's key.
func (p *Peer) Receive(s zmq4.Socket) (Message, error) {
	for {
		m, err := s.Recv()
		if err != nil {
			return Message{}, err
		}
		if r, err := decodeMessage(p.Key, m.Frames); err == nil {
			return r, nil
		}
	}
}

// Reply waits for the reply to the request id.
func (p *Peer) Reply(id string) (Message, error) {
	for {
		m, err := p.Receive(p.Socket)
		if err != nil || m.Parent.ID == id {
			return m, err
		}
	}
}

// sign is the signature of the parts of a message: hexadecimal HMAC-SHA256, empty without
// a key.
func sign(key string, parts [][]byte) []byte {
	if key == "" {
		return nil
	}
	mac := hmac.New(sha256.New, []byte(key))
	for _, p := range parts {
		mac.Write(p)
	}
	return []byte(hex.EncodeToString(mac.Sum(nil)))
}

func decodeMessage(key string, frames [][]byte) (Message, error) {
	for i, f := range frames {
		if string(f) != Delimiter {
			continue
		}
		if len(frames) < i+6 {
			break
		}
		parts := frames[i+2 : i+6]
		if !hmac.Equal(frames[i+1], sign(key, parts)) {
			return Message{}, errors.New("jupyter: a message with a wrong signature")
		}
		var m Message
		if err := json.Unmarshal(parts[0], &m.Header); err != nil {
			return m, fmt.Errorf("jupyter: a header: %w", err)
		}
		if err := json.Unmarshal(parts[1], &m.Parent); err != nil {
			return m, fmt.Errorf("jupyter: a parent header: %w", err)
		}
		m.Metadata, m.Content, m.Buffers = parts[2], parts[3], frames[i+6:]
		m.Raw, m.IDs = parts[0], frames[:i]
		return m, nil
	}
	return Message{}, fmt.Errorf("jupyter: a message of %d frames", len(frames))
}

// NewID is 128 random bits.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Execute is the content of an execute_request.
type Execute struct {
	Code    string         `json:"code"`
	Silent  bool           `json:"silent"`
	Store   bool           `json:"store_history"`
	Exprs   map[string]any `json:"user_expressions"`
	Stdin   bool           `json:"allow_stdin"`
	StopErr bool           `json:"stop_on_error"`
}
