package cli

import "testing"

// A terminal of 16 colours is known without infocmp, and has no others.
func TestTerminalOf16Colours(t *testing.T) {
	t.Setenv("PATH", "")
	t.Setenv("COLORTERM", "truecolor")
	for _, name := range []string{"xterm-16color", "screen-16color"} {
		ti, err := LookupTerminfo(name)
		if err != nil {
			t.Fatal(err)
		}
		if ti.Colors != 16 || ti.TrueColor || ti.SetFgRGB != "" || ti.SetCursor == "" {
			t.Errorf("%s has %d colours: %+v", name, ti.Colors, ti)
		}
		if got := ti.TParm(ti.SetFg, 9); got != "\x1b[91m" {
			t.Errorf("%s: colour 9 is %q", name, got)
		}
	}
	if _, err := LookupTerminfo("unknown-16color"); err == nil {
		t.Error("an unknown terminal is known")
	}
}
