package eval

import (
	"cmp"
	"go/doc"
	"go/types"
	"slices"
	"strings"
	"sync"
)

// docs holds what generated bindings say about their packages. Reflection knows
// neither the names of parameters nor comments.
var docs = struct {
	sync.RWMutex
	m map[string]map[string]string
}{m: map[string]map[string]string{}}

// RegisterDocs gives the signatures and comments of a package's exported names:
// each value is "signature\ncomment", either may be empty. Completion shows the first
// sentence, [Session.Describe] all. A method's key is Type.Method; the package's own
// comment has the key "". Generated bindings call it.
func RegisterDocs(path string, text map[string]string) {
	docs.Lock()
	defer docs.Unlock()
	docs.m[path] = text
}

// docOf is what is known of a name of a package.
func docOf(path, name string) string {
	docs.RLock()
	defer docs.RUnlock()
	return docs.m[path][name]
}

// sentence is the first sentence of a comment.
func sentence(comment string) string { return new(doc.Package).Synopsis(comment) }

// Describe says what a name means that may stand in an input: a package, what it exports
// (also as package.Type.Method), a variable, or a field or a method of one. It is false for
// names that mean nothing.
func (s *Session) Describe(name string) (text string, ok bool) {
	parts := strings.Split(name, ".")
	s.mu.Lock()
	e := s.env
	s.mu.Unlock()
	path := ""
	if e.vars[parts[0]] == nil && e.decls[parts[0]] == nil {
		path = cmp.Or(e.imports[parts[0]], s.auto[parts[0]])
	}
	switch {
	case path == "":
		return s.described(name)
	case len(parts) == 1:
		return s.contents(path), true
	}
	key := strings.Join(parts[1:], ".")
	if key == "" {
		return "", false
	}
	registered := docOf(path, key)
	text, ok = s.described(name)
	if !ok && registered == "" {
		return "", false
	}
	sig, comment, _ := strings.Cut(registered, "\n")
	if sig != "" {
		text = name + " " + sig
	} else if ok {
		text, _, _ = strings.Cut(text, " — ")
	}
	if comment != "" {
		text += "\n" + comment
	}
	return text + methodsOf(path, key), true
}

// described is what completion says of a name.
func (s *Session) described(name string) (text string, ok bool) {
	last := name[strings.LastIndexByte(name, '.')+1:]
	for _, c := range s.Complete(name, len(name)) {
		if c.Text == last && last != "" {
			return name + " " + c.About, true
		}
	}
	return "", false
}

// contents is what a package says of itself, and what it exports.
func (s *Session) contents(path string) string {
	pkg := path[strings.LastIndexByte(path, '/')+1:]
	out := "package " + path
	if comment := strings.TrimSpace(docOf(path, "")); comment != "" {
		out += "\n" + comment
	}
	for _, c := range s.Complete(pkg+".", len(pkg)+1) {
		out += "\n  " + c.Text + "  " + c.About
	}
	return out
}

// methodsOf lists the methods of a type of a package.
func methodsOf(path, typ string) string {
	docs.RLock()
	defer docs.RUnlock()
	var list []string
	for key, text := range docs.m[path] {
		if name, ok := strings.CutPrefix(key, typ+"."); ok {
			sig, comment, _ := strings.Cut(text, "\n")
			list = append(list, "\n  "+name+strings.TrimPrefix(sig, "func")+"  "+sentence(comment))
		}
	}
	slices.Sort(list)
	return strings.Join(list, "")
}

// methodDoc is what is known of a method.
func methodDoc(obj types.Object) string {
	f, ok := obj.(*types.Func)
	if !ok || f.Pkg() == nil {
		return ""
	}
	recv := f.Type().(*types.Signature).Recv()
	if recv == nil {
		return ""
	}
	n, ok := types.Unalias(deref(recv.Type())).(*types.Named)
	if !ok {
		return ""
	}
	return docOf(strings.TrimSuffix(f.Pkg().Path(), "/"), n.Obj().Name()+"."+f.Name())
}
