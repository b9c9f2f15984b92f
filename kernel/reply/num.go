package reply

import (
	"math"
	"strconv"
	"strings"
)

// A Num is a number that is null in JSON if it is infinite or not a number.
type Num float64

// MarshalJSON writes a number or null.
func (n Num) MarshalJSON() ([]byte, error) { return n.append(nil), nil }

func (n Num) append(b []byte) []byte {
	v := float64(n)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(b, "null"...)
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return strconv.AppendInt(b, int64(v), 10)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// UnmarshalJSON reads a number; null becomes NaN.
func (n *Num) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = Num(math.NaN())
		return nil
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return err
	}
	*n = Num(v)
	return nil
}

// Known reports whether n is a finite number.
func (n Num) Known() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// String returns n in few digits; a dash if it is unknown.
func (n Num) String() string {
	if !n.Known() {
		return "-"
	}
	v := float64(n)
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatInt(int64(v), 10)
	}
	if a := math.Abs(v); a >= 1e5 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// fromOne are the entries of a permutation, counted from 1.
func fromOne(perm []int32) string {
	words := make([]string, len(perm))
	for i, v := range perm {
		words[i] = strconv.Itoa(int(v) + 1)
	}
	return strings.Join(words, " ")
}
