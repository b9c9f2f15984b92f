package panel

// For the tests outside.

// Again does what a panel does when it has missed what happened.
func (p *Panel) Again() { p.again() }
