package interpreter

import (
	"context"
	"encoding/json"
	"syscall/js"

	"metalab/kernel/browser/worker"
)

// Serve is Go at the prompt of the page whose worker this is. It does not return.
func Serve() {
	wrong := func(err error) Event { return Event{Kind: "error", Text: err.Error()} }
	send := func(id string, what any) { worker.Say(id, what, wrong) }
	l := &link{
		ask:     func(q question) { send("call", q) },
		drop:    func(key string) { send("drop", key) },
		waiting: map[string]chan answer{},
	}
	s, err := newSession(l, "/files", func(note string) { send("note", note) })
	if err != nil {
		panic(err)
	}
	worker.Serve(func(ctx context.Context, _ string, q Request, say func(Event)) {
		s.do(ctx, q, say)
	}, wrong)
	js.Global().Set("metalabAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var a answer
		if err := json.Unmarshal([]byte(args[1].String()), &a); err != nil {
			a.Text = err.Error()
		}
		l.give(args[0].String(), a)
		return nil
	}))
	worker.Ready()
	select {}
}
