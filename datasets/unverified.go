package datasets

import "fmt"

// Unverified returns the address from which an instance came by plain http without a published
// SHA-256 to compare: anybody on the way could have changed it. It is empty for all other
// instances. A copy in the cache keeps its mark and its first hash.
func Unverified(inst Instance) string {
	if u, ok := inst.(interface{ origin() string }); ok {
		return u.origin()
	}
	return ""
}

// UnverifiedText names the source of an unverified instance in a sentence; it is empty for other
// instances.
func UnverifiedText(inst Instance) string {
	from := Unverified(inst)
	if from == "" {
		return ""
	}
	return fmt.Sprintf("%s came by plain http from %s, and no SHA-256 of it is published: "+
		"anybody on the way could have changed it (it has %s)", inst.Name(), from, inst.SHA256())
}

// setUnverified stores the address, for the kinds of instance that can be fetched.
func setUnverified(inst Instance, from string) {
	switch p := inst.(type) {
	case *TSP:
		p.facts.from = from
	case *QAP:
		p.facts.from = from
	}
}

func (t *TSP) origin() string { return t.facts.from }
func (q *QAP) origin() string { return q.facts.from }
