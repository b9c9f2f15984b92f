package reference

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// sources are the comments of structs that are sent as JSON: of a type by "wire.StepRequest", of a
// field by "wire.StepRequest.Run".
type sources map[string]string

// readSources reads the comments of the packages whose types are requests, replies and records.
func readSources(root string) (sources, error) {
	src := sources{}
	for _, dir := range []string{"kernel/wire", "kernel/reply", "solvers/record"} {
		paths, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			return nil, err
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("reference: %s has no sources: want the folder of metalab", root)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			src.add(filepath.Base(dir), f)
		}
	}
	return src, nil
}

func (src sources) add(pkg string, f *ast.File) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			t, ok := s.(*ast.TypeSpec)
			if !ok {
				continue
			}
			name := pkg + "." + t.Name.Name
			src[name] = strings.Join(strings.Fields(firstOf(t.Doc, g.Doc)), " ")
			st, ok := t.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, f := range st.Fields.List {
				for _, n := range f.Names {
					src[name+"."+n.Name] = strings.Join(strings.Fields(firstOf(f.Doc, f.Comment)), " ")
				}
			}
		}
	}
}

// firstOf is the text of the first of the comments that is there.
func firstOf(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if g != nil {
			return g.Text()
		}
	}
	return ""
}

// fields is a table of a struct's fields as they are in JSON, with those of embedded structs; page
// is where it stands.
func (src sources) fields(t reflect.Type, page string) string {
	var out table
	out.row("field", "type", "meaning")
	src.addFields(&out, t, page)
	return out.String()
}

func (src sources) addFields(out *table, t reflect.Type, page string) {
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if len(f.Index) > 1 || name == "-" || f.PkgPath != "" && !f.Anonymous {
			continue
		}
		if f.Anonymous && name == "" {
			e := f.Type
			if e.Kind() == reflect.Pointer {
				e = e.Elem()
			}
			if e.Kind() == reflect.Struct {
				src.addFields(out, e, page)
				continue
			}
		}
		if name == "" {
			name = f.Name
		}
		about := escape(src[typeName(t)+"."+f.Name])
		if strings.Contains(options, "omit") {
			about = strings.TrimSpace(about + " *(may be left out)*")
		}
		out.row(code(name), src.kind(f.Type, page), about)
	}
}

func typeName(t reflect.Type) string {
	return t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:] + "." + t.Name()
}

// own reports whether a type is a struct of the protocol, which jsonPage tells about.
func own(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && ours(t)
}

func ours(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), "metalab/") }

// kind is the type of a field in the words of JSON.
func (src sources) kind(t reflect.Type, page string) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return src.kind(t.Elem(), page) + " or null"
	case t.Name() == "Num" && ours(t):
		return "number or null"
	case t.Name() == "Value" && ours(t):
		return "number, string or truth"
	case t.PkgPath() == "time":
		return "time"
	case own(t):
		return link(t.Name(), from(page, "json.md")+"#"+anchor(t.Name()))
	case t.PkgPath() == "encoding/json":
		return "any"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes (base64)"
		}
		return "list of " + src.kind(t.Elem(), page)
	case reflect.Map:
		return "object of " + src.kind(t.Elem(), page)
	case reflect.Interface:
		return "any"
	}
	return "number"
}

// jsonPage tells about the types that stand within requests and replies.
func jsonPage(src sources) Page {
	const path = "json.md"
	seen := map[string]reflect.Type{}
	var visit func(t reflect.Type, outer bool)
	visit = func(t reflect.Type, outer bool) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			visit(t.Elem(), false)
		case reflect.Struct:
			if !own(t) || seen[t.Name()] != nil || t.Name() == "Value" {
				return
			}
			if !outer {
				seen[t.Name()] = t
			}
			for i := range t.NumField() {
				f := t.Field(i)
				visit(f.Type, f.Anonymous)
			}
		}
	}
	for _, v := range wire.Verbs {
		if q := v.NewRequest(); q != nil {
			visit(reflect.TypeOf(q).Elem(), true)
		}
		if r := v.NewReply(); r != nil {
			visit(reflect.TypeOf(r).Elem(), true)
		}
	}
	visit(reflect.TypeFor[record.Header](), true)
	var b strings.Builder
	b.WriteString("Requests and replies of the [verbs](verbs.md) are JSON objects. These are the " +
		"objects that stand within them. A number that is not known is null.\n\n")
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		t := seen[name]
		fmt.Fprintf(&b, "## %s\n\n", name)
		if about := src[typeName(t)]; about != "" {
			fmt.Fprintf(&b, "%s\n\n", escape(about))
		}
		fmt.Fprintf(&b, "%s\n", src.fields(t, path))
	}
	return Page{
		Path: path, Title: "JSON", Text: b.String(),
		About: "The objects within requests and replies, field by field.",
	}
}
