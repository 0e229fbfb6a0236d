package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// groups writes a chart with n states with nine states each, with so many bytes of data.
func groups(t *testing.T, n, size int) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"><!-- <state> -->\n<datamodel><data id=\"d\">'%s'</data></datamodel>\n", strings.Repeat("x", size))
	for i := range n {
		fmt.Fprintf(&b, `<state id="g%d">`, i)
		for k := range 9 {
			fmt.Fprintf(&b, `<state id="g%ds%d"/>`, i, k)
		}
		b.WriteString("</state>\n")
	}
	name := filepath.Join(t.TempDir(), "large.scxml")
	if err := os.WriteFile(name, []byte(b.String()+"</scxml>\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// crossing writes a chart of a thousand states in a row, with a transition from the first to each of them.
func crossing(t *testing.T) string {
	t.Helper()
	var first, others strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&first, `<transition event="e%d" target="s%[1]d"/>`, i)
		fmt.Fprintf(&others, `<state id="s%d"><transition event="next" target="s%d"/></state>`, i, min(i+1, 999))
	}
	name := filepath.Join(t.TempDir(), "crossing.scxml")
	if err := os.WriteFile(name, []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a">`+first.String()+"</state>"+others.String()+"</scxml>"), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// A chart that is too large is refused with its size, the bound and parts to take instead, which work. A large document
// is refused before it is read as XML: it need not be well-formed.
func TestTooLarge(t *testing.T) {
	small, large := groups(t, 501, 0), groups(t, 10_001, 4<<20)
	if err := os.Truncate(large, int64(len(read(t, large))-len("</scxml>\n"))); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"draw", small}, 1, `": it has 5010 states: a picture has at most 5000; add "--state g0", "--depth 1" or "--format tree"`},
		{[]string{"draw", small, "--state", "g0"}, 0, ""},
		{[]string{"draw", small, "--depth", "1"}, 0, ""},
		{[]string{"draw", small, "--format", "tree"}, 0, ""},
		{[]string{"draw", crossing(t)}, 1, ` places where lines pass other states: a picture has at most 250000; add "--format tree"`},
		{[]string{"draw", large}, 1, `": it has 100010 states: a picture has at most 5000; add "--state ID" or "--depth N"`},
		{[]string{"draw", large, "--format", "dot"}, 1, `": it has 100010 states: a picture has at most 100000; add "--state ID" or "--depth N"`},
		{[]string{"doc", large}, 1, `": it has 100010 states: a page has at most 20000; look at a part of it with scxmlrun draw --state ID, or with --depth N`},
	} {
		cmd := exec.Command(binary, test.args...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != test.status || !strings.Contains(stderr.String(), test.want) || test.want == "" && stderr.Len() > 0 {
			t.Errorf("%v: status %d, %s", test.args, got, stderr.String())
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
