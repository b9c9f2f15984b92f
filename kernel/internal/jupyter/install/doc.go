// Package install puts the kernel where Jupyter looks for it, takes it out again, and says what is
// missing: install, uninstall and doctor.
//
// [Into] writes the kernelspec last, so that Jupyter never offers what is not whole. What the
// doctor looks at is a [Finding] each: [Examine] lists them.
package install
