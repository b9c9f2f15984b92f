package messages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/go-zeromq/zmq4"
)

// A Server is the side of a kernel: the sockets that front ends connect to.
type Server struct {
	Connection
	Shell, Control, Stdin zmq4.Socket

	session string
	all     []zmq4.Socket
	mu      sync.Mutex // held while something is sent
	iopub   zmq4.Socket
}

// Listen opens the sockets of a kernel, and answers heartbeats until ctx ends.
func Listen(ctx context.Context, c Connection) (*Server, error) {
	s := &Server{
		Connection: c, session: NewID(), Shell: zmq4.NewRouter(ctx), Control: zmq4.NewRouter(ctx),
		iopub: zmq4.NewPub(ctx), Stdin: zmq4.NewRouter(ctx),
	}
	beat := zmq4.NewRep(ctx)
	for _, at := range []struct {
		socket zmq4.Socket
		port   int
		name   string
	}{
		{beat, c.Heartbeat, "hb"},
		{s.iopub, c.IOPub, "iopub"},
		{s.Shell, c.Shell, "shell"},
		{s.Control, c.Control, "control"},
		{s.Stdin, c.Stdin, "stdin"},
	} {
		s.all = append(s.all, at.socket)
		if err := at.socket.Listen(c.Address(at.port)); err != nil {
			s.Close()
			return nil, fmt.Errorf("the kernel's socket %s: %w", at.name, err)
		}
	}
	go func() {
		for {
			m, err := beat.Recv()
			if err != nil || beat.Send(m) != nil {
				return
			}
		}
	}()
	return s, nil
}

// Close closes the sockets.
func (s *Server) Close() {
	for _, one := range s.all {
		_ = one.Close()
	}
}

// Receive reads the next message of a socket that is signed with the kernel's key; others are
// passed over.
func (s *Server) Receive(from zmq4.Socket) (Message, error) {
	for {
		m, err := from.Recv()
		if err != nil {
			return Message{}, err
		}
		if r, err := decodeMessage(s.Key, m.Frames); err == nil {
			return r, nil
		}
	}
}

// Answer answers a message on the socket on which it came.
func (s *Server) Answer(on zmq4.Socket, to Message, kind string, content any) error {
	_, frames, err := encode(s.Key, s.session, kind, to.Raw, content, nil)
	if err != nil {
		return err
	}
	return s.send(on, to.IDs, frames)
}

// Ask asks the front end that sent a message for something, on the socket for that.
func (s *Server) Ask(of Message, kind string, content any) error {
	return s.Answer(s.Stdin, of, kind, content)
}

// Publish tells all front ends something about the message whose header is parent.
func (s *Server) Publish(parent json.RawMessage, kind string, content any,
	metadata map[string]any, buffers [][]byte,
) error {
	_, frames, err := encode(s.Key, s.session, kind, parent, content, metadata)
	if err != nil {
		return err
	}
	return s.send(s.iopub, [][]byte{[]byte(kind)}, append(frames, buffers...))
}

func (s *Server) send(on zmq4.Socket, to, frames [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := on.SendMulti(zmq4.NewMsgFrom(slices.Concat(to, frames)...))
	if errors.Is(err, context.Canceled) { // the kernel ends
		return nil
	}
	return err
}
