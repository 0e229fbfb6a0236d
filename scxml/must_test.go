package scxml_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestMust: a chart of the program that is not legal is a panic with all its problems.
func TestMust(t *testing.T) {
	const legal, wrong = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><script src="a.js"/><state id="a"/></scxml>`,
		`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"><transition target="b"/><transition target="c"/></state></scxml>`
	files := fstest.MapFS{"a.js": {Data: []byte("1")}, "legal.scxml": {Data: []byte(legal)}, "wrong.scxml": {Data: []byte(wrong)}}
	if c := scxml.MustLoad(files, "legal.scxml"); c.File() != "legal.scxml" {
		t.Errorf("got %q", c.File())
	}
	if c := scxml.MustParse("legal.scxml", []byte(legal), scxml.WithLoader(files)); c.File() != "legal.scxml" {
		t.Errorf("got %q", c.File())
	}
	for _, test := range []struct {
		f        func()
		want     []string
		document bool
	}{
		{func() { scxml.MustParse("wrong.scxml", []byte(wrong)) },
			[]string{`scxml: MustParse: cannot use the chart "wrong.scxml" of the program: `, `wrong.scxml:1:96: state "a": target "b" not found`, "\nwrong.scxml:1:120: state \"a\": target \"c\" not found"}, true},
		{func() { scxml.MustLoad(files, "wrong.scxml") },
			[]string{`scxml: MustLoad: cannot use the chart "wrong.scxml" of the program: `, `"b" not found`, `"c" not found`}, true},
		{func() { scxml.MustLoad(files, "none.scxml") },
			[]string{`scxml: MustLoad: cannot use the chart "none.scxml" of the program: cannot read the document none.scxml: open none.scxml: file does not exist`}, false},
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				if err == nil {
					t.Fatal("no panic with an error")
				}
				for _, want := range test.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("got %v\nwant %s", err, want)
					}
				}
				var problems *scxml.DocumentError
				if errors.As(err, &problems) != test.document {
					t.Errorf("%v is a DocumentError: %v", err, !test.document)
				}
			}()
			test.f()
		}()
	}
}
