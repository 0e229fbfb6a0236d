package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// The secrets of the tokens of a rig.
const (
	allSecret     = "secret-for-everything-0"
	readSecret    = "secret-for-reading-0000"
	sendSecret    = "secret-for-sending-0000"
	operateSecret = "secret-for-operating-00"
	adminSecret   = "secret-for-charts-00000"
	metricsSecret = "secret-for-metrics-0000"
)

const order = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="open">
<datamodel><data id="total" expr="0"/><data id="note"/></datamodel>
<state id="open">
  <transition event="add" cond="_event.data.price &gt; 0"><assign location="total" expr="total + _event.data.price"/></transition>
  <transition event="loop" target="loop"/>
  <transition event="pay" target="paid"/>
</state>
<state id="loop"><transition target="loop"/></state>
<final id="paid"><donedata><content expr="total"/></donedata></final>
</scxml>`

// A rig is a server over a fleet in memory.
type rig struct {
	t      *testing.T
	fleet  *fleet.Fleet
	store  *failing
	rest   *rest.Server
	server *httptest.Server
}

type rigConfig struct {
	fleet fleet.Config
	rest  rest.Config
}

func newRig(t *testing.T, cfg rigConfig) *rig {
	t.Helper()
	r := &rig{t: t, store: &failing{Store: fleet.NewMemory()}}
	chart, err := scxml.Parse("order.scxml", []byte(order), scxml.WithLimits(scxml.Limits{Microsteps: 100}))
	if err == nil {
		r.fleet, err = fleet.New(r.store, cfg.fleet, fleet.Define("order", chart))
	}
	if err != nil {
		t.Fatal(err)
	}
	cfg.rest.Fleet = r.fleet
	cfg.rest.Tokens = []rest.Token{
		rest.NewToken("root", allSecret, rest.All), rest.NewToken("reader", readSecret, rest.Read), rest.NewToken("sender", sendSecret, rest.Send),
		rest.NewToken("operator", operateSecret, rest.Operate), rest.NewToken("admin", adminSecret, rest.Admin), rest.NewToken("prometheus", metricsSecret, rest.Metrics),
	}
	r.rest = rest.New(cfg.rest)
	r.server = httptest.NewServer(r.rest)
	t.Cleanup(func() {
		r.rest.Drain() // ends the streams
		r.server.Close()
		r.fleet.Close()
	})
	return r
}

// An answer is what a request got.
type answer struct {
	status int
	header http.Header
	body   []byte
	fields map[string]any // of a JSON object
}

// code returns the code of an error.
func (a answer) code() any { return a.fields["code"] }

func anonymous(r *http.Request) { r.Header.Del("Authorization") }
func with(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}
func as(secret string) func(*http.Request) { return with("Authorization", "Bearer "+secret) }

// do makes a request, and checks the answer against the description.
func (r *rig) do(method, path, body string, change ...func(*http.Request)) answer {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.server.URL+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+allSecret)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, f := range change {
		f(req)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, header: resp.Header}
	if a.body, err = io.ReadAll(resp.Body); err != nil {
		r.t.Fatal(err)
	}
	_ = json.Unmarshal(a.body, &a.fields) // it may be another kind of body
	if _, pattern := r.rest.Handler(req); pattern != "/" && pattern != "" {
		if err := described().check(rest.Path(pattern), a.status, a.header, a.body); err != nil {
			r.t.Error(err)
		}
	}
	return a
}

// must is do for a request that works.
func (r *rig) must(method, path, body string, change ...func(*http.Request)) map[string]any {
	r.t.Helper()
	a := r.do(method, path, body, change...)
	if a.status/100 != 2 {
		r.t.Fatalf("%s %s: status %d: %s", method, path, a.status, a.body)
	}
	return a.fields
}

// A failing store fails when it is told to.
type failing struct {
	fleet.Store
	broken atomic.Bool
	entry  []byte // instead of each log, at revision 5
}

func (s *failing) Len(ctx context.Context) (int, error) { return s.Store.(fleet.Counter).Len(ctx) }

func (s *failing) Log(ctx context.Context, key string, after uint64, n int) ([]fleet.LogEntry, error) {
	if s.entry != nil {
		if after >= 5 {
			return nil, nil
		}
		return []fleet.LogEntry{{Revision: 5, Body: s.entry}}, nil
	}
	return s.Store.Log(ctx, key, after, n)
}

var errDisk = errors.New("no space left on device")

func (s *failing) Commit(ctx context.Context, changes []fleet.Change) []error {
	if !s.broken.Load() {
		return s.Store.Commit(ctx, changes)
	}
	errs := make([]error, len(changes))
	for i := range errs {
		errs[i] = errDisk
	}
	return errs
}

func (s *failing) List(ctx context.Context, after string, n int) ([]*fleet.Record, error) {
	if s.broken.Load() {
		return nil, errDisk
	}
	return s.Store.List(ctx, after, n)
}
