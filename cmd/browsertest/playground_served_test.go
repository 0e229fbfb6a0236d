package browsertest

import (
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/playground"
)

// visitServed opens the page that a handler serves. end ends it.
func visitServed(t *testing.T, handler *playground.Server, s screen) (p *tab, end func()) {
	t.Helper()
	if browser == nil {
		t.Skip("no browser is installed")
	}
	server := httptest.NewServer(handler)
	end = sync.OnceFunc(func() {
		handler.Close() // ends the streams
		server.CloseClientConnections()
		server.Close()
	})
	t.Cleanup(end)
	p = newTab(t, browser, s)
	p.allow("404") // a request for a session that is replaced meanwhile
	p.allow("409") // or that has ended
	p.allow("net::ERR_")
	p.visit(handler.URL(server.URL + "/"))
	return p, end
}

// The playground that a program serves is the same page. Each page has a session of its own, and
// says when that has failed.
func TestPlaygroundServed(t *testing.T) {
	handler := playground.NewServer()
	p, end := visitServed(t, handler, desk)
	p.waitActive("locked")
	if js[bool](p, `location.href.includes('token')`) {
		t.Error("the address still has the token")
	}
	p.press("coin")
	p.waitActive("open")
	other, _ := visitServed(t, handler, phone)
	other.waitActive("locked")
	p.wait(active + `.includes('open')`)
	other.shot("phone")

	p.replace(`<state id="locked">`, `<state id="locked"><transition cond="visitors == 1" target="locked"/>`)
	p.waitActive("locked")
	p.press("coin")
	p.waitActive("open")
	p.press("push")
	p.waitText("#notice", "Microsteps")
	p.shot("failed")
	p.replace(`<transition cond="visitors == 1" target="locked"/>`, ``)
	p.waitActive("locked")
	p.reload() // without the token in the address
	p.waitActive("locked")

	end()
	p.waitText("#notice", "has ended")
}
