package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

// A testShop is a shop that runs in a bubble, whose time the test advances.
type testShop struct {
	t testing.TB
	*shop
	stop     func()
	mu       sync.Mutex // of what follows
	orders   []order
	payments map[string]int // by id
	bank     func(amount int) (bool, error)
}

// inBubble calls f with a shop whose store is in memory.
func inBubble(t *testing.T, f func(t *testing.T, s *testShop)) {
	synctest.Test(t, func(t *testing.T) {
		store := fleet.NewMemory()
		s, err := start(t, store, loadChart(t))
		if err != nil {
			t.Fatal(err)
		}
		f(t, s)
		s.stop()
	})
}

// start opens a shop and runs it until stop.
func start(t testing.TB, store fleet.Store, chart *scxml.Chart) (*testShop, error) {
	t.Helper()
	s := &testShop{t: t, payments: map[string]int{}, bank: func(int) (bool, error) { return true, nil }}
	var err error
	s.shop, err = openShop(t.Context(), store, chart, 10*time.Minute, outside{
		order: func(_ context.Context, o order) error {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.orders = append(s.orders, o)
			return nil
		},
		collect: func(_ context.Context, id string, amount int) (bool, error) {
			s.mu.Lock()
			s.payments[id] = amount
			s.mu.Unlock()
			return s.bank(amount)
		},
	})
	if err != nil {
		return nil, err
	}
	s.run()
	return s, nil
}

// run lets the shop do until stop what nobody asks for.
func (s *testShop) run() {
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	go func() { s.fleet.Run(ctx); close(ended) }()
	s.stop = func() { cancel(); <-ended }
}

// settle waits until the shop has done what it can do now.
func (s *testShop) settle() { synctest.Wait() }

func loadChart(t testing.TB) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Load(files, "shop.scxml")
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// A browser keeps the cookie and does not follow the answer to an event.
type browser struct {
	t   testing.TB
	url string
	http.Client
}

func newBrowser(t testing.TB, url string, transport http.RoundTripper) *browser {
	jar, _ := cookiejar.New(nil)
	return &browser{t, url, http.Client{
		Jar: jar, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// direct is a connection to a handler without a network, which a bubble does not know.
type direct struct{ http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	d.ServeHTTP(w, r)
	return w.Result(), nil
}

func (s *testShop) browser() *browser {
	return newBrowser(s.t, "http://shop.example", direct{s.handler()})
}

// answer returns the status and the text of a response.
func (b *browser) answer(r *http.Response, err error) (int, string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// sees checks that the page has all of the texts.
func (b *browser) sees(texts ...string) {
	b.t.Helper()
	status, page := b.answer(b.Get(b.url + "/"))
	if status != http.StatusOK {
		b.t.Fatalf("status %d: %s", status, page)
	}
	for _, text := range texts {
		if !strings.Contains(page, text) {
			b.t.Errorf("the page does not say %q:\n%s", text, page)
		}
	}
}

// posts sends an event and checks the status.
func (b *browser) posts(want int, id, event, item string) {
	b.t.Helper()
	status, text := b.answer(b.PostForm(b.url+"/event", url.Values{"id": {id}, "event": {event}, "item": {item}}))
	if status != want {
		b.t.Fatalf("%s %s: status %d, want %d: %s", event, item, status, want, text)
	}
}

func (b *browser) visitor() string {
	u, _ := url.Parse(b.url)
	for _, c := range b.Jar.Cookies(u) {
		if c.Name == cookieName {
			return c.Value
		}
	}
	return ""
}

func TestVisit(t *testing.T) {
	inBubble(t, func(t *testing.T, s *testShop) {
		b := s.browser()
		b.sees("It is empty.")
		b.posts(303, "1", "checkout", "") // not with an empty cart
		b.posts(303, "2", "add", "tea")
		b.posts(303, "3", "add", "cake")
		b.posts(303, "3", "add", "cake") // a double click
		b.posts(303, "4", "add", "gold") // not on offer
		b.sees("Take the last one out", "8.50 €")
		b.posts(303, "5", "checkout", "")
		b.sees("Reserved for you until")
		b.posts(303, "6", "pay", "")
		b.posts(303, "6", "pay", "")
		b.posts(303, "7", "pay", "")
		s.settle()
		b.sees("Thank you")

		s.browser().sees("It is empty.")
		if n := s.visits.Load(); n != 2 {
			t.Errorf("%d visits, want 2", n)
		}
		if len(s.orders) != 1 || s.orders[0].Total != 850 || !slices.Equal(s.orders[0].Items, []string{"tea", "cake"}) {
			t.Errorf("orders %+v", s.orders)
		}
		if got := slices.Collect(maps.Values(s.payments)); !slices.Equal(got, []int{850}) {
			t.Errorf("payments %v", got)
		}
		if o := s.orders[0]; o.Visit != key(b.visitor()) || strings.Contains(o.ID, b.visitor()) {
			t.Errorf("order %+v of %q: it must name the visit, and not tell its secret", o, b.visitor())
		}
	})
}

// A reservation holds while a payment is under way, and a declined one can be repeated.
func TestPayment(t *testing.T) {
	inBubble(t, func(t *testing.T, s *testShop) {
		answer := make(chan bool)
		s.bank = func(int) (bool, error) { return <-answer, nil }
		b := s.browser()
		b.sees()
		b.posts(303, "1", "add", "tea")
		b.posts(303, "2", "checkout", "")
		b.posts(303, "3", "pay", "")
		time.Sleep(time.Hour)
		b.sees("Your payment is under way", `http-equiv="refresh"`)
		answer <- false
		s.settle()
		b.sees("Your payment was declined. Reserved for you until")

		failures := 3
		s.bank = func(int) (bool, error) {
			failures--
			return true, map[bool]error{true: errors.New("the bank is closed")}[failures >= 0]
		}
		b.posts(303, "4", "pay", "")
		time.Sleep(time.Minute)
		b.sees("Thank you")
		if len(s.payments) != 2 || len(s.orders) != 1 {
			t.Errorf("payments %v, want 2 with an id for each; orders %+v", s.payments, s.orders)
		}
	})
}

func TestReservationExpires(t *testing.T) {
	inBubble(t, func(t *testing.T, s *testShop) {
		b := s.browser()
		b.sees()
		b.posts(303, "1", "add", "tea")
		b.posts(303, "2", "checkout", "")
		time.Sleep(10*time.Minute - time.Nanosecond)
		b.sees("Reserved for you until")
		time.Sleep(time.Nanosecond)
		b.sees("Your reservation has expired", "3.20 €")
		b.posts(303, "3", "pay", "") // too late
		b.sees("Take the last one out")
		s.settle()
		if len(s.orders) != 0 {
			t.Errorf("orders %v", s.orders)
		}
	})
}

// A page shows what is due also if nobody has stored it yet.
func TestLookShowsThePresent(t *testing.T) {
	inBubble(t, func(t *testing.T, s *testShop) {
		b := s.browser()
		b.sees()
		b.posts(303, "1", "add", "tea")
		b.posts(303, "2", "checkout", "")
		s.stop()
		time.Sleep(time.Hour)
		b.sees("Your reservation has expired")
		info, err := s.fleet.List(t.Context(), "", 1)
		if err != nil || info[0].Wake.After(time.Now()) {
			t.Errorf("sessions %+v, error %v: looking has stored something", info, err)
		}
	})
}

// A visit ends after 30 days without events, and is deleted.
func TestAbandoned(t *testing.T) {
	inBubble(t, func(t *testing.T, s *testShop) {
		b := s.browser()
		b.sees()
		b.posts(303, "1", "add", "tea")
		b.posts(303, "2", "checkout", "")
		s.stop() // Run looks at the clock each second
		time.Sleep(29 * 24 * time.Hour)
		b.sees("Your reservation has expired")
		time.Sleep(2 * 24 * time.Hour)
		s.run()
		s.settle()
		if list, err := s.fleet.List(t.Context(), "", 0); err != nil || len(list) != 0 || s.visits.Load() != 0 {
			t.Errorf("visits %v, counted %d, error %v", list, s.visits.Load(), err)
		}
		b.posts(http.StatusGone, "3", "add", "tea")
		before := b.visitor()
		b.sees("It is empty.")
		if b.visitor() == before {
			t.Error("a new visit has the cookie of the old one")
		}
	})
}

func TestBadRequests(t *testing.T) {
	inBubble(t, func(t *testing.T, s *testShop) {
		b := s.browser()
		b.posts(http.StatusGone, "1", "add", "tea") // without a cookie
		b.sees()
		b.posts(http.StatusBadRequest, "1", "expired", "")
		b.posts(http.StatusBadRequest, "1", "error.execution", "")
		b.posts(http.StatusBadRequest, "1", "payment.accepted", "")
		b.posts(http.StatusBadRequest, "1", "", "")
		b.posts(http.StatusBadRequest, "", "add", "tea")
		b.posts(http.StatusBadRequest, strings.Repeat("1", 65), "add", "tea")
		b.posts(http.StatusBadRequest, "1", "add", strings.Repeat("x", 65))
		b.posts(http.StatusBadRequest, "1", "add", strings.Repeat("x", 5000))
		b.posts(http.StatusSeeOther, "1", "add", "__proto__")
		b.posts(http.StatusSeeOther, "2", "add", "")
		b.posts(http.StatusSeeOther, "3", "add", "<b>")
		b.sees("It is empty.")

		// A visitor cannot choose an id.
		u, _ := url.Parse(b.url)
		for _, value := range []string{"AAAAAAAAAAAAAAAAAAAAAAAAAA", "", strings.Repeat("x", 4000)} {
			b := s.browser()
			b.Jar.SetCookies(u, []*http.Cookie{{Name: cookieName, Value: value}})
			b.sees("It is empty.")
			if got := b.visitor(); got == value || len(got) < 26 {
				t.Errorf("the visitor is %q", got)
			}
		}

		// Another site cannot post in a visitor's name.
		r, _ := http.NewRequest("POST", b.url+"/event", strings.NewReader("id=9&event=add&item=tea"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		if status, _ := b.answer(b.Do(r)); status != http.StatusForbidden {
			t.Errorf("a post from another site: status %d", status)
		}

		s.visits.Store(maxVisits)
		if status, _ := s.browser().answer(s.browser().Get(b.url + "/")); status != http.StatusServiceUnavailable {
			t.Errorf("one visitor too many: status %d", status)
		}
	})
}

func TestFullCart(t *testing.T) {
	inBubble(t, func(t *testing.T, s *testShop) {
		b := s.browser()
		b.sees()
		for i := range 120 {
			b.posts(303, fmt.Sprint(i), "add", "tea")
		}
		b.sees("316.80 €")
		snapshot, err := s.fleet.Snapshot(t.Context(), key(b.visitor()))
		if err != nil || len(snapshot) > 8<<10 {
			t.Errorf("a visit has %d bytes, error %v", len(snapshot), err)
		}
	})
}

// A changed chart continues existing visits, or does not start.
func TestChartChanges(t *testing.T) {
	changed := func(old, new string) *scxml.Chart {
		source, err := files.ReadFile("shop.scxml")
		if err != nil {
			t.Fatal(err)
		}
		source = bytes.ReplaceAll(source, []byte(old), []byte(new))
		chart, err := scxml.Load(fstest.MapFS{"shop.scxml": {Data: source}}, "shop.scxml")
		if err != nil {
			t.Fatal(err)
		}
		return chart
	}
	inBubble(t, func(t *testing.T, _ *testShop) {
		store := fleet.NewMemory()
		s, err := start(t, store, loadChart(t))
		if err != nil {
			t.Fatal(err)
		}
		b := s.browser()
		b.sees()
		b.posts(303, "1", "add", "tea")
		b.posts(303, "2", "checkout", "")
		s.stop()

		// A state has another id, which renamed does not know.
		held := changed(`"reserved"`, `"held"`)
		if _, err := start(t, store, held); err == nil || !strings.Contains(err.Error(), "visit "+key(b.visitor())+" does not fit the chart") {
			t.Errorf("error %v", err)
		}
		renamed["reserved"] = "held"
		defer delete(renamed, "reserved")
		if s, err = start(t, store, held); err != nil {
			t.Fatal(err)
		}
		b.Transport = direct{s.handler()}
		time.Sleep(time.Hour)
		b.sees("Your reservation has expired")
		b.posts(303, "3", "add", "cake")
		b.sees("8.50 €")
		s.stop()
	})
}

func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	store, err := bolt.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := run(t.Context(), []string{"-port", "0", "-store", dir}, io.Discard); err == nil || !strings.Contains(err.Error(), "another process uses it") {
		t.Errorf("error %v", err)
	}
}

// A failure does not change anything.
func TestBrokenOff(t *testing.T) {
	inBubble(t, func(t *testing.T, s *testShop) {
		b := s.browser()
		b.sees()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.process(ctx, b.visitor(), "1", add); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		b.sees("It is empty.")
		b.posts(303, "1", "add", "tea")
		b.sees("3.20 €")
	})
}

// The server ends when ctx is done, after it has printed the order.
func TestShutdown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	in, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-port", "0", "-store", dir}, out); out.Close() }()
	lines := bufio.NewScanner(in)
	lines.Scan()
	b := newBrowser(t, strings.TrimSuffix(lines.Text(), "/"), &http.Transport{})
	b.sees()
	b.posts(303, "1", "add", "coffee")
	b.posts(303, "2", "checkout", "")
	b.posts(303, "3", "pay", "")
	lines.Scan()
	if text := lines.Text(); !strings.Contains(text, `"items":["coffee"],"total":410`) {
		t.Errorf("the order is %s", text)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := run(t.Context(), []string{"-port", "-1", "-store", dir}, io.Discard); err == nil {
		t.Error("an invalid port is not an error")
	}
}
