package eval

import (
	"go/types"
	"strings"
	"sync"
)

// docs holds what generated bindings say about their packages. Reflection knows
// neither the names of parameters nor comments.
var docs = struct {
	sync.RWMutex
	m map[string]map[string]string
}{m: map[string]map[string]string{}}

// RegisterDocs gives the signatures and first sentences of a package's exported
// names, for completion: each value is "signature\nsentence", either may be
// empty. A method's key is Type.Method; the package's own sentence has the key
// "". Generated bindings call it.
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
