package basichttp_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
)

// FuzzReceive gives a processor requests, with any header and body. Each has a status; the event
// of an accepted one is one that the outside may send, and that can be saved.
func FuzzReceive(f *testing.F) {
	const form = "Content-Type: application/x-www-form-urlencoded\r\n"
	f.Add("POST", "", form, "_scxmleventname=hello&a=1&b=x+y")
	f.Add("POST", "?_scxmleventname=done.state.s", "", "")
	f.Add("PUT", "", "Content-Type: application/json; charset=utf-8\r\n", `{"n": [1, null], "$date": 1}`)
	f.Add("GET", "?x=%zz", "Origin: http://evil.example\r\n", "")
	f.Add("POST", "", "Content-Type: text/xml\r\n", "<a xmlns:b='c' b:d=''>&lt;</a>")
	f.Add("POST", "?a=%ff", "Sec-Fetch-Site: same-site\r\nX: \x80\r\n", "\xff\x00")
	f.Add("POST", "", "Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n")
	p := basichttp.New(basichttp.Config{BaseURL: "http://127.0.0.1/", MaxBody: 1 << 12})
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state/></scxml>`))
	if err != nil {
		f.Fatal(err)
	}
	s, err := scxml.New(chart, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, p))
	if err == nil {
		err = s.Start(context.Background())
	}
	if err != nil {
		f.Fatal(err)
	}
	at, err := url.Parse(location(f, s))
	if err != nil {
		f.Fatal(err)
	}
	var taken []scxml.Event
	s.OnEvent("*", func(ev scxml.Event) { taken = append(taken, ev) })
	f.Fuzz(func(t *testing.T, method, query, header, body string) {
		wire := fmt.Sprintf("%s %s%s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s", method, at.Path, query, header)
		if !strings.Contains(header, "Transfer-Encoding") {
			wire += fmt.Sprintf("Content-Length: %d\r\n", len(body))
		}
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(wire + "\r\n" + body)))
		if err != nil {
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}))
		answer := httptest.NewRecorder()
		p.ServeHTTP(answer, r)
		taken = nil
		if _, err := s.Step(t.Context(), time.Now()); err != nil {
			t.Fatal(err)
		}
		switch answer.Code {
		case http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge:
			if len(taken) != 0 {
				t.Errorf("status %d, and the session took %v", answer.Code, taken)
			}
			return
		case http.StatusNoContent:
		default:
			t.Fatalf("status %d: %s", answer.Code, answer.Body)
		}
		if len(taken) != 1 {
			t.Fatalf("the session took %v", taken)
		}
		ev := taken[0]
		if err := datamodel.CheckEventName(ev.Name); err != nil {
			t.Error(err)
		}
		if name := ev.Name + "."; strings.HasPrefix(name, "done.") || strings.HasPrefix(name, "error.") {
			t.Errorf("the platform's event %s was taken", ev.Name)
		}
		if !utf8.ValidString(ev.Raw) {
			t.Errorf("the raw request is not UTF-8: %q", ev.Raw)
		}
		text := datamodel.AppendJSON(nil, ev.Data)
		again, err := datamodel.ParseJSON(text)
		if err != nil || string(datamodel.AppendJSON(nil, again)) != string(text) {
			t.Errorf("data %s cannot be saved: %v", text, err)
		}
	})
}
