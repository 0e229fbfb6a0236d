package sessions

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"syscall"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
)

const (
	maxAnswer   = 256 << 20 // bytes; a session has a few MB at most
	callTimeout = time.Minute
)

// A Client talks to a server.
type Client struct {
	server *url.URL
	token  string
	http   *http.Client
}

// NewClient returns a client of the server at an address, such as http://127.0.0.1:8420.
func NewClient(server, token string) (*Client, error) {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, cli.Usagef("--server %s is not an address: want one such as http://127.0.0.1:8420", server)
	}
	if ip := net.ParseIP(u.Hostname()); u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, cli.Usagef("--server %s: anyone on the way could read the token; write https:// for another machine", server)
	}
	return &Client{u, token, &http.Client{
		// The token is for this server.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// A Refusal is an answer that is not a success.
type Refusal struct {
	Status     int           `json:"-"`
	RetryAfter time.Duration `json:"-"`
	Body       []byte        `json:"-"`
	Code       string
	Message    string `json:"error"`
}

func (r *Refusal) Error() string { return r.Message }

// temporary says that the same request may succeed later.
func (r *Refusal) temporary() bool {
	return r.Status == http.StatusTooManyRequests || r.Status == http.StatusServiceUnavailable
}

// A Request is one call. Path has its parameters escaped; Body is written as JSON unless it is nil.
type Request struct {
	Method, Path   string
	Query          url.Values
	Body           any
	IdempotencyKey string
	Timeout        time.Duration // 0 means a minute
}

// Do returns the body of the answer. The error is a *Refusal if the server has answered.
func (c *Client) Do(ctx context.Context, r Request) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.Timeout, callTimeout))
	defer cancel()
	answer, err := c.open(ctx, r)
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	text, err := file.ReadUpTo(answer, maxAnswer)
	if err != nil {
		return nil, c.unreachable(err)
	}
	return text, nil
}

// Copy writes the body of an answer of any length to w.
func (c *Client) Copy(ctx context.Context, r Request, w io.Writer) error {
	answer, err := c.open(ctx, r)
	if err != nil {
		return err
	}
	defer answer.Close()
	if _, err := io.Copy(w, answer); err != nil {
		return fmt.Errorf("the answer of %s broke off: %w", c.server, err)
	}
	return nil
}

// open returns the body of an answer, which the caller closes.
func (c *Client) open(ctx context.Context, r Request) (io.ReadCloser, error) {
	var body io.Reader
	if r.Body != nil {
		text, err := json.Marshal(r.Body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	u := c.server.JoinPath(r.Path)
	u.RawQuery = r.Query.Encode()
	request, err := http.NewRequestWithContext(ctx, r.Method, u.String(), body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if r.IdempotencyKey != "" {
		request.Header.Set("Idempotency-Key", r.IdempotencyKey)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, c.unreachable(err)
	}
	if answer.StatusCode < 300 {
		return answer.Body, nil
	}
	defer answer.Body.Close()
	text, err := file.ReadUpTo(answer.Body, maxAnswer)
	if err != nil {
		return nil, c.unreachable(err)
	}
	refusal := &Refusal{Status: answer.StatusCode, Body: text}
	if json.Unmarshal(text, refusal) != nil || refusal.Message == "" {
		refusal.Message = fmt.Sprintf("%s answers %s, which scxmlrun serve does not", c.server, answer.Status)
	}
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil {
		refusal.RetryAfter = time.Duration(seconds) * time.Second
	}
	return nil, refusal
}

func (c *Client) unreachable(err error) error {
	hint := ""
	switch errno, wrapped := syscall.Errno(0), new(url.Error); {
	case errors.As(err, &errno):
		err, hint = errno, `; is "scxmlrun serve" running there?`
	case errors.As(err, &wrapped):
		err = wrapped.Err
	}
	return fmt.Errorf("cannot reach %s: %w%s", c.server, err, hint)
}

// Decode reads an answer of Do.
func Decode[T any](text []byte, err error) (answer T, _ error) {
	if err == nil {
		if err = json.Unmarshal(text, &answer); err != nil {
			err = fmt.Errorf("cannot read the answer: %w", err)
		}
	}
	return answer, err
}

// Insist repeats a request that had no answer, or the answer to try again later, until it is answered or the time
// has passed. The request must have an IdempotencyKey, or be harmless.
func (c *Client) Insist(ctx context.Context, patience time.Duration, r Request) ([]byte, error) {
	end := time.Now().Add(patience)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		text, err := c.Do(ctx, r)
		refusal := new(Refusal)
		answered := errors.As(err, &refusal)
		if err == nil || ctx.Err() != nil || answered && !refusal.temporary() {
			return text, err
		}
		wait := max(pause, refusal.RetryAfter)
		if time.Now().Add(wait).After(end) {
			return nil, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}
