package wire

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"metalab/solvers/record"
)

// A worker runs a solver that a researcher declares in a cell or at the prompt: the host starts the
// program that declared it again, with EnvWorker in its environment. Host and worker exchange
// frames over two pipes, the file descriptors WorkerIn and WorkerOut of the worker, so the
// program's own output does not interfere. The worker first sends WorkerHello. After that each
// request has one answer, with the same letter or OpError. All numbers are little-endian. The end
// of WorkerIn ends the worker.
const (
	// EnvWorker holds, in a worker, the name of the solver to serve.
	EnvWorker = "METALAB_WORKER"

	// WorkerAt begins the line that a worker writes to its standard error when it gets SIGUSR1. The
	// function of somebody's code in which it is follows, a tab, and the line of the source; the
	// function is empty if it is in none.
	WorkerAt = "metalab: the worker is at "

	// WorkerProtocol is the version of this protocol.
	WorkerProtocol = 3

	// WorkerIn and WorkerOut are the worker's descriptors.
	WorkerIn, WorkerOut = 3, 4
)

// The letters of frames.
const (
	OpHello    = 'h' // WorkerHello as JSON
	OpInit     = 'i' // WorkerInit and the instance's arrays; the answer is the state
	OpSet      = 'p' // record.Values as JSON; the answer is empty
	OpStep     = 's' // WorkerStep; the answer is WorkerSteps
	OpSnapshot = 'n' // nothing; the answer is the state
	// the state; the answer is a list of sentences about parts that it could not restore, as JSON
	OpRestore = 'r'
	OpBest    = 'b' // nothing; the answer is WorkerBest
	OpError   = 'e' // WorkerError as JSON

	// Frames for a declared problem, whose worker runs the iterations of a search on it. The state is
	// that of package solvers, and the answer to OpBest is WorkerFound.
	OpVariant = 'v' // WorkerVariant as JSON; the answer is WorkerHello, with the search's parameters
	OpCost    = 'c' // WorkerCost as JSON; the answer is the cost, as JSON
	OpEnded   = 'x' // nothing; the answer is why the search is over, as JSON; empty: it is not
	OpCheck   = 'k' // WorkerCheck as JSON; the answer is WorkerChecked as JSON
	OpDraw    = 'd' // WorkerDraw as JSON; the answer is a record.Drawing as JSON

	// OpSchedule asks for the devices and the schedule of the search: WorkerTime as JSON; the answer
	// is WorkerSchedule as JSON.
	OpSchedule = 'w'
)

// MaxFrame is the size limit of a frame, in bytes.
const MaxFrame = 1 << 30

// WriteFrame writes a frame: the length of the rest (uint32), the letter, and the parts of the
// body.
func WriteFrame(w io.Writer, op byte, parts ...[]byte) error {
	n := 1
	for _, p := range parts {
		n += len(p)
	}
	if n > MaxFrame {
		return fmt.Errorf("wire: a frame of %d bytes is refused: at most %d", n, MaxFrame)
	}
	b := make([]byte, 0, min(n, 1<<16)+4)
	b = append(binary.LittleEndian.AppendUint32(b, uint32(n)), op)
	for _, p := range parts {
		if len(b)+len(p) > 1<<16 { // a large part is not copied
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
			if len(p) > 1<<15 {
				if _, err := w.Write(p); err != nil {
					return err
				}
				continue
			}
		}
		b = append(b, p...)
	}
	if len(b) == 0 {
		return nil
	}
	_, err := w.Write(b)
	return err
}

// ReadFrame reads a frame. It allocates memory only as bytes arrive.
func ReadFrame(r io.Reader) (op byte, body []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n < 1 || n > MaxFrame {
		return 0, nil, fmt.Errorf("wire: a frame of %d bytes, want 1 to %d", n, MaxFrame)
	}
	left := int(n - 1)
	const piece = 1 << 20
	for first := true; left > 0 || first; first = false {
		at := len(body)
		body = append(body, make([]byte, min(left, piece))...)
		if _, err := io.ReadFull(r, body[at:]); err != nil {
			return 0, nil, errors.Join(io.ErrUnexpectedEOF, err)
		}
		left -= len(body) - at
	}
	return head[4], body, nil
}

// WorkerHello describes a worker's solver.
type WorkerHello struct {
	Protocol int            `json:"protocol"`
	Name     string         `json:"name"`     // under which it was declared
	Type     string         `json:"type"`     // of the solver, as "*main.Walk"
	Params   []record.Param `json:"params"`   // with the defaults
	Measures []string       `json:"measures"` // the solver's own
	Title    string         `json:"title"`    // a sentence, may be empty
	Refused  string         `json:"refused"`  // why the worker cannot serve the solver; else empty

	// For a problem.
	Form   *record.Form `json:"form,omitempty"`
	Counts string       `json:"counts,omitempty"` // what the search counts as evaluations
	Starts bool         `json:"starts,omitempty"` // the search can begin at a given solution
	Own    []string     `json:"own,omitempty"`    // the parameters that belong to the problem
}

// WorkerVariant names a variant of a solver.
type WorkerVariant struct {
	Solver  string `json:"solver"`
	Variant string `json:"variant"`
	Backend string `json:"backend,omitempty"` // empty: cpu
}

// WorkerFound is the best solution of a search on a problem, as JSON.
type WorkerFound struct {
	Value    float64         `json:"value"`
	Solution record.Solution `json:"solution"`
}

// WorkerCheck asks for a comparison of a problem's deltas with its costs.
type WorkerCheck struct {
	Seed   uint64        `json:"seed"`
	Moves  int           `json:"moves"` // of each neighbourhood
	Params record.Values `json:"params,omitempty"`
	Source string        `json:"source,omitempty"` // compiled to kernels, which are compared too
	Budget int64         `json:"budget,omitempty"` // of each half in ns; 0: unlimited
}

// WorkerCost asks for the cost of a solution.
type WorkerCost struct {
	record.Solution
	Params record.Values `json:"params,omitempty"` // of the problem; none: the present ones
}

// WorkerDraw asks for the picture of a solution.
type WorkerDraw struct {
	Solution record.Solution `json:"solution"`
	Params   record.Values   `json:"params,omitempty"` // of the problem
}

// WorkerChecked is the result of that comparison.
type WorkerChecked struct {
	Neighbourhoods []CheckedMoves `json:"neighbourhoods"`
	Kernels        CheckedKernels `json:"kernels"`
	Late           string         `json:"late,omitempty"`  // what was not compared within the budget
	Wrong          string         `json:"wrong,omitempty"` // the first difference, in a sentence
	Where          string         `json:"where,omitempty"` // of a panic
	Line           int            `json:"line,omitempty"`
}

// CheckedKernels counts the moves compared with kernels.
type CheckedKernels struct {
	On             string         `json:"on,omitempty"`  // where the kernels ran; empty: no comparison
	Not            string         `json:"not,omitempty"` // why there was no comparison
	Neighbourhoods []CheckedMoves `json:"neighbourhoods,omitempty"`
}

// CheckedMoves counts the compared moves of a neighbourhood.
type CheckedMoves struct {
	Name  string `json:"name"`
	Size  int64  `json:"size"`
	Moves int    `json:"moves"`
	Delta string `json:"delta,omitempty"` // the method that evaluates them; empty: Cost
}

// WorkerInit is the head of OpInit. The arrays follow in the order of Lengths.
type WorkerInit struct {
	Seed    uint64        `json:"seed"`
	Params  record.Values `json:"params"`
	Name    string        `json:"name"`
	Kind    string        `json:"kind"`
	N       int           `json:"n"`                // length of a solution
	Metric  string        `json:"metric,omitempty"` // of coordinates
	Best    *float64      `json:"best"`             // best known value
	Rows    int           `json:"rows,omitempty"`   // permuted perceptron
	Arrays  []string      `json:"arrays"`           // their names, as "x", "matrix"
	Lengths []int         `json:"lengths"`          // in bytes

	// For a search on a problem.
	Solver  string           `json:"solver,omitempty"`
	Variant string           `json:"variant,omitempty"`
	Sum     string           `json:"sha256,omitempty"` // the problem's
	Start   *record.Solution `json:"start,omitempty"`
	Backend string           `json:"backend,omitempty"` // empty: cpu
	Devices []int            `json:"devices,omitempty"` // GPUs; none: the one with the most room
	Source  string           `json:"source,omitempty"`  // compiled to kernels
}

// WorkerTime starts or stops the timing of iterations' parts; if Time is nil, it does neither.
type WorkerTime struct {
	Time *bool `json:"time,omitempty"`
}

// WorkerSchedule reports the devices of a search, and the schedule of its work on them.
type WorkerSchedule struct {
	Devices []int        `json:"devices,omitempty"` // GPUs; none: the cores
	Timed   bool         `json:"timed,omitempty"`   // iterations can be timed, as requested
	Spans   []WorkerSpan `json:"spans,omitempty"`   // of the latest timed iteration
	Waves   []WorkerWave `json:"waves,omitempty"`   // trials of its tuner
	Untuned string       `json:"untuned,omitempty"` // why nothing is tuned
}

// WorkerSpan is the time of a part of an iteration.
type WorkerSpan struct {
	Name string        `json:"name"`
	Time time.Duration `json:"ns"`
}

// WorkerWave holds the trials of a launch's tuner.
type WorkerWave struct {
	What    string        `json:"what"`
	Threads int64         `json:"threads"` // of the present launch
	Block   int           `json:"block"`
	Tuned   bool          `json:"tuned,omitempty"`
	Trials  []WorkerTrial `json:"trials,omitempty"`
}

// WorkerTrial is a launch that a tuner tried.
type WorkerTrial struct {
	Threads int64           `json:"threads"`
	Block   int             `json:"block"`
	Times   []time.Duration `json:"ns,omitempty"`
	Median  time.Duration   `json:"median_ns,omitempty"`
	Error   string          `json:"error,omitempty"`
}

// WorkerStep asks for iterations.
type WorkerStep struct {
	First  int64 // number of the first
	Count  int64 // at most so many
	Budget int64 // start no further one after so many ns
	State  bool  // also send the state before the first
}

// Append appends the encoding of s.
func (s WorkerStep) Append(b []byte) []byte {
	for _, v := range []int64{s.First, s.Count, s.Budget} {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	if s.State {
		return append(b, 1)
	}
	return append(b, 0)
}

// ParseWorkerStep decodes the output of Append.
func ParseWorkerStep(b []byte) (WorkerStep, error) {
	if len(b) != 25 {
		return WorkerStep{}, fmt.Errorf("wire: a request of %d bytes for steps, want 25", len(b))
	}
	v := func(i int) int64 { return int64(binary.LittleEndian.Uint64(b[8*i:])) }
	return WorkerStep{v(0), v(1), v(2), b[24] != 0}, nil
}

// WorkerSteps holds the results of iterations.
type WorkerSteps struct {
	CPU      int64     // ns of CPU time of the worker's process since Init
	StateNS  int64     // ns spent on the state
	Measures int       // of an iteration
	Points   []float64 // for each: value, best, mean, draws as bits, measures
	State    []byte    // from before the first, if requested
	// an iteration takes long: these are the results so far, and another answer follows
	More   bool
	Failed []byte // a WorkerError as JSON, when the iteration after the last failed

	// Best is the encoded WorkerBest after the last of Points. It is empty if it equals the previous
	// one, or if it is large and comes later, as Later says.
	Best  []byte
	Later bool
}

// Append appends the encoding of s.
func (s WorkerSteps) Append(b []byte) []byte {
	flags := 0
	if s.More {
		flags |= 1
	}
	if s.Later {
		flags |= 2
	}
	for _, v := range []int{
		int(s.CPU), int(s.StateNS), s.Measures, len(s.Points), len(s.State), len(s.Failed),
		len(s.Best), flags,
	} {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	for _, v := range s.Points {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return append(append(append(b, s.State...), s.Failed...), s.Best...)
}

// MoreFollows reports whether another answer to a WorkerStep follows; see WorkerSteps.More.
func MoreFollows(b []byte) bool { return len(b) >= 64 && b[56]&1 != 0 }

// ParseWorkerSteps decodes the output of Append.
func ParseWorkerSteps(b []byte) (WorkerSteps, error) {
	var v [8]uint64
	if len(b) < 8*len(v) {
		return WorkerSteps{}, fmt.Errorf("wire: an answer of %d bytes to steps", len(b))
	}
	for i := range v {
		v[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	b = b[8*len(v):]
	n := uint64(len(b))
	if v[2] > 1000 || v[3] > n/8 || v[4] > n || v[5] > n || v[6] > n || 8*v[3]+v[4]+v[5]+v[6] != n ||
		v[3]%(4+v[2]) != 0 {
		return WorkerSteps{}, errors.New("wire: an answer to steps whose lengths do not fit")
	}
	s := WorkerSteps{
		CPU: int64(v[0]), StateNS: int64(v[1]), Measures: int(v[2]), Points: make([]float64, v[3]),
		More: v[7]&1 != 0, Later: v[7]&2 != 0,
	}
	for i := range s.Points {
		s.Points[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	b = b[8*v[3]:]
	s.State, b = b[:v[4]], b[v[4]:]
	s.Failed, s.Best = b[:v[5]], b[v[5]:]
	return s, nil
}

// WorkerBest is the best solution.
type WorkerBest struct {
	Value    float64
	Solution []int32
}

// Append appends the encoding of s.
func (s WorkerBest) Append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s.Value))
	for _, x := range s.Solution {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

// ParseWorkerBest decodes the output of Append.
func ParseWorkerBest(b []byte) (WorkerBest, error) {
	if len(b) < 8 || len(b)%4 != 0 {
		return WorkerBest{}, fmt.Errorf("wire: a best solution of %d bytes", len(b))
	}
	s := WorkerBest{
		Value:    math.Float64frombits(binary.LittleEndian.Uint64(b)),
		Solution: make([]int32, (len(b)-8)/4),
	}
	for i := range s.Solution {
		s.Solution[i] = int32(binary.LittleEndian.Uint32(b[8+4*i:]))
	}
	return s, nil
}

// A WorkerError is a failure in the solver's own code.
type WorkerError struct {
	// one line, such as "panic: index out of range [5] with length 3"
	Text  string `json:"text"`
	Where string `json:"where,omitempty"` // the function, such as "(*Walk).Step"
	Line  int    `json:"line,omitempty"`  // of the program's source
}

// AppendHead appends a value as JSON, preceded by its length (uint32).
func AppendHead(b []byte, v any) ([]byte, error) {
	j, err := json.Marshal(v)
	if err != nil {
		return b, err
	}
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(j))), j...), nil
}

// CutHead decodes the output of AppendHead into v and returns the rest.
func CutHead(b []byte, v any) ([]byte, error) {
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, errors.New("wire: a message without its head")
	}
	n := binary.LittleEndian.Uint32(b)
	return b[4+n:], json.Unmarshal(b[4:4+n], v)
}
