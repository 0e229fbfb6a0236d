package scxml_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

var update = flag.Bool("update", false, "rewrite the marks in testdata/diagnostics; read them before you commit")

// mark is an expected diagnostic. It is written at the end of the line of the diagnostic, with
// column, code and message, as in internal/doc/testdata/diagnostics.
var mark = regexp.MustCompile(` *<!-- (?:ERROR|WARNING|NOTE) [0-9]+ .*? -->`)

// TestLint checks the documents of testdata/diagnostics, which contain the expected warnings. Those
// called portable… are checked for all engines, those called trust… for computed events, and those
// called files… have a loader.
func TestLint(t *testing.T) {
	files, err := filepath.Glob("testdata/diagnostics/*.scxml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(strings.TrimSuffix(name, ".scxml"), func(t *testing.T) {
			marked, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src := mark.ReplaceAll(marked, nil)
			var opts scxml.LintOptions
			if strings.HasPrefix(name, "portable") {
				opts.Portable = scxml.Engines()
			}
			if strings.HasPrefix(name, "trust") {
				opts.Trust = true
			}
			var chart []scxml.ChartOption
			if strings.HasPrefix(name, "files") {
				chart = append(chart, scxml.WithLoader(fstest.MapFS{"child.scxml": {}}))
			}
			lines := strings.Split(string(src), "\n")
			for _, d := range scxml.Lint(name, src, opts, chart...) {
				if d.Pos.File != name || d.Pos.Line > len(lines) {
					t.Fatalf("odd diagnostic: %+v", d)
				}
				msg := strings.ReplaceAll(d.Message, "--", "- -") // "--" is not allowed in a comment
				lines[d.Pos.Line-1] += fmt.Sprintf(" <!-- %s %d %s: %s -->", strings.ToUpper(d.Severity.String()), d.Pos.Col, d.Code, msg)
			}
			got := strings.Join(lines, "\n")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want := strings.Split(string(marked), "\n")
			for i, line := range lines {
				if line != want[i] {
					t.Errorf("%s:%d:\n got %s\nwant %s", name, i+1, line, want[i])
				}
			}
		})
	}
}

// TestW3CLint checks the documents of the W3C's suite. Only the document that must be refused (301)
// has errors, and those with an illegal expression on purpose. Each warning is known to be true. SCXML_W3C_SUITE names the folder of the suite.
func TestW3CLint(t *testing.T) {
	suite := os.Getenv("SCXML_W3C_SUITE")
	if suite == "" {
		t.Skip("SCXML_W3C_SUITE is not set")
	}
	files, err := filepath.Glob(filepath.Join(suite, "*", "*.scxml"))
	if err != nil || len(files) < 200 {
		t.Fatalf("%d documents: %v", len(files), err)
	}
	var found []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range scxml.Lint(filepath.Base(file), source, scxml.LintOptions{}, scxml.WithLoader(os.DirFS(filepath.Dir(file)))) {
			line := fmt.Sprintf("%s:%d %s", d.Pos.File, d.Pos.Line, d.Code)
			if d.Severity == scxml.SeverityError {
				line += " error"
			}
			found = append(found, line)
		}
	}
	slices.Sort(found)
	if got, want := strings.Join(found, "\n"), strings.TrimSpace(w3cFindings); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// w3cFindings are the findings in the W3C's documents: each is the point of the test, or true and
// harmless. "return" is the suite's illegal expression, "foo.bar.baz" its illegal location, "'continue'"
// its illegal item, and "baz" its illegal target. Tests 322 to 346 try to change system variables. States that must not be
// entered are its traps.
const w3cFindings = `
test152.scxml:30 data-name
test156.scxml:19 expression-syntax error
test156.scxml:19 undeclared-location
test159.scxml:11 unknown-send-target
test194.scxml:10 unknown-send-target
test245.scxml:18 undeclared-name
test245_child0.scxml:5 undeclared-name
test277.scxml:6 expression-syntax error
test278.scxml:13 unreachable-state
test279.scxml:14 unreachable-state
test286.scxml:9 undeclared-location
test298.scxml:21 undeclared-name
test301.scxml:11 unreachable-state
test301.scxml:5 cannot-load error
test309.scxml:6 expression-syntax error
test311.scxml:9 undeclared-location
test312.scxml:11 expression-syntax error
test313.scxml:12 expression-syntax error
test314.scxml:23 expression-syntax error
test318.scxml:17 event-not-taken
test322.scxml:17 system-variable
test324.scxml:13 system-variable
test326.scxml:17 system-variable
test329.scxml:16 system-variable
test329.scxml:26 system-variable
test329.scxml:35 system-variable
test329.scxml:45 system-variable
test331.scxml:28 undeclared-location
test332.scxml:13 unknown-send-target
test343.scxml:11 never-taken
test343.scxml:19 undeclared-name
test344.scxml:9 expression-syntax error
test346.scxml:10 system-variable
test346.scxml:20 system-variable
test346.scxml:33 system-variable
test346.scxml:43 system-variable
test355.scxml:10 unreachable-state
test355.scxml:15 unreachable-state
test364.scxml:13 unreachable-state
test364.scxml:16 unreachable-state
test364.scxml:24 unreachable-state
test364.scxml:39 unreachable-state
test364.scxml:42 unreachable-state
test364.scxml:50 unreachable-state
test364.scxml:66 unreachable-state
test364.scxml:67 unreachable-state
test364.scxml:68 unreachable-state
test376.scxml:11 unknown-send-target
test378.scxml:11 unknown-send-target
test387.scxml:16 unreachable-state
test387.scxml:25 unreachable-state
test387.scxml:31 unreachable-state
test387.scxml:51 unreachable-state
test387.scxml:57 unreachable-state
test387.scxml:70 unreachable-state
test401.scxml:12 undeclared-location
test402.scxml:19 undeclared-location
test413.scxml:19 unreachable-state
test413.scxml:30 unreachable-state
test413.scxml:7 unreachable-state
test415.scxml:10 event-not-taken
test419.scxml:11 never-taken
test421.scxml:10 event-not-taken
test421.scxml:9 event-not-taken
test436.scxml:17 unreachable-state
test444.scxml:10 cond-assigns
test457.scxml:29 data-name
test487.scxml:10 expression-syntax error
test488.scxml:11 never-taken
test488.scxml:19 expression-syntax error
test528.scxml:17 expression-syntax error
test550.scxml:11 unreachable-state
test551.scxml:12 unreachable-state
test553.scxml:12 expression-syntax error
test554.scxml:14 expression-syntax error
test576.scxml:17 unreachable-state
test576.scxml:20 unreachable-state
test576.scxml:28 unreachable-state
test576.scxml:7 unreachable-state
`

// TestLintIsLinear checks charts made to be slow: with quadratic work each would take minutes.
func TestLintIsLinear(t *testing.T) {
	n := 50_000
	if testing.Short() {
		n = 2000
	}
	var chain, wide, regions, raises, transitions, histories, unknown, names, sends, loop strings.Builder
	for i := range n {
		fmt.Fprintf(&chain, `<state id="s%d"><transition event="e" target="s%d"/></state>`, i, (i+1)%n)
		fmt.Fprintf(&regions, `<state id="r%d"/>`, i)
		fmt.Fprintf(&wide, `<transition event="e%d" target="r%d"/>`, i, i)
		fmt.Fprintf(&raises, `<raise event="event%d"/>`, i)
		fmt.Fprintf(&unknown, `<state id="t%d"><transition event="e" target="s%d"/></state>`, i, i)
		fmt.Fprintf(&transitions, `<transition event="evnt.%d" target="s"/>`, i)
		fmt.Fprintf(&names, `<log expr="name%d + other"/>`, i)
		fmt.Fprintf(&sends, `<send event="e" target="#_child%d"/>`, i)
		fmt.Fprintf(&loop, `<state id="l%d"><transition target="l%d"/></state>`, i, (i+1)%n)
		fmt.Fprintf(&histories, `<history id="h%d"><transition target="s"/></history><state id="h%d-"><transition event="e" target="h%d"/></state>`, i, i, i)
	}
	for name, body := range map[string]string{
		"a chain":                   chain.String(),
		"a wide parallel":           `<state id="s">` + wide.String() + `</state><parallel id="p">` + regions.String() + `</parallel>`,
		"unreachable states":        `<state id="s"><transition event="e" target="s"/></state>` + regions.String(),
		"raises and descriptors":    `<state id="s"><onentry>` + raises.String() + `</onentry>` + transitions.String() + `</state>`,
		"histories":                 `<state id="p"><state id="s"/>` + histories.String() + `</state>`,
		"deep":                      strings.Repeat(`<state><transition event="e" target="s"/>`, 990) + `<state id="s"/>` + strings.Repeat(`</state>`, 990),
		"unknown targets":           unknown.String(),
		"undeclared names":          `<state id="s"><onentry>` + names.String() + `</onentry></state>`,
		"lost sends":                `<state id="s"><onentry>` + sends.String() + `</onentry></state>` + regions.String(),
		"a loop":                    loop.String(),
		"one id":                    strings.Repeat(`<state id="s"><transition event="e" target="s"/></state>`, n),
		"misplaced elements":        `<state id="s"><onentry>` + unknown.String() + `</onentry></state>`,
		"unknown elements":          strings.Repeat(`<stat><transitio event="e" traget="s"/></stat>`, n),
		"a descriptor of many dots": `<state id="s"><transition event="a" target="s"/><transition event="` + strings.Repeat("b.", n) + `b" target="s"/></state>`,
	} {
		t.Run(name, func(t *testing.T) {
			source := []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">` + body + `</scxml>`)
			start := time.Now()
			found := len(scxml.Lint("f", source, scxml.LintOptions{Portable: scxml.Engines()}))
			t.Logf("%v for %d findings", time.Since(start), found)
		})
	}
}

func ExampleLint() {
	source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="off"><transition event="press" target="on"/></state>
  <state id="on"><transition event="press" cond="level = 0" target="off"/></state>
  <state id="dimmed"><transition event="press" target="of"/></state>
</scxml>`
	for _, d := range scxml.Lint("lamp.scxml", []byte(source), scxml.LintOptions{}) {
		fmt.Println(d.Severity, d)
	}
	explanation, _ := scxml.Explain("cond-assigns")
	fmt.Println(explanation.Title)
	// Output:
	// warning lamp.scxml:3:50: the condition changes data with "level = 0": to compare, write "=="
	// warning lamp.scxml:4:3: state "dimmed" is never entered: no transition leads to it, and it is not an initial state
	// error lamp.scxml:4:56: state "dimmed": target "of" not found (did you mean "off"?)
	// A condition changes data
}
