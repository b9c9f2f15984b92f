package gpus

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"metalab/kernel/host"
	"metalab/kernel/host/serve"
	"metalab/kernel/wire"
)

func init() {
	serve.Mount(func(s *serve.Server, m *http.ServeMux) {
		g := here.In(s.Host)
		m.HandleFunc("GET /v1/gpu/{name}", s.Versioned(g.download))
		m.HandleFunc("PUT /v1/gpu/{device}/{name...}",
			s.Versioned(func(w http.ResponseWriter, r *http.Request) { g.receive(s, w, r) }))
	})
}

// receive takes an array as bytes.
func (g *room) receive(s *serve.Server, w http.ResponseWriter, r *http.Request) {
	fail := func(err error) { serve.WriteError(w, host.WireError("upload", err)) }
	device, err := strconv.Atoi(r.PathValue("device"))
	if err != nil {
		fail(wrong(fmt.Sprintf("device %q is no number", r.PathValue("device"))))
		return
	}
	a := wire.Array{Type: r.Header.Get(wire.HeaderType)}
	if a.Shape, err = wire.ParseShape(r.Header.Get(wire.HeaderShape)); err != nil {
		fail(err)
		return
	}
	if a.Data, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxUpload)); err == nil {
		err = a.Check()
	}
	if err != nil {
		fail(err)
		return
	}
	s.Answer(w, r, "upload", func(c *host.Call) (any, error) {
		return g.put(c, device, r.PathValue("name"), a)
	})
}

// download sends an array as bytes.
func (g *room) download(w http.ResponseWriter, r *http.Request) {
	a, err := g.array(r.PathValue("name"))
	var v any
	if err == nil {
		v, err = a.Download()
	}
	var data []byte
	if err == nil {
		data, err = binary.Append(nil, binary.LittleEndian, v)
	}
	if err != nil {
		g.IfLost(err)
		serve.WriteError(w, host.WireError("download", err))
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.Header().Set(wire.HeaderType, string(a.DType()))
	w.Header().Set(wire.HeaderShape, strconv.Itoa(a.Len()))
	_, _ = w.Write(data) // it fails only if the client has gone
}
