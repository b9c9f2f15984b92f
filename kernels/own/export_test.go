package own

func init() { movesAtOnce = 16 }
