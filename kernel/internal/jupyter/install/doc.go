// Package install installs the kernel where Jupyter looks for it, removes it, and reports what is
// missing: install, uninstall and doctor.
//
// [Into] writes the kernelspec last, so that Jupyter never offers an incomplete kernel. Each check
// of the doctor gives a [Finding]: [Examine] lists them.
package install
