// Package interpreter is Go at the prompt in a page: the interpreter of package eval, in a worker
// of its own. The runs are in the worker of the prompt, kernel/browser/metalab; what package lab
// asks of its host goes through the page to that.
package interpreter
