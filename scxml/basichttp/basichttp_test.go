package basichttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
)

func start(t testing.TB, p *basichttp.Processor, inside string) *scxml.Session {
	t.Helper()
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+inside+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, p))
	if err == nil {
		err = s.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func location(t testing.TB, s *scxml.Session) string {
	t.Helper()
	v, err := s.Eval(t.Context(), "_ioprocessors['"+scxml.BasicHTTPEventProcessor+"'].location")
	if err != nil {
		t.Fatal(err)
	}
	return v.(string)
}

func listen(t testing.TB, cfg basichttp.Config) *basichttp.Processor {
	t.Helper()
	p, err := basichttp.Listen(t.Context(), "127.0.0.1:0", false, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestReceive(t *testing.T) {
	p := listen(t, basichttp.Config{MaxBody: 1000})
	s := start(t, p, `<state id="s"/>`)
	other := start(t, p, `<state id="s"/>`)
	at := location(t, s)
	if at == location(t, other) {
		t.Fatal("two sessions have one location")
	}
	var got []scxml.Event
	s.OnEvent("*", func(ev scxml.Event) { got = append(got, ev) })
	const form = "application/x-www-form-urlencoded"
	for _, test := range []struct {
		method, query, mediaType, body string
		status                         int
		want                           string // name and data
	}{
		{"POST", "", form, "_scxmleventname=hello&a=1&b=x+y", 204, `hello {"a":"1","b":"x y"}`},
		{"POST", "", form, "a=1", 204, `HTTP.POST {"a":"1"}`},
		{"POST", "?_scxmleventname=named", "text/plain", "some text", 204, `named "some text"`},
		{"PUT", "", "application/json", `{"n": [1, null]}`, 204, `HTTP.PUT {"n":[1,null]}`},
		{"POST", "", "application/json", `{"n": `, 204, `HTTP.POST "{\"n\": "`},
		{"POST", "", "text/xml", `<a b="c"/>`, 204, `HTTP.POST {"$xml":"<a b=\"c\"/>"}`},
		{"GET", "?x=1", "", "", 204, `HTTP.GET {"x":"1"}`},
		{"POST", "", "", "", 204, `HTTP.POST {"$undefined":true}`},
		{"POST", "", form, "_scxmleventname=error.execution", 400, ""},
		{"POST", "", form, "_scxmleventname=done", 400, ""},
		{"POST", "", form, "_scxmleventname=two+words", 400, ""},
		{"POST", "", form, "%zz", 400, ""},
		{"POST", "", form, "_scxmleventname=a%ff", 400, ""},
		{"POST", "", form, "_scxmleventname=%2a", 400, ""},
		{"POST", "", form, "_scxmleventname=a.*", 400, ""},
		{"POST", "", form, "_scxmleventname=..", 400, ""},
		{"POST", "", form, "_scxmleventname=a%00b", 400, ""},
		{"POST", "", form, "_scxmleventname=", 400, ""},
		{"A*B", "", "", "", 400, ""},
		{"POST", "", "text/plain", strings.Repeat("x", 1001), 413, ""},
	} {
		req, err := http.NewRequest(test.method, at+test.query, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", test.mediaType)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		got = nil
		if err := s.Advance(t.Context(), time.Now()); err != nil {
			t.Fatal(err)
		}
		text := ""
		if len(got) == 1 {
			ev := got[0]
			text = ev.Name + " " + string(datamodel.AppendJSON(nil, ev.Data))
			if ev.OriginType != scxml.BasicHTTPEventProcessor || !strings.HasPrefix(ev.Raw, test.method+" ") || !strings.HasSuffix(ev.Raw, "\r\n\r\n"+test.body) {
				t.Errorf("%+v: origintype %q, raw %q", test, ev.OriginType, ev.Raw)
			}
		}
		if resp.StatusCode != test.status || text != test.want {
			t.Errorf("%s %s %q: status %d, event %s; want %d, %s", test.method, test.query, test.body, resp.StatusCode, text, test.status, test.want)
		}
	}
	s.Stop()
	if _, err := s.Step(t.Context(), time.Now()); err == nil {
		t.Error("the session is not stopped")
	}
	resp, err := http.Post(at, "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusNotFound {
		t.Errorf("after the end: status %d", resp.StatusCode)
	}
}

func TestSend(t *testing.T) {
	type request struct{ url, mediaType, body string }
	got := make(chan request, 1)
	peer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- request{r.URL.String(), r.Header.Get("Content-Type"), string(body)}
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		case "/broken":
			http.Error(w, "no", http.StatusInternalServerError)
		}
	}))
	defer peer.Close()
	for _, test := range []struct {
		name, send string
		want       request
		state      string
	}{
		{"form", `<send event="e" namelist="n" target="URL/x"><param name="p" expr="'a b'"/><param name="p" expr="2"/></send>`,
			request{"/x", "application/x-www-form-urlencoded", "_scxmleventname=e&n=1&p=a+b&p=2"}, "s"},
		{"no name", `<send target="URL/x"><param name="p" expr="1"/></send>`, request{"/x", "application/x-www-form-urlencoded", "p=1"}, "s"},
		{"text", `<send target="URL/x"><content>some text</content></send>`, request{"/x", "text/plain; charset=utf-8", "some text"}, "s"},
		{"json", `<send event="e" target="URL/x?k=v"><content expr="[1, 2]"/></send>`, request{"/x?_scxmleventname=e&k=v", "application/json", "[1,2]"}, "s"},
		{"xml", `<send target="URL/x"><content><a xmlns=""/></content></send>`, request{"/x", "application/xml; charset=utf-8", `<a xmlns=""/>`}, "s"},
		{"refused", `<send event="e" target="URL/broken"/>`, request{"/broken", "application/x-www-form-urlencoded", "_scxmleventname=e"}, "failed"},
		{"redirect", `<send event="e" target="URL/away"/>`, request{"/away", "application/x-www-form-urlencoded", "_scxmleventname=e"}, "failed"},
		{"no target", `<send event="e"/>`, request{}, "failed"},
		{"no URL", `<send event="e" target="#_internal"/>`, request{}, "failed"},
		{"another machine", `<send event="e" target="http://192.0.2.1/"/>`, request{}, "failed"},
		{"nobody there", `<send event="e" target="http://127.0.0.1:1/"/>`, request{}, "failed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			send := strings.ReplaceAll(strings.Replace(test.send, "<send ", `<send type="basichttp" id="it" `, 1), "URL", peer.URL)
			s := start(t, basichttp.New(basichttp.Config{}), `<datamodel><data id="n" expr="1"/></datamodel>
				<state id="s"><onentry>`+send+`</onentry><transition event="error.communication" cond="_event.sendid == 'it'" target="failed"/></state><state id="failed"/>`)
			if err := s.Advance(t.Context(), time.Now()); err != nil { // it waits for the answer
				t.Fatal(err)
			}
			if !s.In(test.state) {
				t.Errorf("configuration %v, want %s", s.Configuration(), test.state)
			}
			var r request
			select {
			case r = <-got:
			default:
			}
			if r != test.want {
				t.Errorf("request %q, want %q", r, test.want)
			}
		})
	}
}

func TestListen(t *testing.T) {
	for addr, want := range map[string]string{
		"0.0.0.0:0": "is not a loopback address", ":0": "is not a loopback address", "192.0.2.1:0": "is not a loopback address",
		"example.com:0": "is not a loopback address", "nonsense": "missing port in address", "localhost:x": "unknown port",
	} {
		if _, err := basichttp.Listen(t.Context(), addr, false, basichttp.Config{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("it listens at %s: %v, want: %s", addr, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	p, err := basichttp.Listen(ctx, "localhost:0", false, basichttp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	at := location(t, start(t, p, `<state id="s"/>`))
	if resp, err := http.Get(at); err != nil || resp.StatusCode != 204 {
		t.Errorf("GET %s: %v, %v", at, resp, err)
	}
	cancel()
	for range 1000 {
		if _, err := http.Get(at); err != nil {
			return
		}
	}
	t.Error("it still listens")
}

// A request that has arrived gets its answer before Shutdown ends.
func TestShutdown(t *testing.T) {
	arrived, proceed := make(chan struct{}), make(chan struct{})
	p, err := basichttp.Listen(t.Context(), "localhost:0", false, basichttp.Config{Accept: func(*scxml.Chart, string) bool {
		close(arrived)
		<-proceed
		return true
	}})
	if err != nil {
		t.Fatal(err)
	}
	at := location(t, start(t, p, `<state id="s"/>`))
	status, down := make(chan int, 1), make(chan error, 1)
	go func() {
		resp, err := http.PostForm(at, url.Values{"_scxmleventname": {"e"}})
		if err != nil {
			t.Error(err)
			status <- 0
			return
		}
		resp.Body.Close()
		status <- resp.StatusCode
	}()
	<-arrived
	go func() { down <- p.Shutdown(t.Context()) }()
	select {
	case err := <-down:
		t.Errorf("it has ended before the answer: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	close(proceed)
	if got := <-status; got != 204 {
		t.Errorf("the answer is %d, want 204", got)
	}
	if err := <-down; err != nil {
		t.Error(err)
	}
	if _, err := http.Get(at); err == nil {
		t.Error("it still listens")
	}
	if err := basichttp.New(basichttp.Config{}).Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAllowTarget(t *testing.T) {
	p := basichttp.New(basichttp.Config{
		AllowTarget: func(u *url.URL) error {
			if u.Hostname() == "example.com" {
				return nil
			}
			return fmt.Errorf("not %s", u.Host)
		},
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: http.NoBody, Request: r}, nil
		}),
	})
	s := start(t, p, `<datamodel><data id="failed" expr="[]"/></datamodel><state id="s">
		<onentry><send type="basichttp" id="a" event="x" target="http://example.com/"/><send type="basichttp" id="b" event="x" target="http://127.0.0.1/"/></onentry>
		<transition event="error.communication"><script>failed.push(_event.sendid)</script></transition></state>`)
	if err := s.Advance(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Eval(t.Context(), "failed.join()"); err != nil || v != "b" {
		t.Errorf("failed to send: %v, %v; want b", v, err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	processor, err := basichttp.Listen(ctx, "127.0.0.1:0", false, basichttp.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	chart, err := scxml.Parse("bell.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="quiet">
			<onentry><send event="listening"><param name="at" expr="_ioprocessors.basichttp.location"/></send></onentry>
			<transition event="ring" target="rang"/>
		</state>
		<final id="rang"><donedata><content expr="_event.data.times + ' times'"/></donedata></final></scxml>`))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := scxml.New(chart, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, processor))
	if err != nil {
		fmt.Println(err)
		return
	}
	s.OnSend("listening", func(ev scxml.Event) {
		data, _ := scxml.EventData[struct{ At string }](ev)
		go http.PostForm(data.At, url.Values{"_scxmleventname": {"ring"}, "times": {"3"}})
	})
	fmt.Println(s.Run(ctx), s.DoneData())
	// Output: <nil> 3 times
}
