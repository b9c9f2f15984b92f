package reply

import "encoding/json"

// Live is how a page without a kernel shows a reply where that is more than text: "scrub" with a
// slider over the iterations, "sliders" with the parameters to be turned. It is empty for others.
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
