package reply

// where is the backend, with the numbers of the GPUs.
func (s *Status) where() string {
	if s.GPUs == "" {
		return s.Backend
	}
	return s.Backend + ":" + s.GPUs
}
