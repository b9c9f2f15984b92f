package host

import (
	"fmt"
	"strings"

	"metalab/datasets"
	"metalab/solvers/record"
)

// ObjectivesOf are the parameters of an instance that are a part of its objective: those of a
// problem that somebody declared. Runs with different values of one have costs that do not compare.
func ObjectivesOf(inst datasets.Instance) []string {
	if p, ok := inst.(interface{ Objectives() []string }); ok {
		return p.Objectives()
	}
	return nil
}

// ObjectiveBy is the objective that parameters choose among those of a problem, as "penalty=5".
func ObjectiveBy(names []string, params record.Values) string {
	var out []string
	for _, n := range names {
		if v, ok := params[n]; ok {
			out = append(out, n+"="+v.String())
		}
	}
	return strings.Join(out, " ")
}

// OtherObjectives says why results with these two objectives are not compared.
func OtherObjectives(instance, a, b string) string {
	return fmt.Sprintf("%s and %s are two objectives of %s, whose own parameter that is: their "+
		"values do not compare, so there is no test between them; evaluate the solutions of both by one "+
		"setting", a, b, instance)
}
