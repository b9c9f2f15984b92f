package main

import "metalab/kernel/words"

var (
	_ words.Knowledge = (*front)(nil)
	_ words.Book      = (*front)(nil)
)

// Go implements words.Book.
func (f *front) Go(name string) (string, bool) {
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
