package stats

import (
	"fmt"
	"math"
)

// Mean estimates the mean of a sample with Student's interval.
func Mean(x []float64, level float64) (Estimate, error) {
	out := Estimate{Level: level}
	if err := checkLevel(level); err != nil {
		return out, err
	}
	if err := numbers("mean", "x", x); err != nil {
		return out, err
	}
	if len(x) < 2 {
		return out, fmt.Errorf("stats: mean of %d values, want at least 2", len(x))
	}
	mean, deviation := MeanDeviation(x)
	half := StudentQuantile((1-level)/2, len(x)-1) * deviation / math.Sqrt(float64(len(x)))
	out.Value, out.Low, out.High = mean, mean-half, mean+half
	return out, nil
}

// MeanDeviation returns the mean and the standard deviation (of n - 1) of a sample; the deviation
// of fewer than two values is not a number.
func MeanDeviation(x []float64) (mean, deviation float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	sum := 0.0
	for _, v := range x {
		sum += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sum / float64(len(x)-1))
}

// StudentQuantile returns the t that a variable of Student's distribution with so many degrees of
// freedom, 1 or more, exceeds with probability p. For one and two degrees it is exact; for more it
// is the expansion by G. W. Hill (Algorithm 396: Student's t-quantiles, Comm. ACM 13, 1970,
// doi:10.1145/355598.355600), to four digits and more between .005 and .995.
func StudentQuantile(p float64, degrees int) float64 {
	n := float64(degrees)
	if p > .5 {
		return -StudentQuantile(1-p, degrees)
	}
	switch degrees {
	case 1:
		return 1 / math.Tan(math.Pi*p)
	case 2:
		return (1 - 2*p) / math.Sqrt(2*p*(1-p))
	}
	p *= 2 // of both sides
	a := 1 / (n - .5)
	b := 48 / (a * a)
	c := ((20700*a/b-98)*a-16)*a + 96.36
	d := ((94.5/(b+c)-3)/b + 1) * math.Sqrt(a*math.Pi/2) * n
	y := math.Pow(d*p, 2/n)
	if y <= a+.05 {
		y = ((1/(((n+6)/(n*y)-.089*d-.822)*(n+2)*3)+.5/(n+4))*y-1)*(n+1)/(n+2) + 1/y
		return math.Sqrt(n * y)
	}
	x := -math.Abs(normalQuantile(p / 2))
	y = x * x
	if degrees < 5 {
		c += .3 * (n - 4.5) * (x + .6)
	}
	c += (((.05*d*x-5)*x-7)*x-2)*x + b
	y = (((((.4*y+6.3)*y+36)*y+94.5)/c-y-3)/b + 1) * x
	y = a * y * y
	if y > .002 {
		y = math.Expm1(y)
	} else {
		y += .5 * y * y
	}
	return math.Sqrt(n * y)
}
