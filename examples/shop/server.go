package main

import (
	"bytes"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// events are those that visitors may send. The bank's answers are not among them.
var events = []string{"add", "remove", "checkout", "back", "pay", "again"}

// Limits for what a visitor sends.
const (
	maxBody = 4 << 10
	maxText = 64
)

// cookieName is the cookie that identifies a visitor.
const cookieName = "visit"

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"money": func(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) },
	"clock": func(t time.Time) string { return t.Local().Format(time.TimeOnly) },
	"button": func(event, label, item string) map[string]string {
		return map[string]string{"Event": event, "Label": label, "Item": item, "ID": rand.Text()}
	},
}).Parse(pageSource))

// A page is what a visitor sees.
type page struct {
	State        string
	Offers, Cart []offer
	Total        int

	Expired, Declined bool
	Due               time.Time // when the reservation expires
}

type offer struct {
	Item  string `json:"item"`
	Price int    `json:"price"`
}

// handler returns the shop's HTTP handler.
func (sh *shop) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", sh.show)
	mux.HandleFunc("POST /event", sh.receive)
	return http.NewCrossOriginProtection().Handler(mux)
}

// show shows a visitor's session, and starts one for a new visitor.
func (sh *shop) show(w http.ResponseWriter, r *http.Request) {
	id := visitor(r)
	p, err := sh.look(r.Context(), id)
	if errors.Is(err, errNoVisit) {
		if id, err = sh.begin(r.Context()); err == nil {
			p, err = sh.look(r.Context(), id)
		}
	}
	if err != nil {
		fail(w, err)
		return
	}
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, p); err != nil {
		fail(w, err)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: id, Path: "/", MaxAge: 30 * 24 * 60 * 60,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, // and Secure, once there is TLS
	})
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'")
	w.Write(out.Bytes())
}

// receive processes an event from a visitor. It answers with a redirection to
// the page, which guarantees that the event has been processed.
func (sh *shop) receive(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "cannot read the form: want at most 4 KB", http.StatusBadRequest)
		return
	}
	name, id, item := r.PostForm.Get("event"), r.PostForm.Get("id"), r.PostForm.Get("item")
	switch {
	case !slices.Contains(events, name):
		http.Error(w, fmt.Sprintf("%.64q is not an event: want one of %q", name, events), http.StatusBadRequest)
		return
	case id == "" || max(len(id), len(item)) > maxText:
		http.Error(w, "cannot read the event: want an id of 1 to 64 bytes and an item of at most 64", http.StatusBadRequest)
		return
	}
	ev := scxml.Event{Name: name}
	if item != "" {
		ev.Data = datamodel.NewObject("item", item)
	}
	if err := sh.process(r.Context(), visitor(r), id, ev); err != nil {
		fail(w, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func visitor(r *http.Request) string {
	c, err := r.Cookie(cookieName)
	if err != nil || len(c.Value) > maxText {
		return ""
	}
	return c.Value
}

func fail(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, errNoVisit):
		http.Error(w, "your visit is over: reload the page", http.StatusGone)
	case errors.Is(err, errFull):
		http.Error(w, "the shop is full: try again later", http.StatusServiceUnavailable)
	default:
		slog.Error("cannot answer a request", "error", err)
		http.Error(w, "something went wrong: try again later", http.StatusInternalServerError)
	}
}
