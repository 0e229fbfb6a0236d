package browsertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/scxmlrun/scxmlrun/cmd/internal/console"
	"github.com/scxmlrun/scxmlrun/cmd/internal/copies"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

const (
	operatorSecret = "secret-of-the-operator-0"
	readerSecret   = "secret-of-the-reader-000"
)

const parcel = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Parcel" initial="packed">
<datamodel><data id="weight" expr="3"/><data id="stops" expr="['Berlin', 'Oslo']"/></datamodel>
<state id="packed">
  <onentry><send event="reminder" delay="2h"/></onentry>
  <transition event="weigh"><assign location="weight" expr="_event.data"/></transition>
  <transition event="ship" target="moving"/>
  <transition event="jam" target="jammed"/>
</state>
<state id="moving"><onentry><send type="post" target="courier" event="fetch"/></onentry>
  <transition event="arrive" target="delivered"/></state>
<state id="jammed"><transition target="jammed"/></state>
<final id="delivered"/>
</scxml>`

// A desk is where an operator works: a server with its page over a fleet in memory.
type operatorDesk struct {
	*testing.T
	fleet  *fleet.Fleet
	people *census.Census
	url    string

	mu     sync.Mutex
	charts map[string]*scxml.Chart // by hash
}

func newOperatorDesk(t *testing.T) *operatorDesk {
	t.Helper()
	if browser == nil {
		t.Skip("no browser is installed")
	}
	people := census.New()
	d := &operatorDesk{T: t, people: people, charts: map[string]*scxml.Chart{}}
	var err error
	d.fleet, err = fleet.New(fleet.NewMemory(), fleet.Config{
		Observers: []fleet.Observer{people.Observer()},
		Processors: map[string]fleet.Deliver{
			"post": func(context.Context, fleet.Delivery) error { return errors.New("nobody answers") },
		},
	})
	d.must(err)
	d.define("parcel", parcel)
	d.must(people.Scan(t.Context(), d.fleet))
	server := rest.New(rest.Config{
		Fleet: d.fleet, Census: people, Page: console.New(), Copies: copies.New(copies.Config{Fleet: d.fleet}),
		Tokens: []rest.Token{rest.NewToken("operator", operatorSecret, rest.All), rest.NewToken("reader", readerSecret, rest.Read)},
		Picture: func(ctx context.Context, _, hash string) ([]byte, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			if d.charts[hash] == nil {
				return nil, fleet.ErrNotFound
			}
			l, err := diagram.New(d.charts[hash]).Layout(ctx)
			if err != nil {
				return nil, err
			}
			var b bytes.Buffer
			err = l.WriteSVG(&b, diagram.SVGOptions{})
			return b.Bytes(), err
		},
	})
	s := httptest.NewServer(server)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- d.fleet.Run(ctx) }()
	t.Cleanup(func() {
		server.Drain()
		s.CloseClientConnections()
		s.Close()
		cancel()
		<-done
		d.fleet.Close()
	})
	d.url = s.URL
	return d
}

func (d *operatorDesk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// define defines a version of a chart.
func (d *operatorDesk) define(name, document string) {
	d.Helper()
	chart, err := scxml.Parse(name+".scxml", []byte(document), scxml.WithLimits(scxml.Limits{Microsteps: 100}))
	d.must(err)
	d.mu.Lock()
	d.charts[chart.Hash()] = chart
	d.mu.Unlock()
	d.must(d.fleet.Define(fleet.Define(name, chart)))
}

func (d *operatorDesk) create(keys ...string) {
	d.Helper()
	for _, key := range keys {
		d.must(d.fleet.Create(d.Context(), key, fleet.CreateOptions{Chart: "parcel"}))
	}
}

func (d *operatorDesk) send(key, event string) {
	d.Helper()
	_, err := d.fleet.Send(d.Context(), key, scxml.Event{Name: event})
	d.must(err)
}

// fill makes a fleet with sessions of all kinds.
func (d *operatorDesk) fill() {
	d.Helper()
	for i := range 12 {
		d.create(fmt.Sprintf("parcel-%04d", i))
	}
	d.create("lost-1", "jammed-1")
	d.send("parcel-0003", "ship")
	d.must(d.fleet.Suspend(d.Context(), "lost-1"))
	d.send("lost-1", "ship")
	d.must(d.fleet.Stop(d.Context(), "parcel-0004"))
	d.send("jammed-1", "jam")
}

// open opens the page and signs in.
func (d *operatorDesk) open(path, secret string, s screen) *tab {
	d.Helper()
	p := open(d.T, d.url+"/ui/"+path, s)
	p.wait(`!document.querySelector('#login').hidden`)
	p.click("#token")
	p.keys(secret + kb.Enter)
	p.wait(`document.querySelector('#login').hidden`)
	return p
}

// answer answers the question that the page asks.
func (p *tab) answer(contains string, yes bool) {
	p.t.Helper()
	p.wait(`document.querySelector('#ask').open`)
	p.waitText("#ask", contains)
	if yes {
		p.click("#ask-yes")
	} else {
		p.keys(kb.Escape)
	}
	p.wait(`!document.querySelector('#ask').open`)
}

// The token is asked for, is in no address, and a wrong one is refused.
func TestConsoleSignIn(t *testing.T) {
	d := newOperatorDesk(t)
	p := open(t, d.url+"/", desk)
	p.allow("401")
	p.wait(`document.activeElement.id === 'token'`)
	p.keys("wrong" + kb.Enter)
	p.waitText("#notice", "the token is missing or wrong")
	p.keys(operatorSecret + kb.Enter)
	p.wait(`document.querySelector('#login').hidden && !document.querySelector('#list').hidden`)
	if got := js[string](p, `location.href + JSON.stringify(performance.getEntriesByType('resource').map(one => one.name)) + document.cookie`); strings.Contains(got, "secret") {
		t.Errorf("the token is in %s", got)
	}
	p.click("#leave")
	p.wait(`!document.querySelector('#login').hidden && sessionStorage.length === 0`)
}

// Sessions are counted, searched and paged through.
func TestConsoleFindsSessions(t *testing.T) {
	d := newOperatorDesk(t)
	d.fill()
	for i := range 250 {
		d.create(fmt.Sprintf("many-%03d", i))
	}
	p := d.open("", operatorSecret, desk)
	p.waitText("#total", "264 sessions, 100 shown")
	p.click("#next")
	p.wait(`document.querySelector('#found tbody tr').textContent.includes('many-098')`)
	p.click("#next")
	p.waitText("#found", "parcel-0011")
	p.wait(`document.querySelector('#next').hidden`)
	p.click("#first")
	p.waitText("#found", "jammed-1")
	p.keys("/MANY-1")
	p.waitText("#total", "100 sessions")
	p.click("#tabs [data-tab=stuck]")
	p.waitText("#found", "lost-1")
	p.waitText("#found", "Suspended: by an operator")
	p.waitText("#found", "Delivery fails: 1 of 1 tasks in the outbox fail and are tried again: nobody answers")
	if js[bool](p, `document.querySelector('#found').textContent.includes('parcel-0000')`) {
		t.Error("a session without trouble is stuck")
	}
}

// A session is shown as it is, and as it changes.
func TestConsoleShowsASession(t *testing.T) {
	d := newOperatorDesk(t)
	d.create("a")
	p := d.open("#/session/a", operatorSecret, desk)
	p.waitText("#active", "packed")
	p.wait(`document.querySelector('#picture').shadowRoot.querySelector('[data-state=packed].active')`)
	p.waitText("#data", "weight")
	p.waitText("#waiting", "reminder")
	p.waitText("#past", "start")
	d.send("a", "ship") // by another program
	p.waitText("#active", "moving")
	p.wait(`document.querySelector('#picture').shadowRoot.querySelector('[data-state=moving].active')`)
	p.waitText("#past", "event ship")
	p.waitText("#outbox", "failed 1 time: nobody answers")
	p.waitText("#failure", "A message failed 1 time: nobody answers")
	p.click("#past li:last-child button") // what it was after the start
	p.waitText("#active", "Then: packed")
	d.must(d.fleet.Delete(t.Context(), "a"))
	p.allow("404") // it asks once more
	p.waitText("#failure", "it was deleted")
}

// Events are tried and sent.
func TestConsoleSends(t *testing.T) {
	d := newOperatorDesk(t)
	d.create("a")
	p := d.open("#/session/a", operatorSecret, desk)
	p.waitText("#active", "packed")
	p.click("#event")
	p.keys("weigh" + kb.Tab + "{")
	p.press("Send")
	p.waitText("#said", "The data are not JSON")
	js[any](p, `document.querySelector('#event-data').value = ''`)
	p.click("#event-data")
	p.keys("12")
	p.press("Try")
	p.waitText("#said", "weigh would take")
	p.press("Send")
	p.waitText("#said", "accepted at position 1")
	p.waitText("#data", "12")
	p.wait(`document.querySelector('#data .changed')`)
}

// What an operator does is asked for first, and says what happens.
func TestConsoleActs(t *testing.T) {
	d := newOperatorDesk(t)
	d.create("a")
	p := d.open("#/session/a", operatorSecret, desk)
	p.waitText("#one-status", "running")
	p.press("Suspend")
	p.answer("It accepts events but processes nothing", false)
	p.press("Suspend")
	p.answer("Suspend a?", true)
	p.waitText("#one-status", "suspended")
	d.send("a", "ship")
	p.waitText("#waiting", "ship")
	p.press("Resume")
	p.answer("1 events in its inbox", true)
	p.waitText("#active", "moving")
	p.press("Stop…")
	p.answer("it ends for good", true)
	p.waitText("#one-status", "stopped")
	p.allow("404") // of a look at the session that was under way
	p.press("Delete…")
	p.answer("cannot be brought back", true)
	p.waitText("#total", "No session")
	if list, err := d.fleet.List(t.Context(), "", 0); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// A step that fails is shown with its reason, and is skipped.
func TestConsoleSkips(t *testing.T) {
	d := newOperatorDesk(t)
	d.create("a")
	d.send("a", "jam")
	d.send("a", "ship")
	p := d.open("#/session/a", operatorSecret, desk)
	p.waitText("#failure", "event jam failed")
	p.press("Skip…")
	p.answer("event jam is dropped", true)
	p.waitText("#active", "moving")
	p.wait(`!document.querySelector('#failure').textContent.includes('jam')`) // a message fails now
}

// A token that may only look changes nothing, and the page says why.
func TestConsoleOfAReader(t *testing.T) {
	d := newOperatorDesk(t)
	d.create("a")
	p := d.open("#/session/a", readerSecret, desk)
	p.allow("403")
	p.waitText("#active", "packed")
	p.press("Suspend")
	p.answer("Suspend a?", true)
	p.waitText("#notice", "this needs operate")
}

// A migration is rehearsed first: what would not fit is shown, and nothing has changed.
func TestConsoleMigrates(t *testing.T) {
	d := newOperatorDesk(t)
	d.create("a", "b")
	d.send("b", "ship")
	d.define("parcel", strings.ReplaceAll(parcel, "moving", "travelling"))
	p := d.open("#/charts", operatorSecret, desk)
	p.waitText("#versions", "new sessions")
	p.press("Rehearse")
	p.waitText("#migrated", "1 session of 2 would not fit. Nothing has changed.")
	p.waitText("#migrated a", "b")
	if !js[bool](p, `document.querySelector('#migrate-go').disabled`) {
		t.Error("a migration that does not fit can begin")
	}
	p.shot("unfit")
	p.click("#migrate-states")
	p.keys("moving = travelling")
	p.press("Rehearse")
	p.waitText("#migrated", "All 2 sessions fit. Nothing has changed yet.")
	if st, err := d.fleet.Get(t.Context(), "b"); err != nil || !slices.Contains(st.Configuration, "moving") {
		t.Errorf("after the rehearsal: %v, %v", st.Configuration, err)
	}
	p.press("Migrate…")
	p.answer("If one does not fit by then, none moves.", true)
	p.waitText("#migrated", "2 sessions moved.")
	if st, err := d.fleet.Get(t.Context(), "b"); err != nil || !slices.Contains(st.Configuration, "travelling") {
		t.Errorf("after the migration: %v, %v", st.Configuration, err)
	}
}

// Data are shown as texts.
func TestConsoleShowsMarkupAsText(t *testing.T) {
	d := newOperatorDesk(t)
	const markup = `<img src=x onerror=document.title='hacked'>`
	d.must(d.fleet.Create(t.Context(), "a", fleet.CreateOptions{Chart: "parcel", Data: map[string]any{"weight": markup}}))
	p := d.open("#/session/a", operatorSecret, desk)
	p.waitText("#data", "onerror")
	if js[bool](p, `document.querySelector('img') !== null || document.title === 'hacked'`) {
		t.Error("markup became an element")
	}
}

// On each screen and in both schemes nothing is cut off, all can be read, and the tab key reaches all.
func TestConsoleLooks(t *testing.T) {
	d := newOperatorDesk(t)
	d.fill()
	for _, s := range []struct {
		name   string
		screen screen
	}{{"desk-light", desk}, {"desk-dark", screen{width: 1440, height: 900, dark: true}}, {"phone-light", phone}, {"phone-dark", screen{width: 360, height: 640, phone: true, dark: true}}} {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, d.url+"/ui/", s.screen)
			p.wait(`document.activeElement.id === 'token'`)
			p.shot("login")
			p.keys(operatorSecret + kb.Enter)
			for _, view := range []struct{ hash, selector, text string }{
				{"#/", "#found", "parcel-0003"}, {"#/?stuck=true", "#found", "jammed-1"},
				{"#/session/parcel-0003", "#active", "moving"}, {"#/session/lost-1", "#failure", "suspended"}, {"#/charts", "#versions", "parcel"},
			} {
				js[any](p, fmt.Sprintf(`(location.hash = %q, 1)`, view.hash))
				p.waitText(view.selector, view.text)
				p.wait(`document.fonts.status === 'loaded'`)
				p.shot(strings.Trim(strings.NewReplacer("#", "", "/", "-", "?", "", "=", "").Replace(view.hash), "-"))
				if wide := js[int](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
					t.Errorf("%s is %d pixels wider than the screen", view.hash, wide)
				}
				p.checkContrast(view.hash, "document")
				if bare := js[[]string](p, `[...document.querySelectorAll('button, input, select, textarea')].filter(one => one.checkVisibility() && !one.textContent.trim() && !one.getAttribute('aria-label') && one.labels?.length !== 1).map(one => one.outerHTML)`); len(bare) > 0 {
					t.Errorf("%s: without a name: %q", view.hash, bare)
				}
			}
			js[any](p, `(location.hash = '#/session/parcel-0003', 1)`)
			p.waitText("#one-key", "parcel-0003")
			p.wait(`document.querySelector('#actions button')`) // they are made anew
			p.waitText("#active", "moving")
			js[any](p, `(window.met = new Set(), document.activeElement.blur(), document.addEventListener('focusin', ({target}) => met.add(target)), 1)`)
			for range js[int](p, `document.querySelectorAll('a, button, input, select, summary, [tabindex]').length`) + 5 {
				p.keys(kb.Tab)
			}
			missed := js[[]string](p, `[...document.querySelectorAll('a, button, input, select, summary, [tabindex="0"]')].filter(one => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({visibilityProperty: true}) && !met.has(one)).map(one => one.outerHTML.slice(0, 80))`)
			if len(missed) > 0 {
				t.Errorf("the tab key does not reach %q", missed)
			}
		})
	}
}

// With a hundred thousand sessions a search and a page come without a wait that one feels; the page has no
// more elements than with a hundred.
func TestConsoleOfManySessions(t *testing.T) {
	d := newOperatorDesk(t)
	changed := d.people.Observer().Changed
	for i := range 100_000 {
		key := fmt.Sprintf("order-%06d", i)
		changed(key, &fleet.Glance{Info: fleet.Info{Key: key, Chart: "parcel", Status: "running", Revision: uint64(i) + 1}})
	}
	p := d.open("", operatorSecret, desk)
	p.waitText("#total", "100,000 sessions, 100 shown")
	p.keys("/")
	p.wait(`document.activeElement.id === 'text'`)
	p.keys("099999")
	p.waitText("#total", "1 session")
	if rows := js[int](p, `document.querySelectorAll('#found tbody tr').length`); rows != 1 {
		t.Errorf("%d rows", rows)
	}
}
