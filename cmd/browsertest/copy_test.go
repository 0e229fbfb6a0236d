package browsertest

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// sight is all that the fleet has of a session.
func (d *operatorDesk) sight(key string) string {
	d.Helper()
	st, err := d.fleet.Get(d.Context(), key)
	d.must(err)
	snapshot, err := d.fleet.Snapshot(d.Context(), key)
	d.must(err)
	return fmt.Sprint(st.Info, st.Inbox, st.Configuration, string(snapshot))
}

// copy opens a copy of the session that is shown.
func (p *tab) copy() {
	p.t.Helper()
	p.press("Try on a copy")
	p.wait(`location.pathname === '/ui/copy/' && document.querySelector('#picture').shadowRoot.querySelector('.active')`)
}

// An operator tries an event on a copy, steps back, lets time pass on a branch, and comes back. Nothing
// has happened to the session. A token that may only read suffices.
func TestConsoleTriesOnACopy(t *testing.T) {
	d := newOperatorDesk(t)
	d.create("a")
	before := d.sight("a")
	p := d.open("#/session/a", readerSecret, desk)
	p.waitText("#active", "packed")
	p.copy()
	p.waitText("#title", "a")
	p.waitText("#copied", "nothing leaves it")
	p.waitText("#waiting", "reminder")
	p.press("ship")
	p.waitText("#active", "moving")
	p.wait(`document.querySelector('#picture').shadowRoot.querySelector('[data-state=moving].active')`)
	p.waitText("#step", "sends fetch to courier")
	p.click("[data-step=back]")
	p.waitText("#active", "packed")
	p.wait(`location.hash.includes('step=1')`)
	p.reload()
	p.waitText("#active", "packed") // the copy has stayed
	p.press("Next timer")
	p.waitText("#title", "branch at 1")
	p.waitText("#step", "reminder")
	if got := js[string](p, `location.href + JSON.stringify(performance.getEntriesByType('resource').map(one => one.name)) + document.cookie`); strings.Contains(got, "secret") {
		t.Errorf("the token is in %s", got)
	}
	p.click("#home")
	p.wait(`location.pathname === '/ui/' && document.querySelector('#active').textContent.includes('packed')`)
	if after := d.sight("a"); after != before {
		t.Errorf("the session was %s\nand is %s", before, after)
	}
}

// What retrying and skipping would do is seen before it is done.
func TestConsoleTriesRetryAndSkip(t *testing.T) {
	d := newOperatorDesk(t)
	d.create("j")
	d.send("j", "jam")
	d.send("j", "ship")
	p := d.open("#/session/j", operatorSecret, desk)
	p.waitText("#failure", "event jam failed")
	d.must(d.fleet.Suspend(t.Context(), "j")) // or it may try again meanwhile
	before := d.sight("j")
	p.copy()
	choose := func(name string) {
		t.Helper()
		p.waitText("#session-list", name)
		js[any](p, fmt.Sprintf(`[...document.querySelectorAll('.session')].find(one => one.querySelector('.name').textContent === %q).click()`, name))
		p.waitText("#title", name)
	}
	choose("j, skipped")
	p.waitText("#active", "moving")
	choose("j, retried")
	p.waitText("#status", "stopped")
	p.waitText("#step", "Microsteps")
	p.shot("retried")
	if after := d.sight("j"); after != before {
		t.Errorf("the session was %s\nand is %s", before, after)
	}
	p.allow("404") // the stream asks again
	id := js[string](p, `new URLSearchParams(location.search).get('id')`)
	js[any](p, fmt.Sprintf(`fetch('../../v1/copies/%s', { method: 'DELETE', headers: { Authorization: 'Bearer %s' } }).then(answer => answer.status)`, id, operatorSecret))
	p.waitText("#lost", "The copy was closed")
}

// far is a definition of sessions in another process.
type far struct{ fleet.Definition }

// offersNoCopy reports an error if the page offers to copy the session that is shown.
func (p *tab) offersNoCopy() {
	p.t.Helper()
	const buttons = `[...document.querySelectorAll('#actions button')].map(one => one.textContent).join()`
	p.wait(buttons + `.includes('Suspend')`)
	if got := js[string](p, buttons); strings.Contains(got, "copy") {
		p.t.Errorf("the page offers %s", got)
	}
}

// The page does not offer to copy a session that cannot be copied.
func TestConsoleCannotCopy(t *testing.T) {
	d := newOperatorDesk(t)
	chart, err := scxml.Parse("far.scxml", []byte(parcel))
	d.must(err)
	d.must(d.fleet.Define(far{fleet.Define("far", chart)}))
	d.must(d.fleet.Create(t.Context(), "f", fleet.CreateOptions{Chart: "far"}))
	p := d.open("#/session/f", operatorSecret, desk)
	p.waitText("#active", "packed")
	p.offersNoCopy()
}

// The server draws an uploaded chart in a child process. The page shows the picture, and offers no copy.
func TestConsoleOfAnUploadedChart(t *testing.T) {
	if browser == nil {
		t.Skip("no browser is installed")
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "scxmlrun")
	build := exec.Command("go", "build", "-o", program, "./scxmlrun")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--store", filepath.Join(folder, "store"))
	out, err := server.StdoutPipe()
	must(err)
	must(server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill() // it has no work
		_ = server.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	must(err)
	url = strings.TrimSpace(url)
	token, err := os.ReadFile(filepath.Join(folder, "store", "token"))
	must(err)
	secret := strings.TrimSpace(string(token))
	ask := func(method, path, typ, body string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
		must(err)
		r.Header.Set("Authorization", "Bearer "+secret)
		r.Header.Set("Content-Type", typ)
		resp, err := http.DefaultClient.Do(r)
		must(err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusCreated {
			t.Fatalf("%s %s: status %d", method, path, resp.StatusCode)
		}
	}
	ask("PUT", "/v1/charts/parcel", "application/scxml+xml", parcel)
	ask("POST", "/v1/sessions", "application/json", `{"key":"u","chart":"parcel"}`)
	d := &operatorDesk{T: t, url: url}
	p := d.open("#/session/u", secret, desk)
	p.wait(`document.querySelector('#picture').shadowRoot.querySelector('[data-state=packed].active')`)
	p.offersNoCopy()
	p.shot("session")
}

// What a copy looks like.
func TestCopyLooks(t *testing.T) {
	d := newOperatorDesk(t)
	d.fill()
	for name, s := range map[string]screen{"desk": desk, "dark": {width: 1440, height: 900, dark: true}, "tablet": tablet, "phone": phone, "phone-dark": {width: 360, height: 640, phone: true, dark: true}} {
		t.Run(name, func(t *testing.T) {
			p := d.open("#/session/lost-1", operatorSecret, s)
			p.t = t
			p.waitText("#one-status", "suspended")
			p.shot("session")
			p.copy()
			p.shot("copy")
			if wide := js[int](p, `document.documentElement.scrollWidth`); wide > int(s.width) {
				t.Errorf("the page is %d wide", wide)
			}
		})
	}
}
