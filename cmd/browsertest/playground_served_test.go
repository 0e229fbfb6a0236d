package browsertest

import (
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/playground"
)

// The playground that a program serves is the same page. Each page has a session of its own, and
// says when that has failed.
func TestPlaygroundServed(t *testing.T) {
	if browser == nil {
		t.Skip("no browser is installed")
	}
	handler := playground.NewServer()
	server := httptest.NewServer(handler)
	end := sync.OnceFunc(func() {
		handler.Close() // ends the streams
		server.CloseClientConnections()
		server.Close()
	})
	defer end()
	visit := func(s screen) *tab {
		p := newTab(t, browser, s)
		p.allow("404") // a request for a session that is replaced meanwhile
		p.allow("409") // or that has ended
		p.visit(handler.URL(server.URL + "/"))
		p.waitActive("locked")
		return p
	}
	p := visit(desk)
	if js[bool](p, `location.href.includes('token')`) {
		t.Error("the address still has the token")
	}
	p.press("coin")
	p.waitActive("open")
	other := visit(phone)
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

	p.allow("net::ERR_")
	other.allow("net::ERR_")
	end()
	p.waitText("#notice", "has ended")
}
