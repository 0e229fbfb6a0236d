package cli

import (
	"errors"
	"testing"

	"github.com/spf13/cobra"
)

func TestNearest(t *testing.T) {
	words := []string{"solve", "new", "convert", "print"}
	for word, want := range map[string]string{
		"solv": "solve", "slove": "solve", "nwe": "new", "covnert": "convert", "prnit": "print",
		"play": "", "": "", "x": "", "conversion": "", "new": "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
	for word, want := range map[string]string{
		"slove": ` (did you mean "solve"?)`,
		"print": "",
		"play":  ` (there is "solve", "new", "convert" and "print")`,
	} {
		if got := DidYouMean(word, words); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
	if got := DidYouMean("x", nil); got != "" {
		t.Errorf("no candidates: got %q", got)
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain, é, \t":        "plain, é, \t",
		"a\nb":                `a\nb`,
		"\x1b[31m\r\x00":      `\x1b[31m\r\x00`,
		"\u202eabc":           `\u202eabc`,
		"broken \xff \uFFFD.": "broken \\xff \uFFFD.",
	} {
		if got := Visible(text, EscapeNewlines); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := Visible("a\nb\x07", KeepNewlines); got != "a\nb\\x07" {
		t.Errorf("got %q", got)
	}
}

func TestExecute(t *testing.T) {
	for _, test := range []struct {
		err  error
		want int
	}{
		{nil, OK},
		{Usagef("how?"), Usage},
		{&Error{Status: Refused}, Refused},
		{errors.New("what cobra says"), Usage},
	} {
		cmd := &cobra.Command{Use: "x", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error { return test.err }}
		cmd.SetArgs([]string{})
		if got := Execute(cmd); got != test.want {
			t.Errorf("%v: got %d, want %d", test.err, got, test.want)
		}
	}
}
