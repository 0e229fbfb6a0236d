package basichttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/httpguard"
)

// eventName is the parameter that names an event (REC C.2.1).
const eventName = "_scxmleventname"

// Send implements [scxml.IOProcessor]: it posts m to its target (REC C.2.2).
func (p *Processor) Send(s *scxml.Session, m scxml.Message, done func(error)) error {
	req, err := p.request(m)
	if err != nil {
		// REC C.2.2: a message without a usable target is error.communication.
		done(err)
		return nil
	}
	if !httpguard.Acquire(p.sends) {
		done(fmt.Errorf("cannot send: %d messages are already in flight, which is the limit", p.cfg.MaxSends))
		return nil
	}
	go func() {
		err := p.post(req)
		<-p.sends // before the session hears of it and may send the next message
		done(err)
	}()
	return nil
}

// Deliver posts m to its target, as Send does, and waits for the answer. It is for a host that delivers
// what a session has handed out, and repeats a message until it knows the outcome: key, unless it is
// "", is the header Idempotency-Key, by which the receiver can tell a repetition. The error is a
// [*TargetError] if to repeat the message is useless. Of an answer other than 2xx it has the status as its
// name for [scxml.Retry], such as "404".
func (p *Processor) Deliver(ctx context.Context, m scxml.Message, key string) error {
	req, err := p.request(m)
	if err != nil {
		return &TargetError{err}
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	req = req.WithContext(ctx)
	if p.cfg.Prepare != nil {
		p.cfg.Prepare(req)
	}
	return p.post(req)
}

// Check returns the error of [Processor.Send] and Deliver for a message that cannot be sent at all, or
// nil.
func (p *Processor) Check(m scxml.Message) error {
	_, err := p.request(m)
	return err
}

// A TargetError says that a message cannot be sent, whenever it is tried: it has no usable target,
// or is too large.
type TargetError struct{ Err error }

func (e *TargetError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *TargetError) Unwrap() error { return e.Err }

func (p *Processor) request(m scxml.Message) (*http.Request, error) {
	if m.Target == "" {
		return nil, errors.New("the <send> has no target")
	}
	u, err := url.Parse(m.Target)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("target %q is not an http or https URL", m.Target)
	}
	if err := p.cfg.AllowTarget(u); err != nil {
		return nil, fmt.Errorf("target %q is not allowed: %w", m.Target, err)
	}
	body, mediaType := "", "application/x-www-form-urlencoded"
	if m.Params == nil && m.Event.Data != nil {
		// The body is the content, so the name goes into the query.
		body, mediaType = content(m.Event.Data)
		if m.Event.Name != "" {
			q := u.Query()
			q.Set(eventName, m.Event.Name)
			u.RawQuery = q.Encode()
		}
	} else {
		params := m.Params
		if m.Event.Name != "" {
			params = append([]scxml.Param{{Name: eventName, Value: m.Event.Name}}, params...)
		}
		body = form(params)
	}
	if int64(len(body)) > p.cfg.MaxBody {
		return nil, fmt.Errorf("the message has %d bytes: want at most %d", len(body), p.cfg.MaxBody)
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, u.String(), strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", mediaType)
	return req, nil
}

func (p *Processor) post(req *http.Request) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("the transport panicked: %v\n%s", x, debug.Stack())
		}
	}()
	resp, err := p.client.Do(req)
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		failed.URL = place(req.URL)
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, io.LimitReader(resp.Body, p.cfg.MaxBody))
	if resp.StatusCode/100 != 2 {
		return &statusError{resp.StatusCode, fmt.Sprintf("%s answered %s", place(req.URL), resp.Status)}
	}
	return nil
}

type statusError struct {
	code int
	text string
}

func (e *statusError) Error() string { return e.text }

// ErrorName is the name for [scxml.Retry].
func (e *statusError) ErrorName() string { return strconv.Itoa(e.code) }

// place returns a URL for messages, without what may be data.
func place(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// form encodes params in their order, as application/x-www-form-urlencoded.
func form(params []scxml.Param) string {
	var b strings.Builder
	for i, p := range params {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(p.Name) + "=" + url.QueryEscape(datamodel.Text(p.Value)))
	}
	return b.String()
}

// content returns the body for a value, and its media type.
func content(v datamodel.Value) (body, mediaType string) {
	switch v := v.(type) {
	case string:
		return v, "text/plain; charset=utf-8"
	case *datamodel.Node:
		return v.XML(), "application/xml; charset=utf-8"
	}
	return string(datamodel.AppendJSON(nil, v)), "application/json"
}
