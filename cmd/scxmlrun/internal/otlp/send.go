package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// A sender sends batches to a collector.
type sender struct {
	url     string
	headers http.Header
	timeout time.Duration // of a batch, repetitions included
	zip     bool
	client  *http.Client
}

// newSender returns the sender that the variables describe.
func newSender() (*sender, error) {
	s := &sender{headers: http.Header{}, timeout: 10 * time.Second, client: &http.Client{}}
	if p := variable("PROTOCOL"); p != "" && p != "http/protobuf" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL=%s: want http/protobuf, whose usual port is 4318", p)
	}
	s.url = os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	if base := os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); s.url == "" {
		if base == "" {
			base = "http://localhost:4318"
		}
		s.url = strings.TrimRight(base, "/") + "/v1/traces"
	}
	if u, err := url.Parse(s.url); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %q is not a URL such as http://localhost:4318", s.url)
	}
	for pair := range strings.SplitSeq(variable("HEADERS"), ",") {
		name, text, ok := strings.Cut(pair, "=")
		text, err := url.PathUnescape(strings.TrimSpace(text))
		if strings.TrimSpace(pair) == "" {
			continue
		}
		if !ok || err != nil {
			return nil, errors.New("OTEL_EXPORTER_OTLP_HEADERS: want NAME=VALUE,NAME=VALUE") // they may be secrets
		}
		s.headers.Set(strings.TrimSpace(name), text)
	}
	if t := variable("TIMEOUT"); t != "" {
		ms, err := strconv.Atoi(t)
		if err != nil || ms <= 0 {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_TIMEOUT=%s: want milliseconds", t)
		}
		s.timeout = time.Duration(ms) * time.Millisecond
	}
	switch c := variable("COMPRESSION"); c {
	case "", "none":
	case "gzip":
		s.zip = true
	default:
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_COMPRESSION=%s: want gzip or none", c)
	}
	secure := &tls.Config{MinVersion: tls.VersionTLS12}
	if name := variable("CERTIFICATE"); name != "" {
		text, err := os.ReadFile(name)
		secure.RootCAs = x509.NewCertPool()
		if err == nil && !secure.RootCAs.AppendCertsFromPEM(text) {
			err = fmt.Errorf("%q has no certificate", name)
		}
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %w", err)
		}
	}
	if cert, key := variable("CLIENT_CERTIFICATE"), variable("CLIENT_KEY"); cert != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE, OTEL_EXPORTER_OTLP_CLIENT_KEY: %w", err)
		}
		secure.Certificates = []tls.Certificate{pair}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = secure
	s.client.Transport = transport
	return s, nil
}

// ExportSpans sends a batch, and again if the collector cannot take it now, until the time has passed.
func (s *sender) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	body := encode(spans)
	if s.zip {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(body) // into memory
		_ = w.Close()
		body = b.Bytes()
	}
	var cause error
	for pause := time.Second / 2; ; pause *= 2 {
		after, err := s.send(ctx, body)
		if err == nil {
			return nil
		}
		if cause == nil || ctx.Err() == nil { // that the time has passed does not say why
			cause = err
		}
		if after < 0 {
			return cause
		}
		select {
		case <-ctx.Done():
			return cause
		case <-time.After(max(pause, after)):
		}
	}
}

// send sends a body once. Unless after is negative, it may be sent again, but not before that time.
func (s *sender) send(ctx context.Context, body []byte) (after time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	r.Header = s.headers.Clone()
	r.Header.Set("Content-Type", "application/x-protobuf")
	if s.zip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	resp, err := s.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) // so that the connection can be used again
	if resp.StatusCode < 300 {
		return 0, nil
	}
	err = fmt.Errorf("%s answers %s", r.URL.Host, resp.Status)
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return time.Duration(max(0, seconds)) * time.Second, err
	}
	return -1, err
}

// Shutdown implements [sdk.SpanExporter].
func (s *sender) Shutdown(context.Context) error {
	s.client.CloseIdleConnections()
	return nil
}
