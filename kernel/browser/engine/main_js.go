package main

import (
	"context"
	"time"

	"metalab/kernel/browser"
	"metalab/kernel/browser/worker"
)

func main() {
	e := &browser.Engine{
		// What the page sent arrives while all of Go waits.
		Pause: func() { time.Sleep(time.Millisecond) },
	}
	turn := make(chan struct{}, 1) // requests come one after the other
	worker.Serve(func(ctx context.Context, _ string, q browser.Request, say func(browser.Event)) {
		turn <- struct{}{}
		defer func() { <-turn }()
		e.Do(ctx, q, say)
	}, func(err error) browser.Event { return browser.Event{Kind: "error", Error: err.Error()} })
	worker.Ready()
	select {}
}
