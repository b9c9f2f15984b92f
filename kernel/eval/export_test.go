package eval

// CompileForTest takes an input as far as it goes without running it.
func CompileForTest(s *Session, src string) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if c, err := s.newCell(src, 1); err == nil {
		c.compose()
		_ = c.check()
	}
}
