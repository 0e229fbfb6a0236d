package editor

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// format returns a text with the edits of Format.
func format(t *testing.T, name, text, indent string) string {
	t.Helper()
	formatted, err := apply(text, Analyse(name, text, Options{}).Format(indent))
	if err != nil {
		t.Fatal(err)
	}
	return formatted
}

func TestFormat(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nesting", "<scxml>\n<state id='a'>\n\t\t<onentry><log\n expr='1'/></onentry>  \n   \n  <!-- c\n       d -->\n</state> <!-- e -->\n      </scxml>\n",
			"<scxml>\n  <state id='a'>\n    <onentry><log\n expr='1'/></onentry>\n\n    <!-- c\n         d -->\n  </state> <!-- e -->\n</scxml>\n"},
		{"several in a line", "<scxml>\n<state><onentry>\n<log/>\n</onentry></state>\n</scxml>", "<scxml>\n  <state><onentry>\n    <log/>\n  </onentry></state>\n</scxml>"},
		{"attributes", "<scxml>\n<transition event='a'\n            cond='x'/>\n</scxml>", "<scxml>\n  <transition event='a'\n              cond='x'/>\n</scxml>"},
		{"a value of several lines", "<scxml>\n<log expr='a  \n b'/>\n</scxml>", "<scxml>\n  <log expr='a  \n b'/>\n</scxml>"},
		{"script", "<scxml>\n<script>\n      if (a) {\n        b();\n\n      }\n      </script>\n</scxml>", "<scxml>\n  <script>\n    if (a) {\n      b();\n\n    }\n  </script>\n</scxml>"},
		{"cdata", "<scxml>\n<script><![CDATA[\na &&\n  b;\n]]></script>\n</scxml>", "<scxml>\n  <script><![CDATA[\n    a &&\n      b;\n  ]]></script>\n</scxml>"},
		{"a text in a script", "<scxml>\n<script>\n`a\n  b`</script>\n</scxml>", "<scxml>\n  <script>\n`a\n  b`</script>\n</scxml>"},
		{"data", "<scxml>\n<data id='d'>\n a  \n  <x>\n</x></data>\n</scxml>", "<scxml>\n  <data id='d'>\n a  \n  <x>\n</x></data>\n</scxml>"},
		{"an invoked chart", "<scxml>\n<invoke><content>\n<scxml>\n<final/>\n</scxml>\n</content></invoke>\n</scxml>", "<scxml>\n  <invoke><content>\n    <scxml>\n      <final/>\n    </scxml>\n  </content></invoke>\n</scxml>"},
		{"line ends", "<scxml>\r\n<final/>\t\r\n</scxml>", "<scxml>\r\n  <final/>\r\n</scxml>"},
		{"a tag without end", "<scxml>\n<state>\n</scxml>", "<scxml>\n<state>\n</scxml>"},
		{"an unfinished tag", "<scxml>\n<state <final/>\n</scxml>", "<scxml>\n<state <final/>\n</scxml>"},
	} {
		body := strings.Replace(test.text, "<scxml>", head, 1)
		want := strings.Replace(test.want, "<scxml>", head, 1)
		if got := format(t, "t.scxml", body, "  "); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, want)
		}
	}
}

// TestFormatCorpus checks that lines stay, that a chart stays the same, and that the second time nothing
// changes.
func TestFormatCorpus(t *testing.T) {
	changed := 0
	for _, s := range corpus(t) {
		for _, indent := range []string{"  ", "\t"} {
			got := format(t, s.file, s.text, indent)
			if again := format(t, s.file, got, indent); again != got {
				t.Errorf("%s: the second time it becomes\n%s", s.file, again)
			}
			if got != s.text {
				changed++
			}
			before, after := strings.Split(s.text, "\n"), strings.Split(got, "\n")
			for i := range before {
				if len(before) != len(after) || strings.TrimSpace(before[i]) != strings.TrimSpace(after[i]) {
					t.Fatalf("%s:%d: other lines", s.file, i+1)
				}
			}
			if a, b := outline(s.file, s.text), outline(s.file, got); a != b {
				t.Errorf("%s: another chart:\n%s\n%s", s.file, a, b)
			}
		}
	}
	if changed == 0 {
		t.Error("nothing was to be formatted")
	}
}

// outline returns the elements of a chart with what counts in them, or "" if it is refused.
func outline(name, text string) string {
	chart, err := scxml.Parse(name, []byte(text))
	if err != nil {
		return ""
	}
	var b strings.Builder
	var write func(e *scxml.Element)
	write = func(e *scxml.Element) {
		b.WriteString("<" + e.Name)
		for _, a := range e.Attrs {
			b.WriteString(" " + a.Name + "=" + a.Value)
		}
		if text := e.Text; e.Name == "script" {
			b.WriteString(strings.Join(strings.Fields(text), " "))
		} else if strings.TrimSpace(text) != "" {
			b.WriteString(text)
		}
		for _, c := range e.Children {
			write(c)
		}
		b.WriteString(">")
	}
	write(chart.Root().Element())
	return b.String()
}
