package main

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall/js"

	"metalab/kernel/browser/prompt"
)

func main() {
	page := js.Global()
	say := func(id string, ev prompt.Event) {
		b, err := json.Marshal(ev)
		if err != nil {
			b, _ = json.Marshal(prompt.Event{Kind: "error", Text: err.Error()})
		}
		page.Call("metalabSay", id, string(b))
	}
	s, _, err := prompt.Start(context.Background(), prompt.Folder, "/state")
	if err != nil {
		fmt.Println(err)
		panic(err)
	}
	stops := map[string]context.CancelFunc{} // all of this is called by one thread
	page.Set("metalabAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		id, text := args[0].String(), args[1].String()
		ctx, cancel := context.WithCancel(context.Background())
		stops[id] = cancel
		go func() {
			var q prompt.Request
			if err := json.Unmarshal([]byte(text), &q); err != nil {
				say(id, prompt.Event{Kind: "error", Text: err.Error()})
			} else {
				s.Do(ctx, id, q, func(ev prompt.Event) { say(id, ev) })
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
	page.Call("metalabSay", "", "{}") // ready
	s.Follow(context.Background(), func(ev prompt.Event) { say("events", ev) })
	select {}
}
