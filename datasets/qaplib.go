package datasets

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// ReadQAP reads an instance in the format of QAPLIB (.dat): the size n, then two n x n matrices,
// all separated by white space. name becomes the Title and appears in errors. Errors about the
// content are *SyntaxError.
//
// Source: R. E. Burkard, S. E. Karisch, F. Rendl, QAPLIB, Journal of Global Optimization 10 (1997),
// doi:10.1023/A:1008293323270.
func ReadQAP(r io.Reader, name string) (*QAP, error) {
	data, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	file := name
	if file == "" {
		file = "QAPLIB input"
	}
	return parseQAP(data, file, name)
}

// parseQAP reads an instance from data; file is named in errors.
func parseQAP(data []byte, file, name string) (*QAP, error) {
	if err := stranger(data, file); err != nil {
		return nil, err
	}
	s := newScanner(file, data)
	s.section = "size"
	size, err := s.int(1, maxMatrix, "the size, a number")
	if err != nil {
		return nil, err
	}
	n := int(size)
	if err := sizeAlone(s, n); err != nil {
		return nil, err
	}
	// An entry has at least two bytes: a file that is too short fails here, before any allocation.
	if room := (s.end - s.pos) / 2; room < 2*n*n {
		have := 0
		for len(s.token()) > 0 {
			have++
		}
		s.section = "matrices"
		return nil, s.errorf(
			s.end, "%d entries of two %d x %d matrices where there are %d", 2*n*n, n, n, have,
		)
	}
	var m [2][]int32
	for k, section := range []string{"first matrix", "second matrix"} {
		s.section = section
		m[k] = make([]int32, n*n)
		for i := range m[k] {
			v, err := s.int(math.MinInt32, math.MaxInt32, "an entry, a whole number")
			if err != nil {
				return nil, err
			}
			m[k][i] = int32(v)
		}
	}
	if err := s.done("the end of the file after two %d x %d matrices", n, n); err != nil {
		return nil, err
	}
	q, err := NewQAP(s.file, n, m[0], m[1])
	if err != nil {
		return nil, err
	}
	q.Title = name
	return q, nil
}

// sizeAlone returns an error if a second number follows the size, such as the best known cost in
// some collections, which would pass for the first entry.
func sizeAlone(s scanner, n int) error {
	line, at := s.line()
	if len(bytes.Fields(line)) != 1 {
		return nil
	}
	at += lead(line)
	words := 0
	for len(s.token()) > 0 {
		if words++; words > 2*n*n {
			return nil
		}
	}
	if words < 2*n*n {
		return nil
	}
	return s.errorf(at, "the size alone, for two %d x %d matrices follow", n, n)
}

// WriteQAP writes the instance in the format of QAPLIB, with one row of a matrix per line. ReadQAP
// reads it back.
func WriteQAP(w io.Writer, q *QAP) error {
	b := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintln(b, q.N)
	var line []byte
	for _, m := range [...][]int32{q.A, q.B} {
		b.WriteString("\n")
		for row := range slices.Chunk(m, q.N) {
			line = line[:0]
			for _, v := range row {
				line = append(strconv.AppendInt(line, int64(v), 10), ' ')
			}
			line[len(line)-1] = '\n'
			b.Write(line)
		}
	}
	if err := b.Flush(); err != nil { // it returns the first error of any write
		return fmt.Errorf("datasets: write %s: %w", q.Name(), err)
	}
	return nil
}

// A QAPSolution is the content of a QAPLIB solution file.
type QAPSolution struct {
	Value int64   // the cost that the file states
	P     []int32 // the permutation, from 0
}

// ReadQAPSolution reads a QAPLIB solution (.sln): size, cost, permutation.
// Numbers may be separated by commas too, and the permutation may count from 0 or
// from 1. Some of QAPLIB's own files hold the inverse permutation, or another
// instance's cost: compare Value with QAP.Cost before you rely on either.
// Errors about the content are *SyntaxError.
func ReadQAPSolution(r io.Reader, name string) (*QAPSolution, error) {
	data, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	s := newScanner(name, bytes.ReplaceAll(data, []byte{','}, []byte{' '}))
	if name == "" {
		s.file = "QAPLIB solution"
	}
	s.section = "size and cost"
	size, err := s.int(1, maxMatrix, "the size, a number")
	if err != nil {
		return nil, err
	}
	value, err := s.int(-1<<53, 1<<53, "the cost, a number")
	if err != nil {
		return nil, err
	}
	n := int(size)
	s.section = "permutation"
	if room := (s.end - s.pos) / 2; room < n {
		return nil, s.errorf(s.end, "%d numbers, there are fewer", n)
	}
	p := make([]int32, n)
	first := s.pos
	for i := range p {
		v, err := s.int(0, int64(n), fmt.Sprintf("entry %d of %d of the permutation, a number", i+1, n))
		if err != nil {
			return nil, err
		}
		p[i] = int32(v)
	}
	if err := s.done("the end of the file after %d numbers", n); err != nil {
		return nil, err
	}
	if !slices.Contains(p, 0) {
		for i := range p {
			p[i]--
		}
	}
	if err := CheckPermutation(p, n); err != nil {
		e := s.errorf(first, "a permutation of %d numbers", n)
		e.Found = "that, counted from 0, " + err.Error()
		return nil, e
	}
	return &QAPSolution{Value: value, P: p}, nil
}
