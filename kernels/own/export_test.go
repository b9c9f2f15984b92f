package own

func init() { movesAtOnce = 16 }

// Forget drops all compiled texts.
func Forget() {
	known.Lock()
	defer known.Unlock()
	clear(known.by)
	known.order = nil
}
