package prompt

import (
	"go/token"

	"metalab/kernel/know"
	"metalab/kernel/words"
)

var (
	_ words.Knowledge = (*shell)(nil)
	_ words.Book      = book{}
)

// book is what help looks words up in.
type book struct {
	know.Patient
	shell *shell
}

// Go implements words.Book.
func (b book) Go(name string) (string, bool) {
	ev, err := b.shell.goEval()
	if err != nil {
		return "", false
	}
	d, ok := ev.(interface {
		Describe(name string) (string, bool)
	})
	if !ok {
		return "", false
	}
	if s, ok := d.Describe(name); ok || !token.IsExported(name) {
		return s, ok
	}
	return d.Describe("lab." + name)
}
