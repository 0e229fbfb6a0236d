package datamodel_test

import (
	"fmt"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func TestSourcePosition(t *testing.T) {
	for _, tt := range []struct {
		text, raw string
		offset    int
		want      string
	}{
		{"abc", "", 0, "f:5:10"},
		{"abc", "", 2, "f:5:12"},
		{"abc", "", 99, "f:5:13"},
		{"a\nbc", "", 3, "f:6:2"},
		{"é😀x", "", 6, "f:5:12"},
		{"a<b", "a&lt;b", 1, "f:5:11"},
		{"a<b", "a&lt;b", 2, "f:5:15"},
		{"aéb", "a&#xE9;b", 3, "f:5:17"},
		{"a😀b", "a&#128512;b", 5, "f:5:20"},
		{"a\nb", "a\r\nb", 2, "f:6:1"},
		{"a<b&c", "a<![CDATA[<b&]]>c", 1, "f:5:20"},
		{"a<b&c", "a<![CDATA[<b&]]>c", 3, "f:5:22"},
		{"a<b&c", "a<![CDATA[<b&]]>c", 4, "f:5:26"},
		{"ab", "a<!-- \n -->b", 1, "f:6:5"},
		{"ab", "a<?pi?>b", 1, "f:5:17"},
		{"abc", "<![CDATA[a]]><![CDATA[]]>b<![CDATA[c", 2, "f:5:45"},
	} {
		s := datamodel.Source{Text: tt.text, Raw: tt.raw, Pos: datamodel.Position{File: "f", Line: 5, Col: 10}}
		if got := s.Position(tt.offset).String(); got != tt.want {
			t.Errorf("%q %q at %d: got %s, want %s", tt.text, tt.raw, tt.offset, got, tt.want)
		}
		places := s.Places()
		for offset := range tt.text {
			if got, want := places.At(offset), s.Position(offset); got != want {
				t.Errorf("%q %q at %d, after the bytes before: got %s, want %s", tt.text, tt.raw, offset, got, want)
			}
		}
	}
	if got := (datamodel.Source{Text: "abc"}).Position(2); got.IsValid() {
		t.Errorf("got %v of a source without a place", got)
	}
	for want, p := range map[string]datamodel.Position{"-": {}, "f": {File: "f"}, "2:3": {Line: 2, Col: 3}} {
		if p.String() != want {
			t.Errorf("got %s, want %s", p, want)
		}
	}
}

func TestObject(t *testing.T) {
	o := &datamodel.Object{}
	for i := range 40 { // beyond the number of keys that are searched one by one
		o.Set(fmt.Sprint("k", i), int64(i))
	}
	o.Set("k3", "changed")
	if v, ok := o.Get("k39"); !ok || v != int64(39) {
		t.Errorf("k39: %v, %v", v, ok)
	}
	if v, ok := o.Get("k3"); !ok || v != "changed" {
		t.Errorf("k3: %v, %v", v, ok)
	}
	if _, ok := o.Get("nope"); ok || o.Len() != 40 {
		t.Errorf("len %d", o.Len())
	}
	i := 0
	for k := range o.All() {
		if k != fmt.Sprint("k", i) {
			t.Errorf("key %d is %s", i, k)
		}
		i++
	}
}
