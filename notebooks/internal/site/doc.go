// Package site makes the site of metalab: the README files, the guide, the notebooks with their
// outputs and the reference, in one frame with navigation and search. .ci/site runs it in three
// steps, which the command make carries out:
//
//  1. Prepare collects the pages of the repository and the bodies of notebooks that nbconvert made,
//     has package kernel/reference write the reference, lets links lead to pages of the site, and
//     writes all of it as a project of Hugo, with the theme of the folder theme.
//  2. Hugo makes the pages (Debian's package hugo; no modules, no network).
//  3. Finish writes what needs the made pages: the index of the search, llms.txt, and the archive
//     for reading without a network.
//
// All addresses are relative, so that the site works under any path and from a disk. The search is
// lunr (Debian's libjs-lunr), whose index is a script, for a page from a disk may not fetch.
//
// Crawl reports dead links, dead anchors, and pages that the first page does not lead to.
//
// # Adding a page
//
// A Markdown file of the repository is a page by itself; sections, in nav.go, says where it stands
// in the navigation: in the parts that the headings of the section's index make, if it has one. One
// that no section names comes last. Its address is its path, with
// README.md as index.html, and without the folder notebooks. Its first paragraph of prose describes
// it to search engines and in llms.txt. The search finds it by its own words, by the line in which
// an index names it, and by the synonyms in keywords.go.
package site
