package reply

import "encoding/json"

// Live returns the data with which a page without a kernel shows an interactive reply: kind "scrub"
// has a slider over the iterations, "sliders" has the parameters. Both are empty for other replies.
func Live(r Reply) (kind string, data json.RawMessage) {
	switch r := r.(type) {
	case *ScrubReply:
		if len(r.Frames) > 0 {
			kind = "scrub"
		}
	case *SlidersReply:
		if len(r.Params) > 0 {
			kind = "sliders"
		}
	}
	if kind == "" {
		return "", nil
	}
	data, err := json.Marshal(r)
	if err != nil {
		return "", nil
	}
	return kind, data
}
