package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"metalab/kernel/wire"
)

// A Code is what the process has. Its methods are called from one goroutine.
type Code interface {
	// Hello says what it is.
	Hello() (wire.WorkerHello, error)

	// Answer carries out a request other than for iterations, and returns the body of the answer.
	Answer(op byte, body []byte) ([]byte, error)

	// Steps is what makes iterations; the error says that there is no state yet.
	Steps() (*Steps, error)

	// Caught carries f out and returns its error or panic; nil where there is none.
	Caught(f func() error) *wire.WorkerError
}

// A frame is a message of the host.
type frame struct {
	op   byte
	body []byte
}

// maxStack bounds the stack of somebody's code in bytes, so that an endless recursion is reported
// at once and not when a gigabyte is full.
const maxStack = 256 << 20

// server is the process.
type server struct {
	Code
	out *os.File
	cpu int64 // at the first state
	buf []byte
}

// Run makes the process a worker, and never returns.
func Run(c Code) {
	in, out := os.NewFile(wire.WorkerIn, "host"), os.NewFile(wire.WorkerOut, "host")
	// children of somebody's code are not workers, and must not keep the pipes open
	os.Unsetenv(wire.EnvWorker)
	debug.SetMaxStack(maxStack)
	tellWhere()
	closeOnExec(wire.WorkerIn)
	closeOnExec(wire.WorkerOut)
	s := &server{Code: c, out: out}
	frames := read(in)
	s.guard(func() error {
		h, err := c.Hello()
		if err != nil {
			return err
		}
		b, err := json.Marshal(h)
		if err == nil {
			s.reply(wire.OpHello, b)
		}
		return err
	})
	for f := range frames {
		s.guard(func() error { return s.answer(f) })
	}
}

// Refuse ends a worker that cannot be one, with a sentence.
func Refuse(name, why string) {
	b, _ := json.Marshal(wire.WorkerHello{ // strings and numbers: it cannot fail
		Protocol: wire.WorkerProtocol, Name: name, Refused: why,
	})
	// if it fails, the host has ended
	_ = wire.WriteFrame(os.NewFile(wire.WorkerOut, "host"), wire.OpHello, b)
	os.Exit(1)
}

// read reads messages. When the host has ended the process ends too, whatever somebody's code does.
func read(in io.Reader) <-chan frame {
	c := make(chan frame)
	go func() {
		for {
			op, body, err := wire.ReadFrame(in)
			if err != nil {
				os.Exit(0)
			}
			c <- frame{op, body}
		}
	}()
	return c
}

// reply sends an answer.
func (s *server) reply(op byte, body []byte) {
	if err := wire.WriteFrame(s.out, op, body); err != nil {
		os.Exit(0) // the host has ended
	}
}

// guard carries f out and answers with its error or panic.
func (s *server) guard(f func() error) {
	if e := s.Caught(f); e != nil {
		b, _ := json.Marshal(e) // strings and a number: it cannot fail
		s.reply(wire.OpError, b)
	}
}

// answer carries out one request.
func (s *server) answer(f frame) error {
	if f.op == wire.OpStep {
		q, err := wire.ParseWorkerStep(f.body)
		if err != nil {
			return err
		}
		to, err := s.Steps()
		if err != nil {
			return err
		}
		return s.steps(q, to)
	}
	body, err := s.Answer(f.op, f.body)
	if err != nil {
		return err
	}
	if f.op == wire.OpInit {
		s.cpu = usedCPU()
	}
	s.reply(f.op, body)
	return nil
}

// JSON is an answer.
func JSON(v any, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// Read reads a request.
func Read[T any](body []byte) (v T, err error) {
	err = json.Unmarshal(body, &v)
	return v, err
}

// Early is the error of a request that needs a state which is not there yet.
func Early(op byte) error { return fmt.Errorf("request %q before the first", op) }

// Unknown is the error of a request that the code does not know.
func Unknown(op byte) error {
	return fmt.Errorf("request %q, which this worker does not know", op)
}

// OneLine is a text in one line.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
