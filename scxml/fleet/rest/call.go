package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/internal/httpguard"
	"github.com/scxmlrun/scxmlrun/scxml/internal/strict"
)

// A call is a request in progress.
type call struct {
	context.Context
	server *Server
	w      *counted
	r      *http.Request
	token  Token
}

// counted notes the status of an answer.
type counted struct {
	http.ResponseWriter
	status int
}

func (w *counted) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (w *counted) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// permit returns an error unless the token of the request has the scope.
func (c *call) permit(scope Scopes) error {
	token, ok := c.server.access(c.r)
	c.token = token
	if !ok {
		c.w.Header().Set("WWW-Authenticate", "Bearer")
		return refuse(http.StatusUnauthorized, "unauthorized", "the token is missing or wrong: want the header \"Authorization: Bearer TOKEN\"")
	}
	httpguard.Know(c.r)
	if token.Scopes&scope == 0 {
		return refuse(http.StatusForbidden, "forbidden", "the token %q has the scopes %s: this needs %s", token.Name, token.Scopes, scope)
	}
	return nil
}

// limit sets the time by which the request must have been read and answered.
func (c *call) limit(timeout time.Duration) (deadline time.Time) {
	deadline = time.Now().Add(timeout)
	rc := http.NewResponseController(c.w)
	// If none can be set, as in a test without a connection, nothing blocks either.
	_, _ = rc.SetReadDeadline(deadline), rc.SetWriteDeadline(deadline)
	return deadline
}

// body reads the body, which must be of one of the types.
func (c *call) body(limit int64, types ...string) ([]byte, error) {
	if !slices.ContainsFunc(types, func(t string) bool { return isType(c.r, t) }) {
		return nil, refuse(http.StatusUnsupportedMediaType, "unsupported-media", "content type %q is not %s", c.r.Header.Get("Content-Type"), strings.Join(types, " or "))
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, limit))
	if errors.As(err, new(*http.MaxBytesError)) {
		return nil, refuse(http.StatusRequestEntityTooLarge, "too-large", "the request has more than %d bytes", limit)
	}
	return body, err
}

// isType reports whether the body of a request has a media type.
func isType(r *http.Request, want string) bool {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && t == want
}

// decode reads the body, an object of JSON, into v.
func (c *call) decode(v any) error {
	body, err := c.body(c.server.cfg.MaxBody, jsonType)
	if err != nil {
		return err
	}
	return parse(body, v)
}

// parse reads an object of JSON into v. What v has no field for is an error.
func parse(body []byte, v any) error {
	if err := strict.Decode(body, v); err != nil {
		return malformed("cannot read the request: %w", err)
	}
	return nil
}

// checkQuery returns an error unless openapi.json has all parameters of the query. A form may have
// others: they are data of the event.
func (c *call) checkQuery() error {
	op, ok := operations()[c.r.Pattern]
	if !ok || c.r.Pattern == copyEventsPattern || op.RequestBody.Content[formType] != nil && isType(c.r, formType) {
		return nil // a request for the inspector, which checks it
	}
	if err := strict.Query(c.r.URL.RawQuery, op.query...); err != nil {
		return malformed("%w", err)
	}
	return nil
}

// checkBody returns an error if there is a body although openapi.json has none for the request.
func (c *call) checkBody() error {
	if op, ok := operations()[c.r.Pattern]; !ok || op.RequestBody.Content != nil {
		return nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, 1<<10))
	if errors.As(err, new(*http.MaxBytesError)) {
		body, err = []byte("too large"), nil
	}
	if text := string(bytes.TrimSpace(body)); err == nil && text != "" && text != "{}" {
		err = malformed("this request has no body: want nothing, or {}")
	}
	return err
}

// flag returns a truth value of the query.
func (c *call) flag(name string) (bool, error) {
	switch text := c.r.URL.Query().Get(name); text {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	default:
		return false, malformed("%s: %q is not a truth value: want true or false", name, text)
	}
}

// number returns a number of the query, or other without it.
func (c *call) number(name string, other, least, most uint64) (uint64, error) {
	text := c.r.URL.Query().Get(name)
	if text == "" {
		return other, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, malformed("%s: %q is not a number from %d to %d", name, text, least, most)
	}
	return n, nil
}

// answer writes an answer. A nil body means none.
func (c *call) answer(status int, body any) error {
	if body == nil {
		c.w.WriteHeader(status)
		return nil
	}
	text, ok := body.(json.RawMessage)
	if !ok {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	c.w.Header().Set("Content-Type", "application/json")
	c.w.WriteHeader(status)
	_, _ = c.w.Write(text) // the reader has gone
	return nil
}

// A problem is an error with the status of the answer, and the code that says to programs what it is.
type problem struct {
	status int
	code   string
	error
}

func (p *problem) Unwrap() error { return p.error }

func refuse(status int, code, format string, args ...any) error {
	return &problem{status, code, fmt.Errorf(format, args...)}
}

func malformed(format string, args ...any) error {
	return refuse(http.StatusUnprocessableEntity, "malformed", format, args...)
}

// known are errors of a fleet and their statuses. Others are failures of the store.
var known = []struct {
	err    error
	status int
	code   string
}{
	{fleet.ErrUnknown, http.StatusServiceUnavailable, "unavailable"}, // first: it wraps what the store said
	{fleet.ErrNotFound, http.StatusNotFound, "not-found"},
	{fleet.ErrExists, http.StatusConflict, "exists"},
	{fleet.ErrEnded, http.StatusConflict, "ended"},
	{fleet.ErrSuspended, http.StatusConflict, "suspended"},
	{fleet.ErrNotSuspended, http.StatusConflict, "not-suspended"},
	{fleet.ErrNoFailure, http.StatusConflict, "not-suspended"},
	{ErrFixed, http.StatusConflict, "exists"},
	{fleet.ErrReused, http.StatusConflict, "reused-id"},
	{fleet.ErrManyIDs, http.StatusTooManyRequests, "many-ids"},
	{fleet.ErrTooLarge, http.StatusRequestEntityTooLarge, "too-large"},
	{fleet.ErrNoCopy, http.StatusConflict, "elsewhere"},
	{fleet.ErrInUse, http.StatusConflict, "in-use"},
	{fleet.ErrState, http.StatusUnprocessableEntity, "malformed"},
	{fleet.ErrKey, http.StatusUnprocessableEntity, "malformed"},
	{scxml.ErrNotAccepted, http.StatusUnprocessableEntity, "not-accepted"},
	{fleet.ErrTooMany, http.StatusInsufficientStorage, "too-many-sessions"},
	{fleet.ErrInboxFull, http.StatusTooManyRequests, "inbox-full"},
	{fleet.ErrAgain, http.StatusServiceUnavailable, "unavailable"},
	{context.DeadlineExceeded, http.StatusServiceUnavailable, "unavailable"},
	{context.Canceled, http.StatusServiceUnavailable, "unavailable"},
}

// retryAfter is what answers with status 429 and 503 say, in seconds.
const retryAfter = "1"

// problemOf returns what an answer says about an error.
func problemOf(err error) *problem {
	p := new(problem)
	if errors.As(err, &p) {
		return p
	}
	for _, k := range known {
		if errors.Is(err, k.err) {
			return &problem{k.status, k.code, err}
		}
	}
	if errors.As(err, new(*scxml.DocumentError)) {
		return &problem{http.StatusUnprocessableEntity, "refused-chart", errors.New("the document is not a legal chart")}
	}
	if errors.As(err, new(*fleet.ChartError)) {
		return &problem{http.StatusConflict, "unknown-version", err}
	}
	if errors.As(err, new(*fleet.StepError)) {
		return &problem{http.StatusUnprocessableEntity, "failed-step", err}
	}
	return &problem{http.StatusServiceUnavailable, "unavailable", err} // of the store
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, err error) {
	p := problemOf(err)
	body := struct {
		Error       string       `json:"error"`
		Code        string       `json:"code"`
		Diagnostics []diagnostic `json:"diagnostics,omitempty"`
	}{Error: p.Error(), Code: p.code}
	if doc := new(scxml.DocumentError); errors.As(err, &doc) {
		body.Diagnostics = diagnostics(doc.Diagnostics)
	}
	w.Header().Set("Content-Type", jsonType)
	if p.status == http.StatusTooManyRequests || p.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", retryAfter)
	}
	w.WriteHeader(p.status)
	text, _ := json.Marshal(body) // strings and numbers cannot fail
	_, _ = w.Write(text)          // the reader has gone
}

// logRequest logs a request that was answered. What it says names no data.
func (s *Server) logRequest(c *call, began time.Time, err error) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("request", c.r.Pattern), slog.Int("status", c.w.status),
		slog.Duration("took", time.Since(began).Round(time.Microsecond)), slog.String("token", c.token.Name),
	}
	for _, name := range []string{"key", "chart"} {
		if v := c.r.PathValue(name); v != "" {
			attrs = append(attrs, slog.String(name, v))
		}
	}
	if trace, _, _ := strings.Cut(fleet.Trace(c), " "); trace != "" { // without the tracestate
		attrs = append(attrs, slog.String("trace", trace))
	}
	if err != nil {
		p := problemOf(err)
		attrs = append(attrs, slog.String("code", p.code))
		if p.status >= http.StatusInternalServerError {
			level = slog.LevelError
			attrs = append(attrs, slog.String("error", p.Error()))
		}
	}
	s.log.LogAttrs(c.r.Context(), level, "request", attrs...)
}
