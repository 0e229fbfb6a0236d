package console

import (
	"bytes"
	"io"
	"testing"

	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

func TestKeyFilter(t *testing.T) {
	for _, test := range []struct{ in, edit, others string }{
		{"tap é漢😀", "tap é漢😀", ""},
		{"\t\r\n\x7f\x01\x05", "\t\r\n\x7f\x01\x05", ""},
		{"a\x00\x07\x1d\x13b", "ab", ""},                                             // what the editor has no use for
		{"a\x03b\x1ac\x1c", "abc", "\x03\x1a\x1c"},                                   // what is not for it
		{"\x1b[A\x1bOA\x1b[D", "\x1b[A\x1b[A\x1b[D", ""},                             // arrows, also of an application
		{"\x1b[1~\x1b[4~\x1b[7~\x1b[8~\x1bOH\x1b[F", "\x01\x05\x01\x05\x01\x05", ""}, // Home, End
		{"\x1b[3~\x1b[5~\x1b[6~\x1b[2~", "\x1b[3~", ""},                              // Delete; not PgUp, PgDn, Insert
		{"\x1b[1;5C\x1bb\x1b\x7f", "\x1b[1;3C\x1b[1;3D\x17", ""},                     // words
		{"\x1b[[Ax\x1bOPx\x1b[15~x\x1b[<0;12;3Mx\x1b[200~x", "xxxxx", ""},            // function keys, mouse, pasting
		{"\x1b\x1b[A\x1b\x03x", "\x1b[Ax", "\x03"},                                   // the key Escape
		{"\x1b[12\rx", "\rx", ""},                                                    // interrupted
		{"\xff\xc3(a\xed\xa0\x80\uFFFDb", "(ab", ""},                                 // not UTF-8
		{"a\u202eb\u009b31mc", "ab31mc", ""},                                         // control characters beyond ASCII
		{"\x1b[" + string(bytes.Repeat([]byte("1"), 1000)) + "~x", string(bytes.Repeat([]byte("1"), 1000-maxSequence+2)) + "~x", ""}, // without end
	} {
		var whole keyFilter
		edit, others := whole.filter([]byte(test.in))
		if string(edit) != test.edit || string(others) != test.others {
			t.Errorf("%q: got %q and %q, want %q and %q", test.in, edit, others, test.edit, test.others)
		}
		var parts keyFilter // the same, byte by byte
		edit, others = nil, nil
		for _, c := range []byte(test.in) {
			e, o := parts.filter([]byte{c})
			edit, others = append(edit, e...), append(others, o...)
		}
		if string(edit) != test.edit || string(others) != test.others {
			t.Errorf("%q byte by byte: got %q and %q, want %q and %q", test.in, edit, others, test.edit, test.others)
		}
	}
}

// The editor reads any input of a terminal to the end, and its output has only its own
// sequences.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("tap\x1b[A\x1b[3~\x17\xc3\xa9\r\x1b"), byte(3))
	f.Add([]byte("\x1b\x1b\x1b[\xff\xfe\uFFFD\t\tdata\n\n"), byte(1))
	f.Fuzz(func(t *testing.T, typed []byte, size byte) {
		in := newFeed()
		var keys keyFilter
		for rest := typed; len(rest) > 0; {
			n := min(len(rest), 1+int(size))
			edit, _ := keys.filter(rest[:n])
			in.write(edit)
			rest = rest[n:]
		}
		in.close()
		var out bytes.Buffer
		editor := term.NewTerminal(struct {
			io.Reader
			io.Writer
		}{in, &out}, sign)
		editor.History = &history{}
		v := Vocabulary{Events: []string{"tap", "tick", "été", "ete."}}
		editor.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
			if key != '\t' {
				return "", 0, false
			}
			line, pos, _ = v.complete(testCommands(), line, pos)
			return line, pos, true
		}
		for {
			line, err := editor.ReadLine()
			if cli.Visible(line, cli.EscapeNewlines) != line {
				t.Errorf("%q came out of %q", line, typed)
			}
			if err == io.EOF {
				break
			}
		}
	})
}
