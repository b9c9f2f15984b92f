package wire

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// FileText returns the text of an error in which what the system says of a file stands in plain
// words, without the call that failed: "there is no file a.run" for "stat a.run: no such file or
// directory".
func FileText(err error) string {
	text := err.Error()
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return strings.Replace(text, at.Error(), ofFile(at.Path, at.Err), 1)
	case errors.As(err, &link):
		return strings.Replace(text, link.Error(), ofFile(link.Old, link.Err), 1)
	}
	return text
}

// ofFile says what is wrong with a file.
func ofFile(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no file " + path
	case errors.Is(err, syscall.EISDIR):
		return path + " is a folder, want a file"
	case errors.Is(err, syscall.ENOTDIR):
		return path + ": what stands before the last / is no folder"
	}
	return path + ": " + err.Error()
}
