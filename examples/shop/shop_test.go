package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"go.etcd.io/bbolt"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A shop is a server and a store with a clock that the test advances.
type shop struct {
	t testing.TB
	*store
	time time.Time
	url  string
	sent []order
}

func openShop(t testing.TB, path string, chart *scxml.Chart) *shop {
	t.Helper()
	st, err := openStore(path, chart)
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{t: t, store: st, time: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)}
	st.now = func() time.Time { return s.time }
	server := httptest.NewServer(handler(st))
	t.Cleanup(func() { server.Close(); st.db.Close() })
	s.url = server.URL
	return s
}

func loadChart(t testing.TB) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Load(files, "shop.scxml")
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func newShop(t testing.TB) *shop {
	return openShop(t, filepath.Join(t.TempDir(), "shop.db"), loadChart(t))
}

// deliverAll empties the outbox.
func (s *shop) deliverAll() []order {
	s.t.Helper()
	for {
		more, err := s.deliverFirst(s.t.Context(), func(_ context.Context, o order) error {
			s.sent = append(s.sent, o)
			return nil
		})
		if err != nil {
			s.t.Fatal(err)
		}
		if !more {
			return s.sent
		}
	}
}

// count returns the number of keys in a bucket.
func (s *shop) count(bucket []byte) (n int) {
	s.db.View(func(tx *bbolt.Tx) error {
		n = tx.Bucket(bucket).Stats().KeyN
		return nil
	})
	return n
}

// A browser keeps the cookie and does not follow the answer to an event.
type browser struct {
	t   testing.TB
	url string
	http.Client
}

func (s *shop) browser() *browser {
	jar, _ := cookiejar.New(nil)
	return &browser{s.t, s.url, http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
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
	status, page := b.answer(b.Get(b.url))
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
	s := newShop(t)
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
	b.sees("Thank you")

	other := s.browser()
	other.sees("It is empty.")
	if n := s.count(visitBucket); n != 2 {
		t.Errorf("%d visits, want 2", n)
	}
	got := s.deliverAll()
	if len(got) != 1 || got[0].Number != 1 || got[0].Total != 850 || !slices.Equal(got[0].Items, []string{"tea", "cake"}) {
		t.Errorf("orders %+v", got)
	}
	if n := s.count(outboxBucket); n != 0 {
		t.Errorf("%d orders are left in the outbox", n)
	}
}

func TestReservationExpires(t *testing.T) {
	s := newShop(t)
	b := s.browser()
	b.sees()
	b.posts(303, "1", "add", "tea")
	b.posts(303, "2", "checkout", "")
	s.time = s.time.Add(10*time.Minute - 1)
	b.sees("Reserved for you until")
	s.time = s.time.Add(1)
	b.sees("Your reservation has expired", "3.20 €") // at once, although nothing was saved
	b.posts(303, "3", "pay", "")                     // too late
	b.sees("Take the last one out")
	if got := s.deliverAll(); len(got) != 0 {
		t.Errorf("orders %v", got)
	}
}

// The sweeper ends a visit after 30 days without events.
func TestSweep(t *testing.T) {
	s := newShop(t)
	b := s.browser()
	b.sees()
	b.posts(303, "1", "add", "tea")
	b.posts(303, "2", "checkout", "")
	state := func() (states []string) {
		session, err := s.look(t.Context(), b.visitor())
		if err != nil {
			t.Fatal(err)
		}
		return session.Configuration()
	}
	sweep := func() {
		t.Helper()
		if err := s.sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if v, d := s.count(visitBucket), s.count(dueBucket); v != d {
			t.Errorf("%d visits, and %d are due", v, d)
		}
	}
	sweep()
	if got := state(); got[0] != "reserved" {
		t.Errorf("in %v, want reserved", got)
	}
	s.time = s.time.Add(time.Hour)
	sweep()
	began := s.time
	s.time = began.Add(-time.Hour) // look at what was saved, not at what is due
	if got := state(); got[0] != "shopping" {
		t.Errorf("in %v, want shopping, saved by the sweeper", got)
	}
	s.time = began.Add(31 * 24 * time.Hour)
	sweep()
	if n := s.count(visitBucket); n != 0 {
		t.Errorf("%d visits are left", n)
	}
	b.posts(http.StatusGone, "3", "add", "tea")
	before := b.visitor()
	b.sees("It is empty.")
	if b.visitor() == before {
		t.Error("a new visit has the cookie of the old one")
	}
}

func TestBadRequests(t *testing.T) {
	s := newShop(t)
	b := s.browser()
	b.posts(http.StatusGone, "1", "add", "tea") // without a cookie
	b.sees()
	b.posts(http.StatusBadRequest, "1", "expired", "")
	b.posts(http.StatusBadRequest, "1", "error.execution", "")
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
	chosen := "AAAAAAAAAAAAAAAAAAAAAAAAAA"
	u, _ := url.Parse(s.url)
	for _, value := range []string{chosen, "", strings.Repeat("x", 4000)} {
		b := s.browser()
		b.Jar.SetCookies(u, []*http.Cookie{{Name: cookieName, Value: value}})
		b.sees("It is empty.")
		if got := b.visitor(); got == value || len(got) < 26 {
			t.Errorf("the visitor is %q", got)
		}
	}

	// Another site cannot post in a visitor's name.
	r, _ := http.NewRequest("POST", s.url+"/event", strings.NewReader("id=9&event=add&item=tea"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if status, _ := b.answer(b.Do(r)); status != http.StatusForbidden {
		t.Errorf("a post from another site: status %d", status)
	}

	s.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(visitBucket).SetSequence(maxVisits) })
	if status, _ := s.browser().answer(http.Get(s.url)); status != http.StatusServiceUnavailable {
		t.Errorf("one visitor too many: status %d", status)
	}
}

func TestFullCart(t *testing.T) {
	s := newShop(t)
	b := s.browser()
	b.sees()
	for i := range 120 {
		b.posts(303, fmt.Sprint(i), "add", "tea")
	}
	b.sees("316.80 €")
	if err := s.db.View(func(tx *bbolt.Tx) error {
		if n := len(tx.Bucket(visitBucket).Get([]byte(b.visitor()))); n > 8<<10 {
			t.Errorf("a visit has %d bytes", n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// A changed chart continues existing visits if it can.
func TestChartChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.db")
	s := openShop(t, path, loadChart(t))
	b := s.browser()
	b.sees()
	b.posts(303, "1", "add", "tea")
	b.posts(303, "2", "checkout", "")
	if err := s.db.Close(); err != nil {
		t.Fatal(err)
	}
	changed := func(old, new string) *shop {
		source, err := files.ReadFile("shop.scxml")
		if err != nil {
			t.Fatal(err)
		}
		source = bytes.ReplaceAll(source, []byte(old), []byte(new))
		chart, err := scxml.Load(fstest.MapFS{"shop.scxml": {Data: source}}, "shop.scxml")
		if err != nil {
			t.Fatal(err)
		}
		next := openShop(t, path, chart)
		b.url = next.url
		return next
	}

	// A state has another id, which migrate does not know.
	s = changed(`"reserved"`, `"held"`)
	if status, text := b.answer(b.Get(b.url)); status != http.StatusInternalServerError {
		t.Errorf("status %d: %s", status, text)
	}
	b.posts(http.StatusInternalServerError, "3", "pay", "")
	s.time = s.time.Add(time.Hour)
	if err := s.sweep(t.Context()); err != nil {
		t.Error(err)
	}
	s.db.View(func(tx *bbolt.Tx) error {
		key, _ := tx.Bucket(dueBucket).Cursor().First()
		if want := dueKey(s.time.Add(time.Minute).UnixNano(), b.visitor()); !bytes.Equal(key, want) {
			t.Errorf("due is %x, want %x: the sweeper must try again later", key, want)
		}
		return nil
	})
	s.db.Close()

	// The chart has one more state. Now the sweeper can process the visit.
	s = changed(`<final id="over"/>`, `<state id="refunded"/><final id="over"/>`)
	b.sees("Reserved for you until")
	s.time = s.time.Add(2 * time.Hour)
	b.sees("Your reservation has expired")
	b.posts(303, "3", "add", "cake")
	b.sees("8.50 €")
}

func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.db")
	openShop(t, path, loadChart(t))
	_, err := openStore(path, loadChart(t))
	if err == nil || !strings.Contains(err.Error(), "another process uses it") {
		t.Errorf("error %v", err)
	}
}

// A failure does not change anything.
func TestBrokenOff(t *testing.T) {
	s := newShop(t)
	b := s.browser()
	b.sees()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.process(ctx, b.visitor(), "1", scxml.Event{Name: "add", Data: map[string]string{"item": "tea"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	b.sees("It is empty.")
	b.posts(303, "1", "add", "tea")
	b.sees("3.20 €")
}

// The server ends when ctx is done, after it has printed the order.
func TestShutdown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.db")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	in, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-port", "0", "-db", path}, out); out.Close() }()
	lines := bufio.NewScanner(in)
	lines.Scan()
	s := &shop{t: t, url: strings.TrimSuffix(lines.Text(), "/")}
	b := s.browser()
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
	if err := run(t.Context(), []string{"-port", "-1", "-db", path}, io.Discard); err == nil {
		t.Error("an invalid port is not an error")
	}
}
