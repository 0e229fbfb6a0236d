package datamodel_test

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func TestCheckEventName(t *testing.T) {
	for _, name := range []string{"a", "tap", "a.b.c", "done.state.s-1", "HTTP.POST", "größer.als", "事件", "a#b", strings.Repeat("x", datamodel.MaxEventName)} {
		if err := datamodel.CheckEventName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"":        "the event has no name",
		"*":       `event name "*" has a wildcard: write "*" only in the event of a transition`,
		"a.*":     `event name "a.*" has a wildcard: write "*" only in the event of a transition`,
		"ö*":      `event name "ö*" has a wildcard: write "*" only in the event of a transition`,
		".":       `event name "." has an empty token: it begins or ends with a dot, or has two in a row`,
		"..":      `event name ".." has an empty token: it begins or ends with a dot, or has two in a row`,
		".a":      `event name ".a" has an empty token: it begins or ends with a dot, or has two in a row`,
		"a.":      `event name "a." has an empty token: it begins or ends with a dot, or has two in a row`,
		"a..ö":    `event name "a..ö" has an empty token: it begins or ends with a dot, or has two in a row`,
		" ":       `event name " " contains white space: want the name of one event`,
		"a b":     `event name "a b" contains white space: want the name of one event`,
		"a\n":     `event name "a\n" contains white space: want the name of one event`,
		"a\u00a0": `event name "a\u00a0" contains white space: want the name of one event`,
		"a\u2028": `event name "a\u2028" contains white space: want the name of one event`,
		"a\x00b":  `event name "a\x00b" contains a control character`,
		"a\x7f":   `event name "a\x7f" contains a control character`,
		"a\u009b": `event name "a\u009b" contains a control character`,
		"a\xff":   `event name "a\xff" is not UTF-8`,
		"." + strings.Repeat("x", datamodel.MaxEventName): `event name ".` + strings.Repeat("x", 39) + `"… has 4097 bytes: want at most 4096`,
	} {
		if err := datamodel.CheckEventName(name); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", name, err, want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { _ = datamodel.CheckEventName("done.state.größer") }); n != 0 {
		t.Errorf("a name that is right costs %v allocations", n)
	}
}
