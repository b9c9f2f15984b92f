package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// outcome is what came of an item's work.
type outcome struct {
	text bytes.Buffer
	err  error
	done bool // else it was not started, or is under way
}

// parallel does the work of every item of list, jobs at a time, started in the list's order. It
// writes the output of each item to w in one piece and in the list's order, however long each
// takes. After the first error it starts nothing more, cancels the work in progress, without its
// output, and returns that error. With keepGoing it finishes all others and returns all errors
// together, in the list's order. The end of ctx is returned as its error.
func parallel(
	ctx context.Context, list []string, jobs int, keepGoing bool, w io.Writer,
	work func(context.Context, string, io.Writer) error,
) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		outcomes = make([]outcome, len(list))
		mu       sync.Mutex // guards outcomes, first, told and w
		first    error
		told     int // items whose text is written
		wg       sync.WaitGroup
	)
	places := make(chan struct{}, max(jobs, 1))
	for i, item := range list {
		places <- struct{}{}
		if inner.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-places }()
			var text bytes.Buffer
			err := work(inner, item, &text)
			mu.Lock()
			defer mu.Unlock()
			o := &outcomes[i]
			o.done = true
			if err == nil || inner.Err() == nil {
				o.text, o.err = text, err
			}
			if o.err != nil && first == nil {
				first = o.err
				if !keepGoing {
					cancel()
				}
			}
			for told < len(list) && outcomes[told].done {
				_, _ = w.Write(outcomes[told].text.Bytes())
				told++
			}
		})
	}
	wg.Wait()
	for ; told < len(list); told++ { // behind what was never started
		_, _ = w.Write(outcomes[told].text.Bytes())
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case first == nil || !keepGoing:
		return first
	}
	var errs []error
	for i := range outcomes {
		if outcomes[i].err != nil {
			errs = append(errs, outcomes[i].err)
		}
	}
	return fmt.Errorf("%d of %d failed:\n%w", len(errs), len(list), errors.Join(errs...))
}
