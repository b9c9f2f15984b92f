package main

import "metalab/kernel/words"

var (
	_ words.Knowledge = (*shell)(nil)
	_ words.Book      = (*shell)(nil)
)

// Go implements words.Book.
func (f *shell) Go(name string) (string, bool) {
	ev, err := f.goEval()
	if err != nil {
		return "", false
	}
	d, ok := ev.(interface {
		Describe(name string) (string, bool)
	})
	if !ok {
		return "", false
	}
	return d.Describe(name)
}
