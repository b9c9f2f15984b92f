package metalab

import (
	"context"
	"fmt"

	"metalab/kernel/browser/prompt"
	"metalab/kernel/browser/worker"
)

// Serve is the prompt of the page whose worker this is. It does not return.
func Serve() {
	s, _, err := prompt.Start(context.Background(), prompt.Folder, "/state")
	if err != nil {
		fmt.Println(err)
		panic(err)
	}
	wrong := func(err error) prompt.Event { return prompt.Event{Kind: "error", Text: err.Error()} }
	worker.Serve(s.Do, wrong)
	worker.Ready()
	s.Follow(context.Background(), func(ev prompt.Event) { worker.Say("events", ev, wrong) })
	select {}
}
