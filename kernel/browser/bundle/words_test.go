package bundle_test

import (
	"strings"
	"testing"

	"metalab/kernel/browser/bundle"
)

// The parts of a source are the source, and links lead to the web or to a page.
func TestWordsOfAPage(t *testing.T) {
	const source = "M. Dorigo, 1997, Ant colony system, doi:10.1109/4235.585892; " +
		"R. Skinderowicz, 2016, doi:10.1016/j.jpdc.2016.04.014 (ACS-SEQ)"
	var all strings.Builder
	links := 0
	for _, c := range bundle.PaperOf(source) {
		all.WriteString(c.Text)
		if c.DOI != "" {
			all.WriteString("doi:" + c.DOI)
			links++
		}
	}
	if all.String() != source || links != 2 {
		t.Errorf("%d links: %s", links, all.String())
	}
	for link, ok := range map[string]bool{
		"": true, "../index.html": true, "https://example.org/a": true, "javascript:alert(1)": false,
		"file:///etc/passwd": false, "data:text/html,x": false, "http://a b": false,
	} {
		if err := (bundle.Words{Link: link}).Check(); (err == nil) != ok {
			t.Errorf("link=%s: %v", link, err)
		}
	}
}
