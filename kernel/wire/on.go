package wire

import "strings"

// AllGPUs is the set of all GPUs of the machine, as in on=cuda:all.
const AllGPUs = "all"

// CutOn splits the value of on= into the backend and the GPUs: cuda and 0,1 for cuda:0,1. Without a
// colon there are no GPUs.
func CutOn(text string) (backend, gpus string) {
	backend, gpus, _ = strings.Cut(text, ":")
	return backend, gpus
}

// OnList splits a list of backends at its commas, except those between numbers of GPUs: cpu and
// cuda:0,1 for cpu,cuda:0,1.
func OnList(text string) (all []string) {
	for _, w := range NamesOf(text) {
		n := len(all)
		number := strings.Trim(w, "0123456789") == ""
		if number && n > 0 && strings.Contains(all[n-1], ":") {
			all[n-1] += "," + w
			continue
		}
		all = append(all, w)
	}
	return all
}
