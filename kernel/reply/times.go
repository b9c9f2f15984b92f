package reply

import (
	"fmt"
	"os"
	"time"
)

// EnvTimes is the environment variable that, set to none, leaves measured times out of texts: what
// a notebook holds is the same then each time that it is executed. Data has them all the same.
const EnvTimes = "METALAB_TIMES"

// untimed stands for a measured time where EnvTimes leaves it out.
const untimed = "…"

// seconds is a time in words, as "12 ms", "3.20 s" or "4m10s".
func (n Num) seconds() string {
	v := float64(n)
	switch {
	case !n.Known():
		return "-"
	case os.Getenv(EnvTimes) == "none":
		return untimed
	case v < 1:
		return fmt.Sprintf("%.3g ms", 1000*v)
	case v < 100:
		return fmt.Sprintf("%.2f s", v)
	}
	return time.Duration(v * float64(time.Second)).Round(time.Second).String()
}

// rate is the number of iterations a second.
func (r *ShowReply) rate() string {
	if os.Getenv(EnvTimes) == "none" {
		return untimed
	}
	return r.Rate.String()
}
