package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The files that name a version.
const (
	changelogFile = "CHANGELOG.md"
	citationFile  = "CITATION.cff"
	constantFile  = "solvers/record/release.go"
	faceFile      = "solvers/internal/api/api.txt" // it lists the constant with its value
)

const unreleased = "## Unreleased"

var (
	versionForm = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$`)
	constant    = regexp.MustCompile(`(?m)^const Release = "(v[^"]*)"$`)
	cited       = regexp.MustCompile(`(?m)^version: .*$`)
	citedDate   = regexp.MustCompile(`(?m)^date-released: .*$`)
)

// parts are the numbers of a version, as v0.2.0.
func parts(version string) (p [3]int, err error) {
	m := versionForm.FindStringSubmatch(version)
	if m == nil {
		return p, fmt.Errorf("the version is %q, want one as v0.2.0", version)
	}
	for i := range p {
		if p[i], err = strconv.Atoi(m[i+1]); err != nil {
			return p, fmt.Errorf("the version is %q: %w", version, err)
		}
	}
	return p, nil
}

// after returns an error unless version comes after last.
func after(version, last string) error {
	a, err := parts(last)
	if err != nil {
		return err
	}
	b, err := parts(version)
	if err != nil {
		return err
	}
	for i := range a {
		if a[i] != b[i] {
			if b[i] < a[i] {
				break
			}
			return nil
		}
	}
	return fmt.Errorf("the version is %s, want one after %s, the last", version, last)
}

// cutChangelog makes what stands below Unreleased the section of a version, below an empty
// Unreleased. notes are the section's text.
func cutChangelog(text, version, date string) (cut, notes string, err error) {
	head, rest, ok := strings.Cut(text, "\n"+unreleased+"\n")
	if !ok {
		return "", "", fmt.Errorf("%s has no line %q", changelogFile, unreleased)
	}
	notes, _, _ = strings.Cut(rest, "\n## ")
	if notes = strings.TrimSpace(notes); notes == "" {
		return "", "", fmt.Errorf("%s has nothing below %q", changelogFile, unreleased)
	}
	if strings.Contains(text, "\n## "+version+",") {
		return "", "", fmt.Errorf("%s has a section %s already", changelogFile, version)
	}
	return head + "\n" + unreleased + "\n\n## " + version + ", " + date + "\n" + rest, notes, nil
}

// cutCitation writes version and date into the citation.
func cutCitation(text, version, date string) (string, error) {
	for _, c := range []struct {
		line *regexp.Regexp
		to   string
	}{
		{cited, "version: " + strings.TrimPrefix(version, "v")},
		{citedDate, "date-released: " + date},
	} {
		if n := len(c.line.FindAllString(text, -1)); n != 1 {
			return "", fmt.Errorf("%s has %d lines %q, want 1", citationFile, n, c.to)
		}
		text = c.line.ReplaceAllLiteralString(text, c.to)
	}
	return text, nil
}

// lacking lists the keys that a citation should have, and that only its owner can fill in.
func lacking(citation string) (keys []string) {
	for _, key := range []string{"family-names", "orcid", "repository-code", "doi"} {
		head, _, _ := strings.Cut(citation, "\nreferences:") // the papers have their own
		if !regexp.MustCompile(`(?m)^[ -]*` + key + `: \S`).MatchString(head) {
			keys = append(keys, key)
		}
	}
	return keys
}

// lastRelease is the version that the program says.
func lastRelease(source string) (string, error) {
	m := constant.FindAllStringSubmatch(source, -1)
	if len(m) != 1 {
		return "", fmt.Errorf("%s has %d constants Release, want 1", constantFile, len(m))
	}
	return m[0][1], nil
}

// cutConstant writes the version into the program, or into the list of its public face.
func cutConstant(source, version string) string {
	return constant.ReplaceAllLiteralString(source, `const Release = "`+version+`"`)
}
