package pages_test

import (
	"net/url"
	"strings"
	"testing"

	"metalab/notebooks/internal/browser"
)

// goTyped are lines of Go, and what the page says then.
var goTyped = []struct{ line, said string }{
	{"x := 6", ""},
	{"x * 7", "42"},
	{`a := lab.Open("a", "acs", lab.Load("rand-100-1"), lab.Seed(1)); a.Step(20)`, "a: iteration 20"},
	{"step a 5; best a", "iteration 25"}, // verbs and Go have the same runs
	{`for i := range 2 {`, ""},
	{`fmt.Println("turn", i, a.Step(5).Iteration)`, ""},
	{"}", "turn 0 30\nturn 1 35"},
	{`type T struct{ n int }; func (t T) String() string { return fmt.Sprint("T", t.n) }`, ""},
	{"T{4}", "T4"},
	{"stat.Mean([]float64{1, 2, 6}, nil)", "3"},
	{`len(a.Array("tour").Int32s())`, "100"},
	{`import "os"; os.WriteFile("b.txt", []byte("abc"), 0o644)`, ""},
	{`b, _ := os.ReadFile("b.txt"); string(b)`, `"abc"`},
	{`a.Save("a.run"); lab.Replay("a.run")`, "identical"},
	{`fmt.Print("no end")`, "no end"},
}

// goWrong are lines that are answered by an error.
var goWrong = []struct{ line, said string }{
	{"stp a 10", `"stp" is not a command, did you mean step?`},
	{"undefinedName(3)", "undefined: undefinedName"},
	{`lab.Open("b", "nothing", lab.Load("rand-100-1"))`, "nothing"},
	{`a.Set("q0", 7)`, "q0"},
	{"lab.GPU(0)", "a page has no GPU"},
	{"func f(n int) int { return f(n+1) }; f(0)", "stack"},
	{"make([]int, 1<<40)", "asks for"},
	{`var m map[string]int; m["a"] = 1`, "nil map"},
}

// TestPromptGo types Go into the prompt of a page.
func TestPromptGo(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	dir := t.TempDir()
	prompted(t, dir)
	p := b.Open("file://" + dir + "/prompt.html")
	p.Size(400, 800, 2, false)
	p.Wait(`document.querySelector("#status").textContent === "ready"`)
	last := `[...document.querySelectorAll("#log > *")].slice(` +
		`[...document.querySelectorAll("#log > *")].findLastIndex(e => e.className === "typed") + 1)` +
		`.map(e => e.textContent).join("\n")`
	do := func(line string) string {
		p.Type("#line", line+"\r")
		p.Wait(idle)
		return p.Text(last)
	}
	// A slip of the pen does not load Go.
	if got := do("stp a 10"); !strings.Contains(got, "did you mean step?") ||
		p.True(`[...document.scripts].some(s => s.src.includes("metalab-go"))`) {
		t.Errorf("a slip: %s", got)
	}
	began := p.Text(`performance.now()`)
	for _, q := range goTyped {
		got := do(q.line)
		if !strings.Contains(got, q.said) || !strings.HasPrefix(p.Text(wrong), `"stp"`) ||
			strings.Contains(p.Text(wrong), "\n") {
			t.Errorf("%s: %s; want %q", q.line, got, q.said)
		}
		if q.line == "x := 6" {
			t.Logf("the first line of Go took %s ms", p.Text(`Math.round(performance.now() - `+began+`)`))
		}
	}
	for _, q := range goWrong {
		if got := do(q.line); !strings.Contains(got, q.said) {
			t.Errorf("%s: %s; want %q", q.line, got, q.said)
		}
	}
	t.Log(p.Text(logged))

	// A figure, completion, help.
	do(`lab.Show(a.Plot("tour"))`)
	p.Wait(`document.querySelectorAll("#log img").length === 1`)
	p.Type("#line", "a.Ste\t")
	p.Wait(`document.querySelector("#line").value.startsWith("a.Step")`)
	p.Eval(`document.querySelector("#line").value = ""`, nil)
	if got := do("?lab.Open"); !strings.Contains(got, "func(") {
		t.Errorf("help of Go: %s", got)
	}
	// ^C ends a loop; the variables are there.
	p.Type("#line", "for { x++ }\r")
	p.Wait(`!document.querySelector("#stop").hidden`)
	p.Eval(`setTimeout(() => dispatchEvent(new KeyboardEvent("keydown", `+
		`{key: "c", ctrlKey: true})), 300)`, nil)
	p.Wait(idle)
	if got := do("x > 6"); got != "true" {
		t.Errorf("after ^C: %s", got)
	}
	// ^C ends a step that Go makes.
	p.Type("#line", "a.Step(1000000)\r")
	p.Wait(`/iteration [1-9]\d\d/.test(document.querySelector("#status").textContent)`)
	p.Eval(`dispatchEvent(new KeyboardEvent("keydown", {key: "c", ctrlKey: true}))`, nil)
	p.Wait(idle)
	if got := p.Text(last); !strings.Contains(got, "interrupted") {
		t.Errorf("^C of a step: %s", got)
	}
	if w := p.Text("document.documentElement.scrollWidth"); w != "400" {
		t.Errorf("the page is %s pixels wide in a window of 400", w)
	}
	p.Shot("prompt-go", true)

	// A link with cells, as the course has them beside its own: each is one input.
	p = b.Open("file://" + dir + "/prompt.html#cells=" + url.PathEscape(
		"open acs rand-60-1 as a seed=1\n\ntype W struct{ n int }\n"+
			"func (w W) Twice() int { return 2 * w.half() }\n"+
			"func (w W) half() int { return w.n }\n\na := lab.Get(\"a\")\na.Step(7)\n"+
			"fmt.Println(W{21}.Twice(), a.Show().Iteration)"))
	p.Wait(`!document.querySelector("#given").hidden`)
	p.Click("#run")
	p.Wait(logged + `.includes("42 7") && ` + idle)
	if got := p.Text(wrong); got != "" {
		t.Errorf("cells: %s", got)
	}
}
