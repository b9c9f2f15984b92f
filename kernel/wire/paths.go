package wire

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// AbsPath returns the absolute path that the client means. A leading ~/ stands for the home folder.
func AbsPath(dir, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) || dir == "" {
		return path
	}
	return filepath.Join(dir, path)
}

// fileExts are the endings of files that may be meant for instances: of those that are read, and of
// others, about which an error can say what they are.
var fileExts = []string{
	"tsp", "atsp", "dat", "col", "mc", "coo", "csv", "tsv", "txt", "json", "geojson", "zip", "npy",
	"xls", "xlsx", "html", "htm", "xml", "vrp", "hcp", "sop", "tour",
}

// AbsInstance makes the name of an instance absolute if it names a file: if it has a slash, or such
// a file exists.
func AbsInstance(dir, name string) string {
	path := AbsPath(dir, name)
	if strings.Contains(name, "/") {
		return path
	}
	ext := filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))
	if ext == ".csv" || ext == ".tsv" { // tables of cities are files only
		return path
	}
	if ext != "" && slices.Contains(fileExts, ext[1:]) {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return name
}

// RecordExt is the ending that save adds to the name of a run if no file is named.
const RecordExt = ".run"

// PageExt is the ending of exported pages.
const PageExt = ".html"

// AbsRecord makes the path of a record absolute. A name without slash and dot that is no file, even
// with RecordExt, is the name of a run and stays as it is.
func AbsRecord(dir, name string) string {
	path := AbsPath(dir, name)
	if strings.ContainsAny(name, "/.") {
		return path
	}
	for _, file := range []string{path, path + RecordExt} {
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return name
}
