package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// tricks are characters that a terminal does not simply show: ESC and the C1
// form of ESC [, which begin its commands, and controls that change the
// direction of writing.
const tricks = "\u009b31m\u202e\u2066\x7f"

// No front end and no command writes characters that control the terminal, wherever they
// come from.
func TestNothingPlaysTricksOnTheTerminal(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(content, "TRICKS", tricks)), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	file := "t" + tricks + ".scxml"
	chart := write(file, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="nTRICKS" xmlns:x="urn:TRICKS">
  <datamodel>
    <data id="d" expr="'\u001b[2J\r' + 'dTRICKS'"/>
    <data id="o" expr="({['kTRICKS']: d})"/>
  </datamodel>
  <state id="s">
    <onentry>
      <log label="lTRICKS" expr="d"/>
      <log expr="o"/>
      <raise event="r&#x202e;"/>
      <send event="e&#x202e;" id="iTRICKS"><param name="pTRICKS" expr="d"/></send>
      <send event="e&#x202e;" id="cTRICKS" delay="1h"/><cancel sendid="cTRICKS"/>
      <send event="e" target="#_TRICKS"/>
      <send event="e" type="TRICKS"/>
      <send eventexpr="d"/>
      <script>function f() { throw new Error(d) } f()</script>
    </onentry>
    <invoke id="kTRICKS"><content><scxml version="1.0"><state id="k"><onentry><log expr="'TRICKS'"/></onentry></state></scxml></content></invoke>
    <transition event="g&#x202e;" cond="d != 'TRICKS'" target="end"/>
  </state>
  <final id="end"><donedata><content expr="d"/></donedata></final>
</scxml>`)
	bad := write("bad"+tricks+".scxml", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" oddTRICKS="1">
  <state id="aTRICKS"><transition event="e" target="TRICKS"/><script src="TRICKS.js"/></state>
</scxml>`)
	write("suite/"+file, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"><onentry><log label="TRICKS" expr="'TRICKS'"/></onentry></state></scxml>`)
	write("suite/t"+tricks+".json", `{"initialConfiguration":["TRICKS"],"events":[]}`)
	suite := filepath.Join(dir, "suite")
	typed := strings.ReplaceAll("\x1b[2JTRICKS\ndata\ndata d\neval d\neval o.x = d\neval f()\nin TRICKS\nsend xTRICKS\nsend x {\"TRICKS\":\"TRICKS\"}\nsend x {TRICKS\ndata TRICKS\ng\u202e\n", "TRICKS", tricks)
	lines := strings.ReplaceAll(`{"get":"d"}
{"get":"f()"}
{"TRICKS":1}
{"event":"eTRICKS"}
{"event":"x","data":{"TRICKS":"TRICKS"},"id":"TRICKS"}
{"event":"x","session":"TRICKS"}
{"event":"g`+"\u202e"+`"}
`, "TRICKS", tricks)

	for _, test := range []struct {
		stdin string
		args  []string
	}{
		{typed, []string{"--ui", "line", "--clock", "virtual", "--trace", chart}},
		{typed, []string{"--ui", "line", "--clock", "virtual", chart}},
		{"", []string{"doc", chart}},
		{"", []string{"doc", "--format", "markdown", chart}},
		{"", []string{"draw", chart}},
		{"", []string{"draw", "--format", "tree", chart}},
		{"", []string{"draw", "--format", "unicode", chart}},
		{lines, []string{"--ui", "json", "--clock", "virtual", "--trace", chart}},
		{"", []string{"--ui", "none", "--clock", "virtual", "--trace", chart}},
		{"", []string{"--ui", "none", "--clock", "virtual", bad}},
		{"", []string{"check", bad, chart}},
		{"", []string{"check", "--format", "json", bad, chart}},
		{"", []string{"check", "--format", "sarif", bad, chart}},
		{"", []string{"check", "--explain", tricks}},
		{"", []string{"gen", "go", "--package", "p", chart}},
		{"", []string{"gen", tricks}},
		{"", []string{"test", suite}},
		{"", []string{"test", "--cover", filepath.Join(dir, "cover.json"), suite}},
		{"", []string{"test", "--cover", filepath.Join(dir, "cover.json")}},
		{"", []string{"test", "--cover", chart, suite}},
		{"", []string{"test", "--output", "markdown", suite}},
		{"", []string{"test", "--output", "json", suite}},
		{"", []string{"test", "--output", "junit", suite}},
		{"", []string{"bench", "--time", "1ms", "--event", "q\u202e", chart}},
		{"", []string{"bench", "--time", "1ms", "--event", "q\u202e", "--json", chart}},
		{"", []string{"bench", "--event", tricks, chart}},
		{"", []string{"w3c", "--suite", tricks}},
		{"", []string{"nowhere" + tricks}},
		{"", []string{tricks + "/nowhere"}},
		{"", []string{"--" + tricks, chart}},
		{"", []string{"--ui", tricks, chart}},
		{"", []string{"--ui", "none", "--data", tricks, chart}},
		{"", []string{"--ui", "none", "--data", tricks + "=1", chart}},
		{"", []string{"--ui", "none", "--data", "d=" + tricks, chart}},
		{"", []string{"--ui", "none", "--load", tricks, chart}},
		{"", []string{"--ui", "none", "--load", chart, chart}},
		{"", []string{"--ui", "none", "--save", tricks + "/x", chart}},
		{"", []string{"--ui", "none", "--limit", tricks, chart}},
		{"", []string{"--ui", "none", "--expect", tricks, chart}},
		{"", []string{"--ui", "none", "--expect", "end", "--clock", "virtual", chart}},
		{"", []string{"--ui", "none", "--http", tricks, chart}},
		{"", []string{"help", tricks}},
	} {
		cmd := exec.Command(binary, test.args...)
		cmd.Dir = dir
		cmd.Stdin = strings.NewReader(test.stdin)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		if out.Len() == 0 {
			t.Errorf("%q: nothing is written", test.args)
		}
		for line := range strings.Lines(out.String()) {
			if strings.ContainsFunc(strings.Trim(line, "\n"), func(r rune) bool { return r != '\t' && cli.Hidden(r) }) {
				t.Errorf("%q writes %q", test.args, line)
			}
		}
	}
}

// No command writes a line that is much longer than [cli.MaxLine], however long the names of a chart and of
// files are. What is written for programs is whole.
func TestLongNamesAreCut(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("long", 25_000)
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(content, "LONG", long)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("chart.scxml", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="LONG">
  <datamodel><data id="LONG" expr="'LONG'"/><data id="o" expr="({['LONG']: 'LONG'})"/></datamodel>
  <state id="s">
    <onentry>
      <log label="LONG" expr="'LONG'"/>
      <send event="e" id="LONG" delay="1h"/><cancel sendid="LONG"/>
      <send event="e" target="#_LONG"/>
      <script>throw new Error('LONG')</script>
    </onentry>
    <transition event="g" cond="'LONG' != 'x'" target="LONG"/>
  </state>
  <state id="LONG"/>
</scxml>`)
	write("bad.scxml", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" oddLONG="1">
  <state id="aLONG"><transition event="e" target="LONG" cond="LONG LONG"/></state>
</scxml>`)
	name := long[:90_000] // Linux allows 128 KiB
	if runtime.GOOS == "windows" {
		name = long[:30_000] // and this system 32 KiB for all arguments
	}
	for _, test := range []struct {
		stdin string
		args  []string
	}{
		{"data\neval o\ng\n", []string{"--ui", "line", "--clock", "virtual", "--trace", "chart.scxml"}},
		{"", []string{"--ui", "none", "--clock", "virtual", "--trace", "--record", "r.jsonl", "chart.scxml"}},
		{"", []string{"replay", "r.jsonl"}},
		{"", []string{"why", "g", "--record", "r.jsonl"}},
		{"", []string{"why", "o", "--record", "r.jsonl"}},
		{"", []string{"why", "In('" + name + "')", "--record", "r.jsonl"}},
		{"step\nstack\nlist\ndata\ncontinue\n", []string{"debug", "chart.scxml"}},
		{"", []string{"check", "bad.scxml", "chart.scxml"}},
		{"", []string{"draw", "--format", "tree", "chart.scxml"}},
		{"", []string{"doc", "--format", "markdown", "chart.scxml"}},
		{"", []string{name}},
		{"", []string{"why", "g", "--record", name}},
		{"", []string{"debug", name}},
		{"", []string{"replay", name}},
		{"", []string{"sessions", "show", "a", "--token-file", name}},
		{"", []string{"--ui", "none", "--data", name + "=1", "chart.scxml"}},
		{"", []string{"--ui", "none", "--expect", name, "chart.scxml"}},
	} {
		cmd := exec.Command(binary, test.args...)
		cmd.Dir = dir
		cmd.Stdin = strings.NewReader(test.stdin)
		out, err := cmd.CombinedOutput()
		if err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		if !bytes.Contains(out, []byte("longlong")) {
			t.Errorf("%.200q does not write a long text: %.200q", test.args, out)
		}
		for line := range strings.Lines(string(out)) {
			if len(line) > cli.MaxLine+200 {
				t.Errorf("%.200q writes a line of %d bytes: %.100q", test.args, len(line), line)
			}
		}
	}
}
