package datasets

// fact is a row of the table of published instances.
type fact struct {
	kind    Kind
	size    int
	best    BestKnown
	hasBest bool
	sha256  string
}

func lookup(name string) (fact, bool) { return fact{}, false }
