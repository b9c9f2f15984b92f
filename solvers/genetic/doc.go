// Package genetic registers the solver ga.
package genetic
