package basichttp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/httpguard"
)

// ServeHTTP takes a request to the location of a session as an event (REC C.2.1).
func (p *Processor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := p.source.Check(r, false); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	s := p.session(path.Base(r.URL.Path))
	if s == nil {
		http.Error(w, "no session at this URL", http.StatusNotFound)
		return
	}
	httpguard.Know(r) // the URL is secret
	if !httpguard.Acquire(p.requests) {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "too many requests are being served", http.StatusServiceUnavailable)
		return
	}
	defer func() { <-p.requests }()
	// The host's server may have no time limit. If none can be set, as in a test without a
	// connection, nothing blocks either.
	rc, now := http.NewResponseController(w), time.Now()
	_, _ = rc.SetReadDeadline(now.Add(p.cfg.Timeout)), rc.SetWriteDeadline(now.Add(2*p.cfg.Timeout)) // to say what is late
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, p.cfg.MaxBody))
	if err != nil {
		status := http.StatusBadRequest
		switch {
		case errors.As(err, new(*http.MaxBytesError)):
			status = http.StatusRequestEntityTooLarge
		case errors.Is(err, os.ErrDeadlineExceeded):
			status = http.StatusRequestTimeout
		}
		http.Error(w, err.Error(), status)
		return
	}
	ev, err := Event(r, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if accept := p.cfg.Accept; accept != nil && !accept(s.Chart(), ev.Name) {
		http.Error(w, fmt.Sprintf("event %q: %v", ev.Name, scxml.ErrNotAccepted), http.StatusForbidden)
		return
	}
	switch err := scxml.ForServer(s).Deliver(ev); {
	case errors.Is(err, scxml.ErrQueueFull):
		http.Error(w, "the session has too many events", http.StatusServiceUnavailable)
	case errors.Is(err, scxml.ErrEnded):
		http.Error(w, "the session has ended", http.StatusGone)
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// Event returns the event that a request with this body means (REC C.2.1). It is for a host that
// receives for sessions at URLs of its own. Every header becomes part of the event's Raw: remove
// those that the session must not see.
func Event(r *http.Request, body []byte) (scxml.Event, error) {
	ev := scxml.Event{Name: "HTTP." + r.Method, OriginType: scxml.BasicHTTPEventProcessor, Raw: raw(r, body)}
	query, err := pairs(r.URL.RawQuery)
	if err != nil {
		return ev, errors.New("cannot read the query of the URL: " + err.Error())
	}
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	isForm := mediaType == "application/x-www-form-urlencoded"
	if isForm {
		fields, err := pairs(string(body))
		if err != nil {
			return ev, errors.New("cannot read the form: " + err.Error())
		}
		query = append(query, fields...)
	}
	var data *datamodel.Object
	for _, p := range query {
		if p.Name == eventName {
			ev.Name = datamodel.Text(p.Value)
			continue
		}
		if data == nil {
			data = new(datamodel.Object)
		}
		data.Set(p.Name, p.Value)
	}
	switch {
	case data != nil:
		ev.Data = data
	case !isForm && len(body) > 0:
		ev.Data = value(mediaType, body)
	}
	if err := datamodel.CheckEventName(ev.Name); err != nil {
		return ev, err
	}
	for _, reserved := range []string{"done.", "error."} {
		if strings.HasPrefix(ev.Name+".", reserved) {
			return ev, errors.New("event names that begin with " + reserved + " are reserved for the platform")
		}
	}
	return ev, nil
}

// pairs parses a query or a form, in order.
func pairs(s string) ([]scxml.Param, error) {
	var all []scxml.Param
	for pair := range strings.SplitSeq(s, "&") {
		if pair == "" {
			continue
		}
		name, v, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			return nil, err
		}
		if v, err = url.QueryUnescape(v); err != nil {
			return nil, err
		}
		all = append(all, scxml.Param{Name: name, Value: v})
	}
	return all, nil
}

// value converts a body that is not a form to data. A body that does not match its media type is
// text.
func value(mediaType string, body []byte) datamodel.Value {
	switch {
	case mediaType == "application/json" || strings.HasSuffix(mediaType, "+json"):
		if v, err := datamodel.ParseJSON(body); err == nil {
			return v
		}
	case mediaType == "application/xml" || mediaType == "text/xml" || strings.HasSuffix(mediaType, "+xml"):
		if n, err := datamodel.ParseXML(string(body)); err == nil {
			return n
		}
	}
	return valid(string(body))
}

// raw returns the whole request: request line, header and body.
func raw(r *http.Request, body []byte) string {
	var b bytes.Buffer
	b.WriteString(r.Method + " " + r.RequestURI + " " + r.Proto + "\r\n")
	b.WriteString("Host: " + r.Host + "\r\n")
	r.Header.Write(&b)
	b.WriteString("\r\n")
	b.Write(body)
	return valid(b.String())
}

// valid makes text that can be saved: it replaces invalid UTF-8 by U+FFFD.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
