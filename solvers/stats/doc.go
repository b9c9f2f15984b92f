// Package stats compares samples of results: rank tests, effect sizes and empirical
// distributions, for runs that were repeated over seeds.
//
// None of it assumes a normal distribution, which tour lengths and times to a target
// do not have. A p-value says how surprising the samples would be if both came from
// one distribution; A12 says how large the difference is. Report both.
package stats
