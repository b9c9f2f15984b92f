// Package revision knows the revision of each variant's algorithm, also in programs into which the
// variant is not linked, as those on a CPU alone or in a page: figures of an earlier one are told
// from those of today's everywhere. A test holds the list to the variants.
package revision

import "strings"

// now are the revisions by solver and variant.
var now = map[string]int{
	"acs/alt":             2,
	"acs/gpu":             2,
	"acs/lockstep":        3,
	"acs/seq":             1,
	"acs/spm":             4,
	"acs/spm-sync":        3,
	"anneal/metropolis":   1,
	"anneal/population":   1,
	"anneal/spins":        1,
	"as/scan":             2,
	"as/wrs":              2,
	"cmaes/ipop":          1,
	"ga/eax":              3,
	"ga/eax-rounds":       2,
	"ga/generational":     1,
	"ga/tournament":       4,
	"hill/climb":          3,
	"ils/2opt-rounds":     1,
	"ils/best":            1,
	"ils/moves":           1,
	"ils/pools":           2,
	"ils/queue":           12,
	"ils/tiles":           6,
	"mmas/focused":        3,
	"mmas/rows":           5,
	"mmas/scan":           3,
	"mmas/thin":           3,
	"mmas/wrs":            3,
	"tabu/robust":         2,
	"threshold/accepting": 1,
	"threshold/record":    1,
	"vnd/climb":           3,
}

// formerly are names that variants had before.
var formerly = map[string]string{"ga/rivals": "ga/tournament"}

// Of is the revision of a variant, as "mmas/rows"; 0 of one that does not exist.
func Of(variant string) int {
	if is, ok := formerly[variant]; ok {
		variant = is
	}
	return now[strings.TrimSpace(variant)]
}
