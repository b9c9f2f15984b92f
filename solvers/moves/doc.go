// Package moves is a draft.
package moves
