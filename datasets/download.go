//go:build !js

package datasets

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// client is what downloads.
type client = *http.Client

// Client replaces the HTTP client.
func Client(c *http.Client) Option { return func(l *loader) { l.client = c } }

// alone is why nothing is fetched by this program; nil: it fetches.
var alone error

// defaultClient gives up on a silent server soon; how long a download may
// take is the caller's context's business.
var defaultClient = &http.Client{Transport: &http.Transport{
	Proxy:                 http.ProxyFromEnvironment,
	DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
	TLSHandshakeTimeout:   10 * time.Second,
	ResponseHeaderTimeout: 20 * time.Second,
	DisableCompression:    true, // .gz files are to come as they are
	ForceAttemptHTTP2:     true,
}}

// download returns the content at the address, and whether any part of the way to it was plain
// http.
func (l *loader) download(ctx context.Context, url string) (data []byte, plain bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, false, err
	}
	req.Header.Set("User-Agent", "metalab")
	resp, err := l.client.Do(req)
	if err != nil {
		return nil, false, err
	}
	defer resp.Body.Close()
	for r := resp; r != nil; r = r.Request.Response { // this answer, and those that led to it
		plain = plain || r.Request.URL.Scheme != "https"
	}
	switch {
	case resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusGone:
		return nil, plain, errNotThere
	case resp.StatusCode != http.StatusOK:
		return nil, plain, fmt.Errorf("the server says %s", resp.Status)
	case resp.ContentLength > l.most:
		return nil, plain, fmt.Errorf(
			"the file has %d bytes, want at most %d", resp.ContentLength, l.most,
		)
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := resp.Body.Read(buf)
		data = append(data, buf[:n]...)
		if int64(len(data)) > l.most {
			return nil, plain, fmt.Errorf("the file has more than %d bytes", l.most)
		}
		l.progress(int64(len(data)), resp.ContentLength)
		if err == io.EOF {
			return data, plain, nil
		}
		if err != nil {
			return nil, plain, fmt.Errorf("after %d bytes: %w", len(data), err)
		}
	}
}
