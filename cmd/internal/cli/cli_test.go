package cli

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"runtime/debug"
	"strings"
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
		"play":  ` (want "solve", "new", "convert" or "print")`,
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

// Escaping does not change the meaning of a document.
func TestEscape(t *testing.T) {
	const text = "a\u009b31m\u202eb\x7f\u2066é😀"
	source, err := json.MarshalIndent(map[string]string{text: text}, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	got := Escape(string(source), InJSON)
	if want := `"a\u009b31m\u202eb\u007f\u2066é😀"`; !strings.Contains(got, want) || strings.ContainsFunc(got, isHidden) {
		t.Errorf("got %s, want %s in it", got, want)
	}
	var back map[string]string
	if err := json.Unmarshal([]byte(got), &back); err != nil || back[text] != text {
		t.Errorf("read back: %q, %v", back, err)
	}
	var element struct {
		Text string `xml:",chardata"`
		A    string `xml:"a,attr"`
	}
	got = Escape(`<e a="`+text+`">`+text+`</e>`, InXML)
	if err := xml.Unmarshal([]byte(got), &element); err != nil || element.Text != text || element.A != text || strings.ContainsFunc(got, isHidden) {
		t.Errorf("%s is read back as %q, %v", got, element, err)
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

func TestVersion(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef"}
	modified := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, test := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "(unknown)"},
		{&debug.BuildInfo{}, "(unknown)"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{revision}}, "v1.2.3 (commit 0123456789ab)"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20261129143000-0123456789ab"}}, "v0.0.0-20261129143000-0123456789ab (commit 0123456789ab)"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.4-0.20261129143000-0123456789ab"}}, "v1.2.4-0.20261129143000-0123456789ab (commit 0123456789ab)"},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{revision, modified}}, "(devel) (commit 0123456789ab, modified)"},
	} {
		if got := version(test.info); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// The page has each command with its text, flags and examples, and nothing in
// them is taken for a command of the page.
func TestManual(t *testing.T) {
	root := &cobra.Command{Use: "tool [run] FILE", Short: "Do things", Long: "Tool does things.\n\nSuch as:\n  one   the first\n        thing\n.two", Example: "  tool a\\b", Run: func(*cobra.Command, []string) {}}
	root.Flags().String("at", "noon", "when, as `TIME`")
	sub := &cobra.Command{Use: "make THING", Short: "Make a thing", Example: "  tool make 'x'", Run: root.Run}
	sub.Flags().BoolP("quick", "q", false, "be quick")
	sub.Flags().Bool("debug", false, "")
	if err := sub.Flags().MarkHidden("debug"); err != nil {
		t.Fatal(err)
	}
	root.AddCommand(sub)
	sub.AddCommand(&cobra.Command{Use: "again", Short: "Make it again", Run: root.Run})
	got := manual(root, "v1.2.3", "2026-01-02")
	const want = `.TH "TOOL" 1 "2026-01-02" "tool v1.2.3"
.nh
.ad l
.SH NAME
tool \- do things
.SH SYNOPSIS
.PP
.B tool [run] FILE [flags]
.PP
.B tool COMMAND [flags]
.SH DESCRIPTION
.PP
Tool does things.
.PP
Such as:
.nf
  one   the first
        thing
.fi
\&.two
.SH OPTIONS
.TP
\fB\-\-at\fR \fITIME\fR
when, as TIME (default noon)
.SH EXAMPLES
.PP
.nf
  tool a\eb
.fi
.SH COMMANDS
.SS "make"
.PP
.B tool make THING [flags]
.PP
Make a thing.
.TP
\fB\-q\fR, \fB\-\-quick\fR
be quick
.PP
Examples:
.nf
  tool make \(aqx\(aq
.fi
.SS "make again"
.PP
.B tool make again
.PP
Make it again.
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func isHidden(r rune) bool { return Hidden(r) && r != '\n' && r != '\t' }
