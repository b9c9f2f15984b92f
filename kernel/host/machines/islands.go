package machines

import (
	"context"
	"fmt"
	"strings"

	"metalab/kernel/host"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/experiment/stream/broker"
)

// islands finds who makes the islands of a run.
func islands(ctx context.Context, stateDir, word string) (host.Placed, error) {
	a := address(stateDir, word)
	switch {
	case word == embed:
		var err error
		if a, err = serve(ctx, stateDir, broker.Options{}); err != nil {
			return nil, err
		}
	case !strings.Contains(word, "://"):
		return nil, fmt.Errorf("%s is none, want local, embed, or nats://HOST:PORT", word)
	}
	s, err := stream.OpenIslands(ctx, a, stream.Timing{}, nil)
	if err != nil {
		return nil, err
	}
	lately.set(word)
	return s, nil
}
