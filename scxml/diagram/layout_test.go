package diagram

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

func svg(t testing.TB, l *Layout, opts SVGOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := l.WriteSVG(&b, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func laidOut(t *testing.T, chart *scxml.Chart) *Layout {
	t.Helper()
	l, err := New(chart).Layout(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The same chart has the same picture, byte by byte, which is well-formed XML.
func TestSVGIsStable(t *testing.T) {
	first := svg(t, laidOut(t, parse(t, doorChart)), SVGOptions{})
	for range 20 {
		if again := svg(t, laidOut(t, parse(t, doorChart)), SVGOptions{}); again != first {
			t.Fatalf("got:\n%s\nwant:\n%s", again, first)
		}
	}
	d := xml.NewDecoder(bytes.NewReader([]byte(first)))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// An edge goes around a border that it crosses twice: REC 3.13, an external transition from a compound
// state to one in it exits and enters that, and so does one to a state that the source is in.
func TestHooks(t *testing.T) {
	l := laidOut(t, parse(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml">
	  <state id="s"><state id="a"><transition event="up" target="s"/></state>
	    <transition event="out" target="a"/><transition event="in" type="internal" target="a"/></state>
	  <parallel id="p"><state id="r"/><state id="q"/><transition event="in" type="internal" target="r"/></parallel>
	</scxml>`))
	outside := map[string]bool{"s/1": true, "s/2": false, "a/1": true, "p/1": true}
	for _, r := range l.Routes {
		want, known := outside[r.Edge.ID]
		if !known {
			continue
		}
		around := r.Edge.Source
		if r.Edge.ID == "a/1" {
			around = around.Parent
		}
		box := l.Boxes[around.Index]
		got := false
		for _, path := range r.Paths {
			for _, p := range path {
				got = got || p.Y < box.Y || p.Y > box.Y+box.H
			}
		}
		if got != want {
			t.Errorf("%s: is outside of %s: %t, want %t", r.Edge.ID, around.ID, got, want)
		}
	}
}
