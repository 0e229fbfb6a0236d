package notation

import (
	"strings"
	"testing"
)

func TestTooltipIsEscapedAndCut(t *testing.T) {
	if got, want := tooltip("a\u202e\n\tb"), ` tooltip="a\\u202e&#10;`+"\tb\""; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := tooltip(strings.Repeat("long", 25_000)); len(got) > 8100 {
		t.Errorf("got %d bytes", len(got))
	}
}
