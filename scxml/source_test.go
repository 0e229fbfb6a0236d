package scxml_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A chart has the text that its positions refer to: in UTF-8 whatever the document is written in, of
// the whole document for an element in it, and of the computed document for one in a string.
func TestSource(t *testing.T) {
	const text = `<?xml version="1.0" encoding="UTF-16"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="ä">
  <state id="s">
    <invoke id="inline"><content>
      <scxml version="1.0"><state id="x"/></scxml>
    </content></invoke>
    <invoke id="computed"><content expr="'&lt;scxml xmlns=&quot;http://www.w3.org/2005/07/scxml&quot; version=&quot;1.0&quot;&gt;&lt;final/&gt;&lt;/scxml&gt;'"/></invoke>
  </state>
</scxml>`
	source := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(text)) {
		source = append(source, byte(unit), byte(unit>>8))
	}
	chart, err := scxml.Parse("doc.scxml", source)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{"": chart.Source()}
	s, err := scxml.New(chart, scxml.WithTrace(&scxml.Trace{Invoke: func(_ *scxml.Session, id string, child *scxml.Session) {
		got[id] = child.Chart().Source()
	}}))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got[""] != text || got["inline"] != text || !strings.HasPrefix(got["computed"], "<scxml ") || len(got) != 3 {
		t.Errorf("got %q", got)
	}
}
