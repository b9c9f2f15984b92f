package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"metalab/kernel/host"
)

// Serve runs a host. It returns when ctx ends, when a client asks for its end, when the lifeline
// breaks, or when a detached host was idle for long enough. By then all runs are closed and
// autosaved, and socket and lock are gone. The error is nil after such an end, and wraps ErrTaken
// if the session has a host already.
func Serve(ctx context.Context, o host.Options) error { return serve(ctx, o, "") }

// serve is Serve, in a process that Start started with a configuration.
func serve(ctx context.Context, o host.Options, config string) error {
	if err := o.Fill(); err != nil {
		return err
	}
	before, l, err := inherit(o)
	if err == nil && l == nil {
		l, err = listen(o.Socket)
	}
	if err != nil {
		return err
	}
	defer l.release()
	h, err := host.New(ctx, o, before)
	if err != nil {
		return err
	}
	return (&Server{Host: h, config: config, closed: make(chan struct{})}).serve(l)
}

// serve answers requests until the host ends.
func (h *Server) serve(l *listener) error {
	o := h.Options()
	srv := h.NewServer(h.handler())
	h.Begin()
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	if o.Lifeline != nil {
		// The read ends only when the starter ends, so the host does not wait for this goroutine.
		go h.mindLifeline()
	}
	h.Logf("session %s at %s, process %d, %s", o.Session, o.Socket, os.Getpid(), h.Build())
	if o.Ready != nil {
		o.Ready()
	}
	var err error
	ended := false
	select {
	case <-h.Context().Done():
	case err = <-failed:
		ended = true
		h.Stop(err)
	}
	if h.Restarting() {
		h.Logf("ends: %v", context.Cause(h.Context()))
		return h.serveAgain(l, srv)
	}
	close(h.closed)
	h.Close(func() {
		h.EndServer(srv)
		if !ended {
			<-failed
		}
	})
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// NewServer returns an HTTP server for the host's clients, which EndServer ends.
func (h *Server) NewServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          quiet(h.Options().Log),
		BaseContext:       func(net.Listener) context.Context { return h.Context() },
		ConnState:         h.connState,
	}
}

// connState counts connections.
func (h *Server) connState(_ net.Conn, s http.ConnState) {
	switch s {
	case http.StateNew:
		h.Connected(1)
	case http.StateClosed, http.StateHijacked:
		h.Connected(-1)
	default:
		h.Connected(0)
	}
}

// EndServer waits a while for answers in progress.
func (h *Server) EndServer(srv *http.Server) {
	end, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if srv.Shutdown(end) != nil {
		srv.Close()
	}
}

func (h *Server) mindLifeline() {
	_, _ = io.Copy(io.Discard, h.Options().Lifeline)
	if !h.Detached() {
		h.Stop(fmt.Errorf("%w: the front end that started it has gone", host.ErrEnded))
	}
}
