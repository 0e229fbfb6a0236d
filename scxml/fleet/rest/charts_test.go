package rest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// uploader is a Config.Upload that runs charts in this process.
type uploader struct{ rig *rig }

func (u *uploader) upload(_ context.Context, name string, document []byte, try bool) (rest.Uploaded, error) {
	if name == "order" {
		return rest.Uploaded{}, rest.ErrFixed
	}
	chart, err := scxml.Parse(name+".scxml", document)
	if err != nil {
		return rest.Uploaded{}, err
	}
	if !try {
		err = u.rig.fleet.Define(fleet.Define(name, chart))
	}
	return rest.Uploaded{Hash: chart.Hash(), New: true, Warnings: chart.Warnings()}, err
}

func newUploadRig(t *testing.T) *rig {
	u := new(uploader)
	u.rig = newRig(t, rigConfig{rest: rest.Config{Upload: u.upload}})
	return u.rig
}

var asXML = with("Content-Type", "application/scxml+xml")

const (
	doorV1 = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="m"/></datamodel><state id="shut"><transition event="open" target="wide"/></state><state id="wide"/></scxml>`
	doorV2 = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="m"/><data id="n"/></datamodel>
<state id="shut"><transition event="open" target="ajar"/></state><state id="ajar"/></scxml>`
)

// An upload is checked, and new sessions run it. Sessions that exist move by a migration, all of them or
// none.
func TestUploadAndMigrate(t *testing.T) {
	r := newUploadRig(t)
	first := r.must("PUT", "/v1/charts/door", doorV1, asXML)
	r.must("POST", "/v1/sessions", `{"key":"a","chart":"door"}`)
	r.must("POST", "/v1/sessions", `{"key":"b","chart":"door"}`)
	r.must("POST", "/v1/sessions/b/events?wait=true", `{"name":"open"}`)
	if got := r.do("PUT", "/v1/charts/door?try=true", doorV2, asXML); got.status != 200 {
		t.Errorf("try: status %d: %s", got.status, got.body)
	}
	if got := r.must("GET", "/v1/charts/door", ""); got["hash"] != first["hash"] {
		t.Errorf("a try has replaced the chart: %v", got)
	}
	second := r.do("PUT", "/v1/charts/door", doorV2, asXML)
	if second.status != 201 {
		t.Errorf("status %d: %s", second.status, second.body)
	}
	if got := r.must("GET", "/v1/sessions/a", ""); got["hash"] != first["hash"] {
		t.Errorf("the session runs %v, not the version that it was created with", got["hash"])
	}
	if got := r.do("POST", "/v1/charts/door/migrate", `{}`); got.status != 409 || got.code() != "unfit" || !strings.Contains(string(got.body), `{"key":"b"`) {
		t.Errorf("migration without a map: status %d: %s", got.status, got.body)
	}
	if got := r.must("GET", "/v1/sessions/a", ""); got["hash"] != first["hash"] {
		t.Error("a migration that was refused has moved a session")
	}
	if got := r.do("POST", "/v1/charts/door/migrate", `{"states":{"wild":"ajar"}}`); got.status != 422 || !strings.Contains(string(got.body), `state \"wild\"`) {
		t.Errorf("a state that no version has: status %d: %s", got.status, got.body)
	}
	old := "/v1/charts/door/versions/" + first["hash"].(string)
	if got := r.do("DELETE", old, ""); got.status != 409 || got.code() != "in-use" {
		t.Errorf("removing a version with sessions: status %d: %s", got.status, got.body)
	}
	if got := r.must("POST", "/v1/charts/door/migrate", `{"states":{"wide":"ajar"},"script":"n = 3","try":true}`); got["tried"] != 2.0 || got["migrated"] != 0.0 {
		t.Errorf("try: %v", got)
	}
	for selection, want := range map[string]float64{`"keys":["b"]`: 1, `"keys":["b"],"prefix":"a"`: 0, `"keys":[]`: 0, `"prefix":"b"`: 1, `"share":1`: 2, `"share":1e-9`: 0} {
		if got := r.must("POST", "/v1/charts/door/migrate", `{"states":{"wide":"ajar"},"try":true,`+selection+`}`); got["tried"] != want {
			t.Errorf("try with %s: %v", selection, got)
		}
	}
	for selection, want := range map[string]int{`"keys":["nobody"]`: 404, `"share":0`: 422, `"share":1.01`: 422} {
		if got := r.do("POST", "/v1/charts/door/migrate", `{`+selection+`}`); got.status != want {
			t.Errorf("with %s: status %d, want %d: %s", selection, got.status, want, got.body)
		}
	}
	if got := r.must("POST", "/v1/charts/door/migrate", `{"states":{"wide":"ajar"},"script":"n = 3"}`); got["migrated"] != 2.0 {
		t.Errorf("migration: %v", got)
	}
	for _, status := range []int{204, 404} {
		if got := r.do("DELETE", old, ""); got.status != status {
			t.Errorf("removing the old version: status %d, want %d: %s", got.status, status, got.body)
		}
	}
	if got := r.do("DELETE", "/v1/charts/door/versions/"+second.fields["hash"].(string), ""); got.status != 409 {
		t.Errorf("removing the version of new sessions: status %d: %s", got.status, got.body)
	}
	if got := r.must("GET", "/v1/charts/door", "")["versions"].([]any); len(got) != 1 {
		t.Errorf("versions %v", got)
	}
	got := r.must("GET", "/v1/sessions/b", "")
	if got["hash"] != second.fields["hash"] || got["configuration"].([]any)[0] != "ajar" || got["data"].(map[string]any)["n"] != 3.0 {
		t.Errorf("session: %v", got)
	}
	if got := r.must("GET", "/v1/charts", "")["charts"].([]any); len(got) != 2 {
		t.Errorf("charts: %v", got)
	}
	if got := r.do("POST", "/v1/charts/door/migrate", `{"to":"1234"}`); got.status != 404 {
		t.Errorf("to an unknown version: status %d: %s", got.status, got.body)
	}
}

// A document with errors is refused with its diagnostics, and a chart of the server is not replaced.
func TestUploadIsRefused(t *testing.T) {
	r := newUploadRig(t)
	got := r.do("PUT", "/v1/charts/door", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<state id="a"><transition target="b"/></state></scxml>`, asXML)
	diagnostics, _ := got.fields["diagnostics"].([]any)
	if got.status != 422 || got.code() != "refused-chart" || len(diagnostics) == 0 {
		t.Fatalf("status %d: %s", got.status, got.body)
	}
	if d := diagnostics[0].(map[string]any); d["line"] != 2.0 || d["severity"] != "error" || d["code"] != "unknown-target" {
		t.Errorf("diagnostic %v", d)
	}
	if got := r.do("PUT", "/v1/charts/order", doorV1, asXML); got.status != 409 {
		t.Errorf("a chart of the server: status %d: %s", got.status, got.body)
	}
}

// A server that serves as many requests as it may answers further ones with 503, except those about its
// health.
func TestTooManyRequests(t *testing.T) {
	began, end := make(chan bool), make(chan bool)
	r := newRig(t, rigConfig{rest: rest.Config{MaxRequests: 1, Upload: func(context.Context, string, []byte, bool) (rest.Uploaded, error) {
		began <- true
		<-end
		return rest.Uploaded{Hash: "00"}, nil
	}}})
	done := make(chan answer)
	go func() { done <- r.do("PUT", "/v1/charts/slow", doorV1, asXML) }()
	<-began
	if got := r.do("GET", "/v1/sessions", ""); got.status != 503 || got.code() != "unavailable" || got.header.Get("Retry-After") == "" {
		t.Errorf("status %d: %s", got.status, got.body)
	}
	for _, path := range []string{"/livez", "/readyz"} {
		if got := r.do("GET", path, "", anonymous); got.status != 200 {
			t.Errorf("%s: status %d", path, got.status)
		}
	}
	close(end)
	if got := <-done; got.status != 200 {
		t.Errorf("the first request: status %d: %s", got.status, got.body)
	}
	r.must("GET", "/v1/sessions", "")
}
