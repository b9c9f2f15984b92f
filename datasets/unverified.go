package datasets

import "fmt"

// Unverified returns the address from which an instance came by plain http, when there was no
// published SHA-256 to compare it with: whoever was on the way could have changed it. It is
// empty for all others. A copy in the cache stays what it was, and is held to its first hash.
func Unverified(inst Instance) string {
	if u, ok := inst.(interface{ origin() string }); ok {
		return u.origin()
	}
	return ""
}

// UnverifiedText says in a sentence where an unverified instance came from; empty for others.
func UnverifiedText(inst Instance) string {
	from := Unverified(inst)
	if from == "" {
		return ""
	}
	return fmt.Sprintf("%s came by plain http from %s, and no SHA-256 of it is published: "+
		"anybody on the way could have changed it (it has %s)", inst.Name(), from, inst.SHA256())
}

// setUnverified notes the address. Of the kinds of instance that are not fetched it notes
// nothing.
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
