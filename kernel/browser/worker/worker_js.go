package worker

import (
	"context"
	"encoding/json"
	"syscall/js"
)

// Say sends the page what happened to a call, as JSON; what cannot be JSON is sent as what wrong
// makes of the reason.
func Say[Event any](id string, what any, wrong func(error) Event) {
	b, err := json.Marshal(what)
	if err != nil {
		b, _ = json.Marshal(wrong(err))
	}
	js.Global().Call("metalabSay", id, string(b))
}

// Serve has each call of the page carried out by do in a goroutine of its own, until the page stops
// it; requests that cannot be read are answered with what wrong makes of the reason.
func Serve[Request, Event any](
	do func(ctx context.Context, id string, q Request, say func(Event)), wrong func(error) Event,
) {
	page := js.Global()
	stops := map[string]context.CancelFunc{} // all of this is called by one thread
	page.Set("metalabAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		id, text := args[0].String(), args[1].String()
		ctx, cancel := context.WithCancel(context.Background())
		stops[id] = cancel
		go func() {
			say := func(e Event) { Say(id, e, wrong) }
			var q Request
			if err := json.Unmarshal([]byte(text), &q); err != nil {
				say(wrong(err))
			} else {
				do(ctx, id, q, say)
			}
			cancel()
			delete(stops, id)
		}()
		return nil
	}))
	page.Set("metalabStop", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if cancel := stops[args[0].String()]; cancel != nil {
			cancel()
		}
		return nil
	}))
}

// Ready tells the page that calls are carried out.
func Ready() { js.Global().Call("metalabSay", "", "{}") }
