package site

var (
	Heading    = heading
	Navigation = navigation
	Prompted   = prompted
	Synonyms   = synonyms
)

// Relink is the text of a page of the repository with links that lead to pages of the site.
func Relink(root, bodies, source, text string) (string, error) {
	pages, err := Collect(root, bodies)
	if err != nil {
		return "", err
	}
	l := &linker{root: root, pages: map[string]*Page{}, assets: map[string]string{}}
	for _, p := range pages {
		l.pages[p.Source] = p
	}
	return l.relink(&Page{Source: source, URL: address(source), Text: text}), nil
}

// RelinkIn is Relink in a folder without pages.
func RelinkIn(root, source, text string) string {
	l := &linker{root: root, pages: map[string]*Page{}, assets: map[string]string{}}
	return l.relink(&Page{Source: source, URL: address(source), Text: text})
}
