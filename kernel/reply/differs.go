package reply

// A Verdict is a reply that compares: a record, or other stored data of a run, with its replay, or
// two of them with each other.
type Verdict interface {
	// Parts reports whether they differ.
	Parts() bool
}

// Parts reports whether the replay did not prove identical to the record.
func (r *ReplayReply) Parts() bool { return !r.Identical }

// Parts reports whether the two did not prove identical.
func (r *DiffReply) Parts() bool { return !r.Identical }

// Parts reports whether the record contains something false.
func (r *OpenReply) Parts() bool { return r.False }

// Parts reports whether the opened autosave contains something false.
func (r *RecoverReply) Parts() bool { return r.Opened != nil && r.Opened.False }

// Parts reports whether the replay of the opened unit differs.
func (r *ExperimentReply) Parts() bool { return r.Other }

// Uncompared reports whether there was nothing to compare.
func Uncompared(v Verdict) bool {
	switch r := v.(type) {
	case *ReplayReply:
		return r.Nothing
	case *DiffReply:
		return r.Nothing
	}
	return false
}
