package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/internal/httpguard"
	"github.com/scxmlrun/scxmlrun/scxml/internal/strict"
)

// A route is a request that the inspector answers. Requests with another method than GET need full
// access.
type route struct {
	pattern string // of [http.ServeMux]
	query   string // names of parameters
	changes bool   // the session, which must not be read-only
	serve   func(*Inspector, *call, *member) (any, error)
}

var routes = []route{
	{"GET /api/sessions", "", false, (*Inspector).getSessions},
	{"GET /api/sessions/{id}/chart", "", false, (*Inspector).getChart},
	{"GET /api/sessions/{id}/picture.svg", "", false, (*Inspector).getPicture},
	{"GET /api/sessions/{id}/rows", "from count", false, (*Inspector).getRows},
	{"GET /api/sessions/{id}/find", "text from back", false, (*Inspector).find},
	{"GET /api/sessions/{id}/positions/{n}", "", false, (*Inspector).getPosition},
	{"POST /api/sessions/{id}/send", "", true, (*Inspector).send},
	{"POST /api/sessions/{id}/try", "", false, (*Inspector).try},
	{"POST /api/sessions/{id}/advance", "", true, (*Inspector).advance},
	{"POST /api/sessions/{id}/cancel", "", true, (*Inspector).cancel},
	{"POST /api/sessions/{id}/stop", "", true, (*Inspector).stop},
	{"POST /api/sessions/{id}/branch", "", false, (*Inspector).branch},
	{"POST /api/sessions/{id}/close", "", true, (*Inspector).drop},
}

const (
	pagePattern   = "GET /" // also of what is not there
	streamPattern = "GET /api/events"
)

func (in *Inspector) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle(pagePattern, pages())
	mux.HandleFunc(streamPattern, in.serveStream)
	for _, r := range routes {
		mux.HandleFunc(r.pattern, func(w http.ResponseWriter, req *http.Request) { in.serve(w, req, &r) })
	}
	return mux
}

// A call is a request in progress.
type call struct {
	context.Context
	r      *http.Request
	access Access
	body   []byte
}

// A picture is an answer that is not JSON.
type picture []byte

// A statusError is an error with the status of the answer.
type statusError struct {
	status int
	error
}

func refuse(status int, format string, args ...any) error {
	return &statusError{status, fmt.Errorf(format, args...)}
}

// serve answers a request.
func (in *Inspector) serve(w http.ResponseWriter, r *http.Request, to *route) {
	c := &call{r: r, access: in.access(r)}
	if err := cmp.Or(c.permit(), c.checkQuery(strings.Fields(to.query)...)); err != nil {
		fail(w, 0, err)
		return
	}
	if !httpguard.Acquire(in.requests) {
		w.Header().Set("Retry-After", "1")
		fail(w, http.StatusServiceUnavailable, errors.New("too many requests are being served"))
		return
	}
	defer func() { <-in.requests }()
	// The server may have no time limits. If none can be set, as in a test without a connection,
	// nothing blocks either.
	rc := http.NewResponseController(w)
	deadline := time.Now().Add(in.cfg.Timeout)
	_, _ = rc.SetReadDeadline(deadline), rc.SetWriteDeadline(deadline)
	ctx, cancel := context.WithDeadline(r.Context(), deadline)
	defer cancel()
	c.Context = ctx
	if err := c.read(w); err != nil {
		fail(w, 0, err)
		return
	}
	answer, err := in.answer(c, to)
	if err != nil {
		fail(w, 0, err)
		return
	}
	if svg, ok := answer.(picture); ok {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write(svg) // the reader has gone
		return
	}
	text, err := json.Marshal(answer)
	if err != nil {
		fail(w, 0, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // the reader has gone
}

// answer returns the answer to a request. The session that it names, if any, is looked up here.
func (in *Inspector) answer(c *call, to *route) (any, error) {
	id := c.r.PathValue("id")
	if id == "" {
		return to.serve(in, c, nil)
	}
	m, err := in.member(id)
	switch {
	case err != nil:
		return nil, err
	case to.changes && m.ReadOnly:
		return nil, refuse(http.StatusForbidden, "session %q can only be looked at", m.Name)
	}
	return to.serve(in, c, m)
}

// permit returns an error unless the request may do what it asks for.
func (c *call) permit() error {
	switch {
	case c.access == None && c.r.URL.Query().Has("token"):
		return refuse(http.StatusUnauthorized, "a token in the query of an address is not read, because logs would show it: send it in the header \"Authorization: Bearer TOKEN\"")
	case c.access == None:
		return refuse(http.StatusUnauthorized, "the token is missing or wrong: open the page at the address that the program prints")
	case c.r.Method != http.MethodGet && c.r.Method != http.MethodHead && c.access != Full:
		return refuse(http.StatusForbidden, "this link is read-only")
	}
	httpguard.Know(c.r)
	return nil
}

// read reads the body.
func (c *call) read(w http.ResponseWriter) error {
	if c.r.Method != http.MethodPost {
		return nil
	}
	if t, _, _ := mime.ParseMediaType(c.r.Header.Get("Content-Type")); t != "application/json" {
		return refuse(http.StatusUnsupportedMediaType, "content type %q is not application/json", c.r.Header.Get("Content-Type"))
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, c.r.Body, maxBody))
	if errors.As(err, new(*http.MaxBytesError)) {
		return refuse(http.StatusRequestEntityTooLarge, "the request has more than %d bytes", maxBody)
	}
	c.body = body
	return err
}

// decode stores the body, an object of JSON, in v. What v has no field for is an error.
func (c *call) decode(v any) error {
	if err := strict.Decode(c.body, v); err != nil {
		return refuse(http.StatusUnprocessableEntity, "cannot read the request: %w", err)
	}
	return nil
}

// decodeNothing returns an error unless the body is empty, or an object without fields.
func (c *call) decodeNothing() error {
	if len(c.body) == 0 {
		return nil
	}
	return c.decode(&struct{}{})
}

// checkQuery returns an error unless the query has no other parameters than those of the names.
func (c *call) checkQuery(names ...string) error {
	if c.r.Method == http.MethodGet {
		names = append(names, "token")
	}
	if err := strict.Query(c.r.URL.RawQuery, names...); err != nil {
		return refuse(http.StatusUnprocessableEntity, "%w", err)
	}
	return nil
}

// number returns a number of the query, or other without it.
func (c *call) number(name string, other int) (int, error) {
	text := c.r.URL.Query().Get(name)
	if text == "" {
		return other, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, refuse(http.StatusUnprocessableEntity, "%s: %q is not a number: want 0, 1, 2, …", name, text)
	}
	return n, nil
}

// fail answers with an error. A status of 0 means that of the error.
func fail(w http.ResponseWriter, status int, err error) {
	if status == 0 {
		status = http.StatusInternalServerError
		if s := new(statusError); errors.As(err, &s) {
			status = s.status
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	text, _ := json.Marshal(map[string]string{"error": err.Error()}) // strings cannot fail
	_, _ = w.Write(text)                                             // the reader has gone
}
