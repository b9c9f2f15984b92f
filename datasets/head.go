package datasets

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strings"
)

// headBytes is how much of a file is read to learn what it holds.
const headBytes = 16 << 10

// head is what the first lines of an instance file say; empty where they do not.
type head struct {
	kind  Kind
	size  int
	edges int // of a graph
}

// readHead reads the head of an instance file. Only loading finds out whether the rest is right.
func readHead(path string) (h head) {
	f, err := os.Open(path)
	if err != nil {
		return h
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return h
	}
	data, err := io.ReadAll(io.LimitReader(f, headBytes))
	if err != nil {
		return h
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return h
		}
		// The part before the cut end of the data is enough.
		data, _ = io.ReadAll(io.LimitReader(z, headBytes))
	}
	switch extOf(path) {
	case ".dat":
		return qapHead(data)
	case ".col":
		return colouringHead(data)
	}
	if slices.Contains(spinExts, extOf(path)) {
		return spinsHead(data, extOf(path))
	}
	return tspHead(data)
}

// tspHead reads TYPE, DIMENSION and EDGE_WEIGHT_TYPE: all three, for the kind needs two.
func tspHead(data []byte) (h head) {
	keys := map[string]string{}
	for line := range bytes.Lines(data) {
		if line[len(line)-1] != '\n' {
			break // it may be cut
		}
		word, value, _ := cutKey(trim(line))
		if word == "TYPE" || word == "DIMENSION" || word == "EDGE_WEIGHT_TYPE" {
			value, _, _ = strings.Cut(value, " ")
			keys[word], _, _ = strings.Cut(value, "\t")
		}
	}
	size, ok := number(keys["DIMENSION"])
	switch typ := keys["TYPE"]; {
	case !ok || keys["EDGE_WEIGHT_TYPE"] == "" || typ != "TSP" && typ != "ATSP":
		return head{}
	case typ == "ATSP" && keys["EDGE_WEIGHT_TYPE"] == Explicit.String():
		return head{kind: KindATSP, size: size}
	}
	return head{kind: KindTSP, size: size}
}

// qapHead reads the size, the first number.
func qapHead(data []byte) (h head) {
	words := bytes.Fields(data)
	if len(words) < 2 { // the first may be cut
		return h
	}
	if n, ok := number(string(words[0])); ok {
		h = head{kind: KindQAP, size: n}
	}
	return h
}

// colouringHead reads the line that begins with p.
func colouringHead(data []byte) (h head) {
	for line := range bytes.Lines(data) {
		w := bytes.Fields(line)
		if len(w) != 4 || string(w[0]) != "p" || line[len(line)-1] != '\n' {
			continue
		}
		n, ok := number(string(w[2]))
		m, ok2 := number(string(w[3]))
		if ok && ok2 {
			return head{kind: KindColouring, size: n, edges: m}
		}
	}
	return h
}
