//go:build !js

package playground

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

//go:embed page served
var pages embed.FS

// maxPages bounds the pages that have a playground at the same time. The one that was used least recently
// loses it.
const maxPages = 16

// A Server is an [http.Handler] for the page, and a playground for each browser tab that has it open. The
// page is files without secrets. The requests of its scripts need the token. Only connections and host
// names of this machine may reach the handler, see package loopback. It is safe for concurrent use.
type Server struct {
	token string
	files map[string][]byte

	file   *File // that pages edit, or nil
	folder fs.FS // of the file

	mu   sync.Mutex
	open []*openPage // the one that was used last comes last
}

// An openPage is the playground of a page.
type openPage struct {
	*Playground
	id       string
	failures chan error // of its sessions, the last ones
}

// NewServer returns a handler without playgrounds.
func NewServer() *Server {
	s := &Server{token: rand.Text(), files: map[string][]byte{}}
	s.add("inspect/", inspect.Files(), ".")
	s.add("", pages, "page")
	s.add("", pages, "served") // in place of what is for a page without a server
	return s
}

// Edit makes the pages edit a file, whose charts load those in a folder. Call it before the server is used.
func (s *Server) Edit(f *File, folder fs.FS) { s.file, s.folder = f, folder }

func (s *Server) add(prefix string, from fs.FS, dir string) {
	err := fs.WalkDir(from, dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			s.files[prefix+strings.TrimPrefix(name, dir+"/")], err = fs.ReadFile(from, name)
		}
		return err
	})
	if err != nil {
		panic(err) // they are embedded
	}
}

// URL returns the address of the page if the handler is served at base, a URL that ends with a slash. It
// contains the token.
func (s *Server) URL(base string) string { return base + "#token=" + s.token }

// Close ends all playgrounds.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.open {
		p.Close()
	}
	s.open = nil
}

// enginePath is the path of a request for a playground: the page's id, and the request.
var enginePath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/engine/([0-9a-f-]{36})(/.*)$`) })

// contentTypes are those of the files. The tables of some systems say otherwise.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// ServeHTTP serves the page and its requests.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if m := enginePath().FindStringSubmatch(r.URL.Path); m != nil {
		s.serveEngine(w, r, m[1], m[2])
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	text, ok := s.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h.Set("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'")
	h.Set("Content-Type", contentTypes[path.Ext(name)])
	_, _ = w.Write(text) // the reader has gone
}

// serveEngine answers a request for the playground of a page.
func (s *Server) serveEngine(w http.ResponseWriter, r *http.Request, id, request string) {
	if token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 0 {
		http.Error(w, "the address of this page has no token, or an old one: open the address that scxmlrun has printed", http.StatusUnauthorized)
		return
	}
	p := s.page(id)
	if request == "/failure" {
		p.serveFailure(w, r)
		return
	}
	if request == "/file" {
		if s.file == nil {
			answer(w, nil)
			return
		}
		s.file.serve(w, r)
		return
	}
	within := r.Clone(r.Context())
	within.URL.Path, within.URL.RawPath, within.Host = request, "", Host
	within.Header.Del("Origin") // the token says who asks
	within.Header.Del("Sec-Fetch-Site")
	p.ServeHTTP(w, within)
}

// page returns the playground of a page.
func (s *Server) page(id string) *openPage {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.open, func(p *openPage) bool { return p.id == id })
	var p *openPage
	if i >= 0 {
		p = s.open[i]
		s.open = slices.Delete(s.open, i, i+1)
	} else {
		p = &openPage{id: id, failures: make(chan error, 8)}
		p.Playground = New(p.fail)
		if s.folder != nil {
			p.files = s.folder
		}
	}
	if s.open = append(s.open, p); len(s.open) > maxPages {
		s.open[0].Close()
		s.open = slices.Delete(s.open, 0, 1)
	}
	return p
}

func (p *openPage) fail(err error) {
	select {
	case p.failures <- err:
	default: // the page shows the ones before
	}
}

// serveFailure waits for the failure of a session, at most half a minute.
func (p *openPage) serveFailure(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 30*time.Second)
	defer cancel()
	select {
	case err := <-p.failures:
		http.Error(w, err.Error(), http.StatusOK)
	case <-ctx.Done():
		w.WriteHeader(http.StatusNoContent)
	}
}
