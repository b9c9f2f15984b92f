//go:build !js

package eval

import (
	// 512 methods of types declared at the prompt are built in; this makes room for thousands. A page
	// has the 512: more would be a third of its engine.
	_ "github.com/goplus/reflectx/icall/icall4096"
)
