package reply

// An ExperimentInfo describes the state of an experiment.
type ExperimentInfo struct {
	Name   string `json:"name"`
	Plan   string `json:"plan"` // in words
	Began  string `json:"began"`
	Units  int    `json:"units"`
	Done   int    `json:"done"`
	Failed int    `json:"failed"`

	// Going: this session is running units now; LeftS: seconds left, 0: unknown.
	Going      bool `json:"going,omitempty"`
	Background bool `json:"background,omitempty"`
	LeftS      Num  `json:"left_s,omitempty"`
	Elsewhere  bool `json:"elsewhere,omitempty"` // another process runs them
}

// Left returns the number of units with neither result nor error.
func (i *ExperimentInfo) Left() int { return i.Units - i.Done - i.Failed }

// An ExperimentRow holds the units of an experiment that differ only in their seeds.
type ExperimentRow struct {
	Instance string `json:"instance"`
	Label    string `json:"label"`
	Device   string `json:"device,omitempty"`
	Seeds    int    `json:"seeds"` // with a result
	Left     int    `json:"left,omitempty"`
	Failed   int    `json:"failed,omitempty"`
	Mean     Num    `json:"mean"` // of the best values
	Median   Num    `json:"median"`
	Best     Num    `json:"best"`
	Maximise bool   `json:"maximise,omitempty"` // greater values are better
	GapMean  Num    `json:"gap_mean"`           // percent
	GapM     Num    `json:"gap_median"`
	WallS    Num    `json:"wall_s"` // median
	CPUS     Num    `json:"cpu_s"`  // median
	P        Num    `json:"p"`      // against the instance's first row, adjusted by Holm
	// A12: the share of pairs in which its value is below that of the first row
	Effect Num   `json:"effect"`
	Times  []Num `json:"times,omitempty"`  // best: wall times in seconds
	Within []Num `json:"within,omitempty"` // best: medians within them
}

// An ExperimentUnit is a unit of an experiment.
type ExperimentUnit struct {
	Number    int    `json:"number"`
	Key       string `json:"key"`
	Label     string `json:"label"`
	Instance  string `json:"instance"`
	Seed      uint64 `json:"seed"`
	State     string `json:"state"`
	Best      Num    `json:"best"`
	Gap       Num    `json:"gap"`
	Iteration int64  `json:"iteration"`
	WallS     Num    `json:"wall_s"`
	CPUS      Num    `json:"cpu_s"`
	Device    string `json:"device,omitempty"` // the GPU that ran it
	Why       string `json:"why,omitempty"`
	Error     string `json:"error,omitempty"`
}

// Spent returns the unit's time in seconds: CPU time for cpu, else wall time.
func (u *ExperimentUnit) Spent(by string) float64 {
	if by == "cpu" {
		return float64(u.CPUS)
	}
	return float64(u.WallS)
}

// An ExperimentReply describes experiments: a list of them; or one with its table, with its units,
// or with its results within equal times.
type ExperimentReply struct {
	Verb string           `json:"verb"`
	List []ExperimentInfo `json:"experiments,omitempty"`
	Path string           `json:"path,omitempty"` // of the file

	Recovered *Recovery `json:"recovered,omitempty"`

	*ExperimentInfo
	Added  int              `json:"added,omitempty"` // new units
	Made   int              `json:"made,omitempty"`  // now
	Lines  []string         `json:"lines,omitempty"` // planned and dropped parts, if several
	Rows   []ExperimentRow  `json:"rows,omitempty"`
	Test   string           `json:"test,omitempty"` // the meaning of P
	Listed bool             `json:"listed,omitempty"`
	Of     []ExperimentUnit `json:"of,omitempty"`
	By     string           `json:"by,omitempty"`     // slowest: wall or cpu, the order of Of
	Report []string         `json:"report,omitempty"` // sentences about the rows
	Note   string           `json:"note,omitempty"`
	View   *ExperimentView  `json:"view,omitempty"` // targets or budgets

	Opened   *OpenReply `json:"opened,omitempty"` // a unit, as a run
	Unit     int        `json:"unit,omitempty"`
	Replayed string     `json:"replayed,omitempty"` // identical, or what differs
	Other    bool       `json:"differs,omitempty"`  // its replay differs
}
