package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// readFormats are the formats of instances that are read, by the endings of files.
const readFormats = ".tsp and .atsp (TSPLIB), .dat (QAPLIB), .col (graphs of DIMACS), .mc " +
	"(max-cut, rudy), .coo (Ising and QUBO, dimod), .qubo (qbsolv), .sparse (Biq Mac), " +
	".csv and .tsv (tables of cities)"

// anInstance is what is wanted in place of a file of another format.
const anInstance = "an instance: " + readFormats

// strangers are other formats by their first bytes, with what to do.
var strangers = []struct{ magic, what string }{
	{"PK\x03\x04", "a ZIP archive or a workbook of Excel: unpack it, or save the table as .csv"},
	{"\x93NUMPY", "an array of NumPy: write places as .csv, or distances as a .tsp with " +
		"EDGE_WEIGHT_TYPE EXPLICIT"},
	{"%PDF", "a PDF"},
	{"BZh", "a file packed by bzip2: unpack it"},
	{"\xfd7zXZ", "a file packed by xz: unpack it"},
	{"7z\xbc\xaf", "an archive of 7-Zip: unpack it"},
	{"\x28\xb5\x2f\xfd", "a file packed by zstd: unpack it"},
	{"Rar!", "a RAR archive: unpack it"},
	{"SQLite format 3", "a database of SQLite"},
	{"\xd0\xcf\x11\xe0", "a workbook of old Excel: save the table as .csv"},
}

// stranger returns an error about a file that is plainly of another format.
func stranger(data []byte, file string) error {
	found := ""
	for _, s := range strangers {
		if bytes.HasPrefix(data, []byte(s.magic)) {
			found = s.what
		}
	}
	head := bytes.TrimLeft(data[:min(len(data), 4096)], " \t\r\n")
	low := bytes.ToLower(head)
	switch {
	case found != "" || len(head) == 0:
	case bytes.HasPrefix(low, []byte("<!doctype html")) || bytes.HasPrefix(low, []byte("<html")):
		found = "a web page (HTML), perhaps of a download that failed"
	case head[0] == '<':
		found = "XML"
	case head[0] == '{' && bytes.Contains(head, []byte(`"Feature`)):
		found = "GeoJSON: write its points as .csv with columns name, longitude and latitude"
	case head[0] == '{' || head[0] == '[':
		found = "JSON: write places as .csv with columns name, longitude and latitude, or x and y"
	}
	if found == "" {
		return nil
	}
	return &SyntaxError{File: file, Want: anInstance, Found: found}
}

// taken adds the assumed format, and the reason for it, to an error about the content of a file.
func taken(err error, file string, data []byte, what string) error {
	var e *SyntaxError
	if !errors.As(err, &e) || e.Want == anInstance {
		return err
	}
	e.Taken = "taken for " + what + "; read are " + readFormats
	line, _, _ := bytes.Cut(bytes.TrimLeft(data, " \t\r\n"), []byte("\n"))
	words := strings.FieldsFunc(strings.ToLower(string(line)), func(r rune) bool {
		return strings.ContainsRune(",;\t| \r\"", r)
	})
	has := func(field string) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return slices.Contains(cityWords[field], w)
		})
	}
	if has("longitude") && has("latitude") || has("x") && has("y") {
		e.Taken += "; a table of cities, as this seems to be, is called " +
			clip(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))) + ".csv"
	}
	return err
}

// plainText returns text without a byte order mark, and converts UTF-16 to UTF-8 if the mark says
// so.
func plainText(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return data
	}
	units := make([]uint16, 0, len(data)/2)
	for b := data[2:]; len(b) > 1; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	return []byte(string(utf16.Decode(units)))
}

// windows1252 returns text of that encoding, and of Latin-1, as UTF-8.
func windows1252(text []byte) string {
	const from80 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"
	high := []rune(from80)
	var b strings.Builder
	for _, c := range text {
		if c >= 0x80 && c < 0xa0 {
			b.WriteRune(high[c-0x80])
		} else {
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// inUTF8 is a title or a comment; what is not UTF-8 is Windows-1252, as in files of that time.
func inUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return windows1252([]byte(s))
}

// notUTF8 is an error about the first line of a table that is not UTF-8, or nil.
func notUTF8(data []byte, file string) error {
	if utf8.Valid(data) {
		return nil
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if utf8.Valid(line) {
			continue
		}
		word := line
		for w := range bytes.FieldsFuncSeq(line, func(r rune) bool {
			return strings.ContainsRune(",;\t|\"\r\n", r)
		}) {
			if !utf8.Valid(w) {
				word = w
				break
			}
		}
		return &SyntaxError{
			File: file, Line: n, Want: "UTF-8 (Excel calls it CSV UTF-8)",
			Found: "“" + clip(windows1252(word)) + "” in Windows-1252 or another encoding",
		}
	}
	return nil
}
