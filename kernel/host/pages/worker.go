package pages

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	"metalab/kernel/host/serve"
	"metalab/kernel/wire"
)

// narrowed lets pages ask for the workers of the broker that the session used last, and tell these
// to end: they name no broker, to which this machine would connect with what lets it in, start
// none, and name no paths.
func narrowed(w http.ResponseWriter, r *http.Request) bool {
	var all wire.WorkersRequest
	var one wire.WorkerRequest
	q := any(&all)
	if r.PathValue("verb") == "worker" {
		q = &one
	}
	if !readPage(w, r, q) {
		return false
	}
	if all != (wire.WorkersRequest{}) || one.Over != "" {
		refuse(w, http.StatusForbidden, "pages name no broker and start none")
		return false
	}
	b, err := json.Marshal(q)
	if err != nil { // of texts
		serve.WriteError(w, &wire.Error{Code: wire.CodeHost, Message: err.Error()})
		return false
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
	return true
}
