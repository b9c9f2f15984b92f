package tuning

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// A Method says how configurations are proposed and dropped.
type Method string

// The methods; see the package's text.
const (
	Random  Method = "random"
	Latin   Method = "latin"
	Halving Method = "halving"
	Race    Method = "race"
)

// The tests of a race.
const (
	FriedmanTest = "friedman"
	TTest        = "t"
)

// A Plan says what is tuned, on what, and by what means.
type Plan struct {
	Setting   experiment.Setting
	Space     []Dimension
	Own       record.Values // of what is tuned, in the first trial; else those of the preset
	Instances []string
	Seeds     int    // at most so many on each instance; a race may need fewer
	First     uint64 // the first; they count up from it
	Budget    record.Budget

	Method Method // empty: Race
	Trials int    // Random, Latin, Halving: how many, with the setting as it is; 0: 27
	Units  int    // Race: at most so many, and those that trial 1 lacks in the end; 0: 1000
	Test   string // Race: FriedmanTest or TTest; empty: the first
	Least  int    // Race: blocks before the first test; 0: 5
	Alpha  float64
	Seed   uint64 // of the proposals
}

// defaults fills in what is left out, and returns what is wrong with the plan by itself.
func (p *Plan) defaults() error {
	p.Method, p.Test = cmp.Or(p.Method, Race), cmp.Or(p.Test, FriedmanTest)
	p.Trials, p.Units = cmp.Or(p.Trials, 27), cmp.Or(p.Units, 1000)
	p.Least, p.Alpha = cmp.Or(p.Least, 5), cmp.Or(p.Alpha, 0.05)
	switch p.Method {
	case Random, Latin, Halving, Race:
	default:
		return fmt.Errorf("tuning: method is %q, want %s, %s, %s or %s", p.Method, Random, Latin,
			Halving, Race)
	}
	switch {
	case p.Test != FriedmanTest && p.Test != TTest:
		return fmt.Errorf("tuning: test is %q, want %s or %s", p.Test, FriedmanTest, TTest)
	case len(p.Space) == 0:
		return fmt.Errorf("tuning: no parameter is to be tuned")
	case len(p.Instances) == 0:
		return fmt.Errorf("tuning: no instance is named")
	case p.Seeds < 1 || p.Seeds > experiment.MaxUnits:
		return fmt.Errorf("tuning: seeds is %d, want 1 to %d", p.Seeds, experiment.MaxUnits)
	case p.Trials < 2 || p.Trials > experiment.MaxUnits:
		return fmt.Errorf("tuning: trials is %d, want 2 to %d", p.Trials, experiment.MaxUnits)
	case p.Least < 2:
		return fmt.Errorf("tuning: the first test is after %d blocks, want 2 or more", p.Least)
	case !(p.Alpha > 0 && p.Alpha < 1):
		return fmt.Errorf("tuning: alpha is %v, want above 0 and below 1", p.Alpha)
	}
	for i := range p.Space {
		if err := p.Space[i].check(); err != nil {
			return err
		}
		for _, d := range p.Space[:i] {
			if d.Name == p.Space[i].Name {
				return fmt.Errorf("tuning: %s is tuned twice", d.Name)
			}
		}
		if v, fixed := p.Setting.Params[p.Space[i].Name]; fixed {
			return fmt.Errorf("tuning: %s is fixed at %s and tuned, too", p.Space[i].Name, v)
		}
	}
	for n, v := range p.Own {
		if !slices.ContainsFunc(p.Space, func(d Dimension) bool { return d.Name == n }) {
			return fmt.Errorf("tuning: the first trial has %s=%s, which is not tuned", n, v)
		}
	}
	if p.Method != Race {
		return nil
	}
	blocks := p.Seeds * len(p.Instances)
	switch most := p.Units / p.rounds() / (p.Least + 1); {
	case blocks < p.Least:
		return fmt.Errorf("tuning: %d instances with %d seeds are %d blocks, and the first test of a "+
			"race is after %d: want more seeds or instances", len(p.Instances), p.Seeds, blocks, p.Least)
	case most < p.keep()+1:
		return fmt.Errorf("tuning: %d units are too few for %d races, want %d or more", p.Units,
			p.rounds(), (p.keep()+1)*p.rounds()*(p.Least+1))
	}
	return nil
}

// Check returns what is wrong with a plan: the error that Tune would begin with.
func (p Plan) Check(ctx context.Context, load experiment.Loader) error {
	if err := p.defaults(); err != nil {
		return err
	}
	_, err := p.declared(ctx, load)
	return err
}

// rounds is the number of races, keep how many trials a race leaves at least: as irace has them.
func (p *Plan) rounds() int { return 2 + int(math.Log2(float64(len(p.Space)))) }
func (p *Plan) keep() int   { return 2 + int(math.Log2(float64(len(p.Space)))) }

// A Block is an instance with a seed.
type Block struct {
	Instance string
	Seed     uint64
}

// block is the k-th block.
func (p *Plan) block(k int) Block {
	n := len(p.Instances)
	return Block{p.Instances[k%n], p.First + uint64(k/n)}
}

// Most is the greatest number of units that the plan can take.
func (p Plan) Most() int {
	if p.Method == Race || p.Method == "" {
		return cmp.Or(p.Units, 1000)
	}
	return cmp.Or(p.Trials, 27) * p.blocks()
}
