package reply

// A Verdict is a reply that may say that a record, or something else that is kept of a run, is
// another than what is made again of it, or than the other one of two.
type Verdict interface {
	// Parts reports whether that is so.
	Parts() bool
}

// Parts reports whether the record was not found to be what was made again of it.
func (r *ReplayReply) Parts() bool { return !r.Identical }

// Parts reports whether the two were not found to be the same.
func (r *DiffReply) Parts() bool { return !r.Identical }

// Parts reports whether something in the record is false.
func (r *OpenReply) Parts() bool { return r.False }

// Parts reports whether something in the autosave that was opened is false.
func (r *RecoverReply) Parts() bool { return r.Opened != nil && r.Opened.False }

// Parts reports whether the unit that was opened was made again as another one.
func (r *ExperimentReply) Parts() bool { return r.Other }

// Uncompared reports whether a verdict is none because there was nothing to compare.
func Uncompared(v Verdict) bool {
	switch r := v.(type) {
	case *ReplayReply:
		return r.Nothing
	case *DiffReply:
		return r.Nothing
	}
	return false
}
