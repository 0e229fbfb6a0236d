//go:build unix

package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A server waits for a store that another process uses, or that does not answer, and says so in its log and to probes.
// It serves when the other one has ended, and ends at once if it is told to before.
func TestServeWaitsForItsStore(t *testing.T) {
	first := newServed(t)
	first.start("order.scxml")
	base := func(s *served, reason string) string {
		s.t.Helper()
		for deadline := time.Now().Add(time.Minute); ; <-time.After(10 * time.Millisecond) {
			if _, rest, ok := strings.Cut(s.logged(), `msg="waiting for the store" address=`); ok {
				address, rest, _ := strings.Cut(rest, " ")
				if !strings.Contains(rest, reason) || strings.Contains(rest, "secret") {
					t.Errorf("the log does not say why: %s", rest)
				}
				return "https://" + address
			}
			if time.Now().After(deadline) {
				s.t.Fatalf("the server does not say that it waits; standard error: %s", s.logged())
			}
		}
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: first.certify()}}}
	second := &served{t: t, folder: first.folder, client: client}
	started := make(chan struct{})
	go func() {
		defer close(started)
		second.start("--tls-cert", "cert.pem", "--tls-key", "key.pem", "order.scxml")
	}()
	waiting := &served{t: t, base: base(second, "another process uses it"), client: client}
	for path, want := range map[string]int{"/livez": 200, "/readyz": 503, "/v1/sessions": 503} {
		if status, fields := waiting.do("GET", path, ""); status != want {
			t.Errorf("%s while it waits: %d %v, want %d", path, status, fields, want)
		}
	}

	third := &served{t: t, folder: first.folder}
	third.cmd = exec.Command(binary, "serve", "--store", "postgres://me:secret@127.0.0.1:1/orders", "--listen", "127.0.0.1:0", "order.scxml")
	third.cmd.Dir, third.cmd.Stderr = third.folder, third
	if err := third.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	base(third, "connection refused")
	if status := third.end(syscall.SIGTERM); status != 0 || !strings.Contains(third.logged(), "msg=stopped") {
		t.Errorf("exit status %d while it waits; standard error: %s", status, third.logged())
	}

	if status := first.end(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d; standard error: %s", status, first.logged())
	}
	<-started
	second.must("POST", "/v1/sessions", `{"key":"o-1","chart":"order"}`)
	if status, fields := second.do("GET", "/readyz", ""); status != 200 {
		t.Errorf("/readyz: %d %v", status, fields)
	}
	second.end(syscall.SIGTERM)
}

// SIGTERM lets what was begun complete, says goodbye to those who watch, and is a good end. The log has
// data if it is asked to.
func TestServeDrains(t *testing.T) {
	s := newServed(t)
	s.start("--log-data", "--log-format", "json", "order.scxml")
	s.must("POST", "/v1/sessions", `{"key":"o-1","chart":"order"}`)
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.base+"/v1/sessions/o-1/changes?after=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := s.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	stream := bufio.NewScanner(resp.Body)
	await := func(text string) {
		t.Helper()
		for stream.Scan() {
			if strings.Contains(stream.Text(), text) {
				return
			}
		}
		t.Fatalf("no %q in the stream; standard error: %s", text, s.logged())
	}
	await("event: change")
	s.must("POST", "/v1/sessions/o-1/events", `{"name":"add","data":4711}`)
	await(`"event":"add"`)
	if status := s.end(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d, want 0; standard error: %s", status, s.logged())
	}
	await("event: bye")
	for _, want := range []string{`"msg":"log","chart":"order","label":"added","value":"4711"`, `"msg":"stopped"`} {
		if !strings.Contains(s.logged(), want) {
			t.Errorf("the log does not have %s: %s", want, s.logged())
		}
	}
}

// A session keeps the version of its chart, with the files that it has read, until it is migrated.
func TestServeKeepsVersions(t *testing.T) {
	t.Run("in process", func(t *testing.T) { testVersions(t, ".") })
	if runtime.GOOS == "linux" { // whose wall is tested
		t.Run("isolated", func(t *testing.T) { testVersions(t, ".", "--isolate") })
	}
}

func testVersions(t *testing.T, args ...string) {
	s := newServed(t)
	s.start(args...)
	old := s.must("POST", "/v1/sessions", `{"key":"a","chart":"order"}`)
	s.end(syscall.SIGTERM)
	s.put("order.scxml", strings.ReplaceAll(orderChart, `"open"`, `"begun"`))
	s.put("price.js", "function price(x) { return 100 * x }")

	s.start(args...)
	s.must("POST", "/v1/sessions", `{"key":"b","chart":"order"}`)
	for _, key := range []string{"a", "b"} {
		s.must("POST", "/v1/sessions/"+key+"/events?wait=true", `{"name":"add","data":1}`)
	}
	a, b := s.must("GET", "/v1/sessions/a", ""), s.must("GET", "/v1/sessions/b", "")
	if a["hash"] != old["hash"] || total(a) != 1.0 || a["hash"] == b["hash"] || total(b) != 100.0 {
		t.Errorf("old %v\nnew %v", a, b)
	}
	if status, got := s.do("POST", "/v1/charts/order/migrate", `{}`); status != 409 || len(got["unfit"].([]any)) != 1 {
		t.Errorf("migration without a map: status %d, %v", status, got)
	}
	version := old["hash"].(string)[:12]
	if got, want := s.sessions(0, "prune", "order"), "order "+version+" has sessions\n"; got != want {
		t.Errorf("prune says %q, want %q", got, want)
	}
	s.must("POST", "/v1/charts/order/migrate", `{"states":{"open":"begun"}}`)
	if got, want := s.sessions(0, "prune", "order"), "order "+version+" removed\n"; got != want {
		t.Errorf("prune says %q, want %q", got, want)
	}
	s.must("POST", "/v1/sessions/a/events?wait=true", `{"name":"add","data":1}`)
	if a := s.must("GET", "/v1/sessions/a", ""); a["hash"] != b["hash"] || total(a) != 101.0 {
		t.Errorf("migrated: %v", a)
	}
	s.end(syscall.SIGKILL)

	s.start() // without the chart
	if c := s.must("POST", "/v1/sessions", `{"key":"c","chart":"order"}`); c["hash"] != b["hash"] {
		t.Errorf("a new session runs %v, want the latest version %v", c["hash"], b["hash"])
	}
	if got := s.must("GET", "/v1/charts/order", "")["versions"].([]any); len(got) != 1 {
		t.Errorf("a version that was removed is back: %v", got)
	}
	if a := s.must("GET", "/v1/sessions/a", ""); total(a) != 101.0 {
		t.Errorf("without the chart on the command line: %v", a)
	}
	s.end(syscall.SIGTERM)
}

// The charts that a chart invokes belong to its version, in this process and behind the wall.
func TestServeKeepsInvokedCharts(t *testing.T) {
	for _, args := range [][]string{{"order.scxml"}, {"--isolate", "order.scxml"}} {
		if len(args) > 1 && runtime.GOOS != "linux" {
			continue // only Linux has a wall that is tested
		}
		s := newServed(t)
		s.put("order.scxml", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<datamodel><data id="total" expr="0"/></datamodel>
<state id="s"><invoke src="child.scxml" autoforward="true"/>
  <transition event="ask"/><transition event="answer"><assign location="total" expr="_event.data"/></transition></state>
</scxml>`)
		const child = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<state id="c"><transition event="ask"><send target="#_parent" event="answer"><content expr="1"/></send></transition></state></scxml>`
		s.put("child.scxml", child)
		s.start(args...)
		s.must("POST", "/v1/sessions", `{"key":"a","chart":"order"}`)
		s.end(syscall.SIGTERM)
		s.put("child.scxml", strings.ReplaceAll(child, `"1"`, `"2"`))

		s.start(args...)
		s.must("POST", "/v1/sessions", `{"key":"b","chart":"order"}`)
		for key, want := range map[string]any{"a": 1.0, "b": 2.0} {
			s.must("POST", "/v1/sessions/"+key+"/events?wait=true", `{"name":"ask"}`)
			if got := s.must("GET", "/v1/sessions/"+key, ""); total(got) != want {
				t.Errorf("%s: session %s has the answer %v, want %v; standard error: %s", args[0], key, total(got), want, s.logged())
			}
		}
		s.end(syscall.SIGTERM)
	}
}

// hostileChart has an event whose script never returns, and cannot be interrupted.
const hostileChart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<datamodel><data id="total" expr="0"/></datamodel>
<state id="s">
  <transition event="add"><assign location="total" expr="total + 1"/></transition>
  <transition event="hang"><assign location="total" expr="Object.assign([], {4294967294: 1}).reverse()"/></transition>
</state>
</scxml>`

// An uploaded chart that ends its process three times has its session suspended. The server, and the other
// sessions of the chart, continue, and an operator skips the event. It is there after a restart.
func TestServeUploaded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has a wall that is tested")
	}
	s := newServed(t)
	s.start(".")
	if status, got := s.do("PUT", "/v1/charts/hostile", hostileChart); status != 201 {
		t.Fatalf("upload: status %d: %v; standard error: %s", status, got, s.logged())
	}
	for _, key := range []string{"bad", "good"} {
		s.must("POST", "/v1/sessions", `{"key":"`+key+`","chart":"hostile"}`)
		s.must("POST", "/v1/sessions/"+key+"/events?wait=true", `{"name":"add"}`)
	}
	if status, got := s.do("POST", "/v1/sessions/bad/events?wait=true", `{"name":"hang"}`); status != 422 || got["code"] != "failed-step" {
		t.Errorf("a step that ends its process: status %d: %v", status, got)
	}
	s.must("POST", "/v1/sessions/bad/events", `{"name":"hang"}`)
	s.must("POST", "/v1/sessions/bad/events", `{"name":"add"}`)
	s.await("/v1/sessions/bad", "status", "suspended")
	if got := s.must("POST", "/v1/sessions/good/events?wait=true", `{"name":"add"}`); got["handled"] != true {
		t.Errorf("another session of the chart: %v", got)
	}
	if got := s.must("GET", "/v1/sessions/good", ""); total(got) != 2.0 {
		t.Errorf("another session of the chart: %v", got)
	}
	s.end(syscall.SIGKILL)

	s.start(".")
	s.must("POST", "/v1/sessions/bad/skip", "")
	s.await("/v1/sessions/bad", "position", 3.0)
	if got := s.must("GET", "/v1/sessions/bad", ""); total(got) != 2.0 || got["status"] != "running" {
		t.Errorf("after skip: %v", got)
	}
	if status, _ := s.do("PUT", "/v1/charts/order", hostileChart); status != 409 {
		t.Errorf("a chart of the command line was replaced: status %d", status)
	}
	s.end(syscall.SIGTERM)
}

// await waits until a field of a session has a value.
func (s *served) await(path, field string, want any) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", s.base+path+"/changes?after=0", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	for changes := bufio.NewScanner(resp.Body); changes.Scan(); {
		if strings.HasPrefix(changes.Text(), "data: ") && s.must("GET", path, "")[field] == want {
			return
		}
	}
	s.t.Fatalf("%s of %s is not %v; standard error: %s", field, path, want, s.logged())
}

// A chart sends over HTTP after its step is stored, again until it is answered, and with the same
// Idempotency-Key. It learns the address of its session. It sends to this machine only, unless asked.
func TestServeSends(t *testing.T) {
	type request struct{ id, from, name string }
	got := make(chan request, 2)
	answers := []int{http.StatusServiceUnavailable, http.StatusNoContent}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- request{r.Header.Get("Idempotency-Key"), r.FormValue("from"), r.FormValue("_scxmleventname")}
		w.WriteHeader(answers[0])
		answers = answers[1:]
	}))
	defer receiver.Close()
	s := newServed(t)
	s.put("order.scxml", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<datamodel><data id="from" expr="_ioprocessors.basichttp.location"/></datamodel>
<state id="s">
  <transition event="tell"><send type="basichttp" event="hello" targetexpr="_event.data" namelist="from"/></transition>
  <transition event="error.communication" target="failed"/>
</state>
<state id="failed"/>
</scxml>`)
	s.start(".")
	s.must("POST", "/v1/sessions", `{"key":"a","chart":"order"}`)
	s.must("POST", "/v1/sessions/a/events", `{"name":"tell","data":"`+receiver.URL+`"}`)
	first, second := <-got, <-got
	if first != second || first.id == "" || first.name != "hello" || first.from != s.base+"/v1/sessions/a/events" {
		t.Errorf("requests %+v and %+v", first, second)
	}
	s.must("POST", "/v1/sessions/a/events?wait=true", `{"name":"tell","data":"http://192.0.2.1/"}`)
	s.await("/v1/sessions/a", "outbox", 0.0)
	if got := s.must("GET", "/v1/sessions/a", "")["configuration"].([]any); got[0] != "failed" {
		t.Errorf("after a message to another machine: %v; standard error: %s", got, s.logged())
	}
	s.end(syscall.SIGTERM)
}

// Behind a load balancer charts, clients and pages know one address, whatever host answers.
func TestServePublicURL(t *testing.T) {
	s := newServed(t)
	s.put("order.scxml", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<datamodel><data id="at" expr="_ioprocessors.basichttp.location"/></datamodel><state id="s"/></scxml>`)
	s.start("--public-url", "https://orders.example.com/fleet/", "--max-sessions", "1", "--ids", "1", "--ids-for", "24h", "order.scxml")
	do := func(method, path, body string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), method, s.base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = "orders.example.com"
		req.Header.Set("Origin", "https://orders.example.com")
		req.Header.Set("Authorization", "Bearer "+s.token)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultTransport.RoundTrip(req) // follows no redirect
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp
	}
	created := do("POST", "/v1/sessions", `{"key":"a","chart":"order"}`)
	const want = "https://orders.example.com/fleet/v1/sessions/a"
	if got := created.Header.Get("Location"); created.StatusCode != 201 || got != want {
		t.Errorf("status %d, location %q; want 201 and %q", created.StatusCode, got, want)
	}
	if got := s.must("GET", "/v1/sessions/a", "")["data"].(map[string]any)["at"]; got != want+"/events" {
		t.Errorf("the chart finds %v, want %s/events", got, want)
	}
	if page := do("GET", "/", ""); page.StatusCode != 302 || page.Header.Get("Location") != "ui/" {
		t.Errorf("the page: status %d, location %q", page.StatusCode, page.Header.Get("Location"))
	}
	if status, _ := s.do("POST", "/v1/sessions", `{"key":"b","chart":"order"}`); status != 507 {
		t.Errorf("one session more than --max-sessions: status %d, want 507", status)
	}
	s.sessions(0, "send", "a", "add", "--id", "1")
	if got := s.sessions(1, "send", "a", "add", "--id", "2", "--retry", "0"); !strings.Contains(got, "too many events have an id: 1 in 24h0m0s") {
		t.Errorf("one id more than --ids within --ids-for: %s", got)
	}
	s.end(syscall.SIGTERM)
}

// With the usual variable a server exports spans, the last ones at its end.
func TestServeExportsSpans(t *testing.T) {
	got := make(chan string, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- r.URL.Path + " " + string(body)
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	s := newServed(t)
	s.start("order.scxml")
	s.must("POST", "/v1/sessions", `{"key":"a","chart":"order"}`)
	s.must("POST", "/v1/sessions/a/events?wait=true", `{"name":"add","data":5}`)
	s.end(syscall.SIGTERM)
	close(got)
	all := ""
	for text := range got {
		all += text
	}
	for _, want := range []string{"/v1/traces ", "scxmlrun", "scxml.accept", "scxml.step", "scxml.commit"} {
		if !strings.Contains(all, want) {
			t.Errorf("the collector has not got %q: %q; standard error: %s", want, all, s.logged())
		}
	}
}

// Other machines are served over TLS, and tokens do what their scopes say.
func TestServeRemote(t *testing.T) {
	s := newServed(t)
	roots := s.certify()
	s.put("tokens", "app send "+strings.Repeat("a", 20)+"\neyes read "+strings.Repeat("b", 20)+"\n")
	s.start("--listen", "0.0.0.0:0", "--tls-cert", "cert.pem", "--tls-key", "key.pem", "--tokens", "tokens", "order.scxml")
	if !strings.HasPrefix(s.base, "https://localhost:") {
		t.Fatalf("address %q", s.base)
	}
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	s.token = strings.Repeat("a", 20)
	s.must("POST", "/v1/sessions", `{"key":"a","chart":"order"}`)
	if status, _ := s.do("GET", "/v1/sessions/a", ""); status != 403 {
		t.Errorf("reading with the scope send: status %d", status)
	}
	s.token = strings.Repeat("b", 20)
	s.must("GET", "/v1/sessions/a", "")
	if status, _ := s.do("POST", "/v1/sessions/a/events", `{"name":"pay"}`); status != 403 {
		t.Errorf("sending with the scope read: status %d", status)
	}
	if resp, err := http.Get("http" + strings.TrimPrefix(s.base, "https")); err == nil {
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest {
			t.Errorf("without TLS: status %d", resp.StatusCode)
		}
	}
	s.end(syscall.SIGTERM)
}

// certify writes a certificate for localhost, and returns what trusts it.
func (s *served) certify() *x509.CertPool {
	s.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		s.t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		s.t.Fatal(err)
	}
	s.put("cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	s.put("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		s.t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return pool
}

// An address that another program uses is not wrong usage: systemd starts the server again.
func TestServeAddressInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := newServed(t)
	cmd := exec.Command(binary, "serve", "--listen", l.Addr().String(), "order.scxml")
	cmd.Dir = s.folder
	out, _ := cmd.CombinedOutput() // its status follows
	want := "scxmlrun: cannot listen at " + l.Addr().String() + ": address already in use\n"
	if status := cmd.ProcessState.ExitCode(); status != 1 || string(out) != want {
		t.Errorf("exit status %d, want 1:\n%swant:\n%s", status, out, want)
	}
}
