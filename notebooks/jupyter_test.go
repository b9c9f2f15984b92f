package notebooks_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"metalab/notebooks/internal/browser"
)

// A server is a Jupyter of the test's own, with the kernel installed.
type server struct {
	home
	t     *testing.T
	url   string
	token string
	books string // the folder of the notebooks
}

// jupyter starts a Jupyter Notebook, or skips the test where there is none.
func jupyter(t *testing.T) *server {
	t.Helper()
	return jupyterWith(t, "")
}

// jupyterWith is jupyter with the front end's files of a folder share/jupyter, of which it loads
// that of widgets.
func jupyterWith(t *testing.T, share string) *server {
	t.Helper()
	program := "/usr/bin/jupyter-notebook" // Debian's, before any other that cannot start
	if _, err := os.Stat(program); err != nil {
		if program, err = exec.LookPath("jupyter-notebook"); err != nil {
			t.Skip("no Jupyter Notebook on PATH")
		}
	}
	return serve(t, program, share, "")
}

// serve starts a program of Jupyter, or skips the test where it does not start. base is the path
// that its addresses begin with, after "/".
func serve(t *testing.T, program, share, base string, more ...string) *server {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Jupyter and a browser")
	}
	if browser.Find() == "" {
		t.Skip("no Chromium on PATH")
	}
	s := &server{home: tool(t), t: t}
	dir := s.dir // what a kernel still writes when Jupyter has ended fails no test
	s.books = filepath.Join(dir, "nb")
	if err := os.Mkdir(s.books, 0o700); err != nil {
		t.Fatal(err)
	}
	var secret [16]byte
	_, _ = rand.Read(secret[:]) // never fails
	s.token = hex.EncodeToString(secret[:])
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	s.url = "http://" + address + strings.TrimSuffix("/"+base, "/")
	cmd := exec.Command(program, "--no-browser", "--ip=127.0.0.1",
		"--port="+address[strings.LastIndexByte(address, ':')+1:],
		"--port-retries=0", "--allow-root", "--notebook-dir="+s.books)
	cmd.Args = append(cmd.Args, more...)
	log, err := os.Create(filepath.Join(dir, "jupyter.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	path := filepath.Join(s.prefix, "share", "jupyter")
	if share != "" {
		path += string(filepath.ListSeparator) + share
		load := filepath.Join(dir, "config", "nbconfig")
		if err := os.MkdirAll(load, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(load, "notebook.json"),
			[]byte(`{"load_extensions": {"jupyter-js-widgets/extension": true}}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Env = s.env("JUPYTER_TOKEN="+s.token,
		"JUPYTER_PATH="+path, "JUPYTER_DATA_DIR="+filepath.Join(dir, "data"),
		"JUPYTER_CONFIG_DIR="+filepath.Join(dir, "config"), "JUPYTER_RUNTIME_DIR="+
			filepath.Join(dir, "run"), "PYDEVD_DISABLE_FILE_VALIDATION=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is ended by a signal
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // ends its kernels first
		select {
		case <-ended:
		case <-time.After(2 * time.Minute):
			_ = cmd.Process.Kill()
			<-ended
		}
		if t.Failed() {
			b, _ := os.ReadFile(log.Name())
			t.Logf("Jupyter says:\n%s", b)
		}
	})
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if r, err := http.Get(s.url + "/api"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return s
			}
		}
		select {
		case <-ended:
			b, _ := os.ReadFile(log.Name())
			t.Skipf("Jupyter does not start here: %s", b)
		default:
		}
		if time.Now().After(end) {
			t.Fatal("Jupyter does not answer")
		}
	}
}

// A book is a notebook that is open in the browser.
type book struct {
	*browser.Page
	t     *testing.T
	cells []cell
	path  string
}

// copied copies a notebook, without its outputs, into the server's folder.
func (s *server) copied(path string) (to string) {
	s.t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	var nb map[string]any
	if err := json.Unmarshal(raw, &nb); err != nil {
		s.t.Fatal(err)
	}
	for _, c := range nb["cells"].([]any) {
		if c := c.(map[string]any); c["cell_type"] == "code" {
			c["outputs"], c["execution_count"] = []any{}, nil
		}
	}
	if raw, err = json.Marshal(nb); err != nil {
		s.t.Fatal(err)
	}
	to = filepath.Join(s.books, filepath.Base(path))
	if err := os.WriteFile(to, raw, 0o600); err != nil {
		s.t.Fatal(err)
	}
	return to
}

// notesClose makes a page note that it has closed a comm.
const notesClose = `{
	const send = WebSocket.prototype.send
	WebSocket.prototype.send = function (data) {
		if (typeof data === "string" && data.includes('"comm_close"')) globalThis.closedComm = true
		return send.call(this, data)
	}
}`

// open copies a notebook, without its outputs, into the server's folder and opens it.
func (s *server) open(b *browser.Browser, path string) *book {
	s.t.Helper()
	to := s.copied(path)
	p := b.Open("about:blank")
	p.Expect("") // the page is Jupyter's
	p.Do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdp.AddScriptToEvaluateOnNewDocument(notesClose).Do(ctx)
		return err
	}), chromedp.Navigate(s.url+"/notebooks/"+filepath.Base(path)+"?token="+s.token))
	n := &book{p, s.t, read(s.t, to), to}
	n.patiently("Jupyter.notebook.kernel.is_connected() && Jupyter.notebook._fully_loaded && " +
		"Jupyter.notebook.get_cells().length > 0")
	n.idle()
	return n
}

// idle waits until the kernel does nothing.
func (n *book) idle() {
	n.t.Helper()
	n.patiently(
		"document.querySelector('#kernel_indicator_icon').className.includes('kernel_idle_icon')")
}

// code is the number of the cell, from 0, that holds the n-th code of a text.
func (n *book) code(text string) int {
	n.t.Helper()
	for i, c := range n.cells {
		if c.Type == "code" && strings.Contains(strings.Join(c.Source, ""), text) {
			return i
		}
	}
	n.t.Fatalf("no cell with %q", text)
	return 0
}

// start runs a cell with the toolbar's button, as a user does.
func (n *book) start(i int) {
	n.t.Helper()
	n.Eval(fmt.Sprintf("Jupyter.notebook.select(%d); Jupyter.notebook.scroll_to_cell(%d, 0)", i, i),
		nil)
	n.Click(`button[data-jupyter-action="jupyter-notebook:run-cell-and-select-next"]`)
}

// run runs a cell and waits for its end; it must not fail.
func (n *book) run(i int) {
	n.t.Helper()
	n.start(i)
	n.finish(i)
}

// finish waits for the end of a cell that was started.
func (n *book) finish(i int) {
	n.t.Helper()
	n.ended(i)
	if n.failed(i) {
		n.t.Fatalf("cell %d fails: %s", i+1, n.look(i))
	}
}

// ended waits for the end of a cell that was started, however it ends. The reply to it, which
// brings the number, may overtake what it shows; Jupyter notes the end of both.
func (n *book) ended(i int) {
	n.t.Helper()
	n.patiently(fmt.Sprintf("((c, r) => typeof c.input_prompt_number === 'number' && "+
		"(!(r = c.kernel._msg_callbacks[c.last_msg_id]) || r.shell_done && r.iopub_done))"+
		"(Jupyter.notebook.get_cell(%d))", i))
}

// failed reports whether a cell shows an error.
func (n *book) failed(i int) bool {
	n.t.Helper()
	return n.True(fmt.Sprintf("Jupyter.notebook.get_cell(%d).output_area.outputs.some(o => "+
		"o.output_type === 'error')", i))
}

// patiently waits for what takes long on a machine that does other things too.
func (n *book) patiently(expr string) {
	n.t.Helper()
	patiently(n.Page, n.t, expr)
}

// patiently waits for what takes long on a machine that does other things too.
func patiently(p *browser.Page, t *testing.T, expr string) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !p.True(expr); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after 5 minutes still not: %s", expr)
		}
	}
}

// look is what a cell shows, as text.
func (n *book) look(i int) string {
	n.t.Helper()
	return n.Text(fmt.Sprintf("Jupyter.notebook.get_cell(%d).output_area.element.text()", i))
}

// save saves the notebook and returns the file.
func (n *book) save() string {
	n.t.Helper()
	before, _ := os.Stat(n.path)
	n.Eval("Jupyter.notebook.save_notebook()", nil)
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if st, err := os.Stat(n.path); err == nil && (st.ModTime() != before.ModTime() ||
			st.Size() != before.Size()) {
			break
		}
		if time.Now().After(end) {
			n.t.Fatal("the notebook is not saved")
		}
	}
	b, err := os.ReadFile(n.path)
	if err != nil {
		n.t.Fatal(err)
	}
	return string(b)
}

// A new user opens the first steps in Jupyter and presses Run, cell by cell.
func TestFirstStepsInJupyter(t *testing.T) {
	t.Parallel()
	s := jupyter(t)
	b := browser.Start(t)
	launcher := b.Open(s.url + "/tree?token=" + s.token)
	launcher.Expect("")
	launcher.Click("#new-dropdown-button")
	launcher.Wait("document.querySelector('#kernel-metalab a').textContent.includes('metalab (Go)')")
	launcher.Shot("launcher", false)
	launcher.Close()
	n := s.open(b, "00_first_steps.ipynb")
	for i, c := range n.cells {
		if c.Type != "code" {
			continue
		}
		n.run(i)
		if strings.TrimSpace(n.look(i)) == "" &&
			!n.True(fmt.Sprintf(
				"Jupyter.notebook.get_cell(%d).output_area.element.find('img,svg').length > 0", i)) {
			t.Errorf("cell %d shows nothing", i+1)
		}
		n.Shot(fmt.Sprintf("first-%02d", i), false)
	}
	if got := n.look(n.code("lab.Replay(")); !strings.Contains(got, "identical: true") &&
		!strings.Contains(got, "identical") {
		t.Errorf("the replay: %s", got)
	}
	if b := n.save(); strings.Contains(b, s.token) || strings.Contains(b, "127.0.0.1") {
		t.Error("an address or a token is in the saved notebook")
	}
}

// The Stop button ends a step, and the cell says so; after a restart the notebook works, and
// a run that is not there any more is one red line.
func TestStopAndRestartInJupyter(t *testing.T) {
	t.Parallel()
	s := jupyter(t)
	n := s.open(browser.Start(t), "00_first_steps.ipynb")
	open, step := n.code("lab.Open("), n.code("a.Step(100)")
	n.run(open)

	n.Eval(fmt.Sprintf(
		"Jupyter.notebook.get_cell(%d).set_text('%%%%\\nlab.Get(\"a\").Step(1000000000)')", step), nil)
	n.start(step)
	n.Wait(fmt.Sprintf("Jupyter.notebook.get_cell(%d).output_area.element.find('progress').length > 0",
		step))
	n.Click(`button[data-jupyter-action="jupyter-notebook:interrupt-kernel"]`)
	n.ended(step)
	if got := n.look(step); !strings.Contains(got, "interrupted; a: iteration") {
		t.Errorf("a step that was stopped shows %s", got)
	}

	n.Eval("Jupyter.notebook.kernel.restart()", nil)
	n.patiently("!Jupyter.notebook.kernel.is_connected() || " +
		"document.querySelector('#kernel_indicator_icon').className.includes('busy')")
	n.idle()
	n.Eval(fmt.Sprintf("Jupyter.notebook.get_cell(%d).set_text('%%%%\\nlab.Get(\"a\").Step(10)')",
		step), nil)
	n.start(step)
	n.ended(step)
	n.Shot("restarted", false)
	red := fmt.Sprintf(
		"[...Jupyter.notebook.get_cell(%d).output_area.element[0].querySelectorAll('.ansi-red-fg')]",
		step)
	if !n.failed(step) || n.Text(red+".length") != "1" ||
		!strings.HasPrefix(n.Text(red+"[0].textContent"), `line 2: there is no run "a"`) {
		t.Errorf("a run of before shows %q", n.look(step))
	}
	if got := strings.TrimSpace(n.look(step)); strings.Contains(got, "exit status") {
		t.Errorf("an error shows %q", got)
	}
	n.run(open)
	n.run(step)
}
