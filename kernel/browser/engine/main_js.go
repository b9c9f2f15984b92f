package main

import (
	"context"
	"encoding/json"
	"syscall/js"
	"time"

	"metalab/kernel/browser"
)

func main() {
	page := js.Global()
	e := &browser.Engine{
		// What the page sent arrives while all of Go waits.
		Pause: func() { time.Sleep(time.Millisecond) },
	}
	stops := map[string]context.CancelFunc{} // all of this is called by one thread
	turn := make(chan struct{}, 1)           // requests come one after the other
	say := func(id string, ev browser.Event) {
		b, err := json.Marshal(ev)
		if err != nil {
			b, _ = json.Marshal(browser.Event{Kind: "error", Error: err.Error()})
		}
		page.Call("metalabSay", id, string(b))
	}
	page.Set("metalabAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		id, text := args[0].String(), args[1].String()
		ctx, cancel := context.WithCancel(context.Background())
		stops[id] = cancel
		go func() {
			turn <- struct{}{}
			var q browser.Request
			if err := json.Unmarshal([]byte(text), &q); err != nil {
				say(id, browser.Event{Kind: "error", Error: err.Error()})
			} else {
				e.Do(ctx, q, func(ev browser.Event) { say(id, ev) })
			}
			<-turn
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
	page.Call("metalabSay", "", "{}") // ready
	select {}
}
