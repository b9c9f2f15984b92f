package datasets

import (
	"bytes"
)

// spinExts are the endings of files of max-cut, Ising models and QUBO.
var spinExts = []string{".mc", ".coo", ".qubo", ".sparse"}

// parseSpins reads a file with one of these endings.
func parseSpins(data []byte, file, name, ext string) (*Cut, error) {
	switch ext {
	case ".coo":
		return parseCOO(data, file, name)
	case ".qubo":
		return parseQUBO(data, file, name)
	case ".sparse":
		return parseSparse(data, file, name)
	}
	return parseRudy(data, file, name)
}

// spinsHead reads the size from the head of a file with one of these endings.
func spinsHead(data []byte, ext string) (h head) {
	if ext == ".coo" {
		return head{kind: KindCut} // it does not tell its size
	}
	for line := range bytes.Lines(data) {
		w := bytes.Fields(line)
		if len(w) == 0 || w[0][0] == '#' || w[0][0] == 'c' {
			continue
		}
		if ext == ".qubo" && len(w) == 6 { // p qubo 0 maxNodes nNodes nCouplers
			w = w[3:5]
		}
		if n, ok := number(string(w[0])); ok && len(w) == 2 && line[len(line)-1] == '\n' {
			return head{kind: KindCut, size: n}
		}
		break
	}
	return head{}
}

// looksLikeRudy tells whether data without a telling name is in the format of rudy: two numbers in
// the first line, and three in the second.
func looksLikeRudy(data []byte) bool {
	numbers := 2
	for line := range bytes.Lines(data) {
		w := bytes.Fields(line)
		if len(w) == 0 {
			continue
		}
		if len(w) != numbers {
			return false
		}
		for _, x := range w[:2] {
			if _, ok := number(string(x)); !ok {
				return false
			}
		}
		if numbers == 3 {
			return true
		}
		numbers = 3
	}
	return false
}
