package lab

import (
	"fmt"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// ofPrompt executes the verbs that the prompt answers without the host, such as help.
func ofPrompt(call words.Call) reply.Reply {
	if call.Verb.Name == "help" {
		word, _ := call.Args["word"].(string)
		text, err := words.Help(word, book{})
		if err != nil {
			fail(&Error{wire.CodeRequest, err.Error()})
		}
		return &reply.NoteReply{Verb: "help", Note: text}
	}
	says := fmt.Sprintf("%s: it is for the prompt's screen", call.Verb.Name)
	if call.Verb.Name == "watch" {
		run := "a"
		if names, ok := call.Args["runs"].([]string); ok && len(names) > 0 {
			run = names[0]
		}
		says += fmt.Sprintf("; in a cell it is lab.Watch(lab.Get(%q))", run)
	}
	fail(&Error{wire.CodeVerb, says})
	return nil
}

// A book is where help looks words up: the session.
type book struct{}

var _ words.Book = book{}

// Runs implements words.Book.
func (book) Runs() []reply.Status { return Runs().Runs }

// Params implements words.Book.
func (book) Params(run string) []reply.Param {
	var r reply.ParamsReply
	ask("params", wire.ParamsRequest{Run: run}, &r)
	return r.Params
}

// Variants implements words.Book.
func (book) Variants(q wire.SolversRequest) []reply.Variant {
	var r reply.SolversReply
	if err := Try(func() { ask("solvers", q, &r) }); err != nil {
		return nil // of a word that is no solver
	}
	return r.Variants
}

// Names implements words.Book.
func (book) Names() []reply.SolverName { return Solvers("").Names }

// Instances implements words.Book.
func (book) Instances() []string { return Instances("").Names }

// Go implements words.Book: in a notebook the language server tells of Go.
func (book) Go(string) (text string, ok bool) { return "", false }
