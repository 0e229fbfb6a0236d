package cover

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const lamp = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <parallel id="lamp">
    <state id="power">
      <state id="off"><transition event="toggle" target="on"/></state>
      <state id="on">
        <transition event="toggle" cond="In('dark')" target="off"/>
        <transition event="break smash.*" target="broken"/>
      </state>
      <history id="last"><transition target="off"/></history>
    </state>
    <state id="light">
      <state id="day"><transition event="dusk" target="dark"/></state>
      <state id="dark"><transition cond="In('broken')" target="day"/></state>
    </state>
  </parallel>
  <final id="broken"/>
</scxml>`

func parse(t testing.TB, file, source string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse(file, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// play runs a session that gets some events.
func play(t testing.TB, p *Profile, chart *scxml.Chart, events ...string) {
	t.Helper()
	s, err := scxml.New(chart, scxml.WithTrace(p.Trace()))
	if err == nil {
		err = s.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range events {
		if _, err := s.Do(t.Context(), time.Now(), scxml.Event{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
}

func text(t testing.TB, p *Profile) string {
	t.Helper()
	var out bytes.Buffer
	if err := p.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestProfile(t *testing.T) {
	var p Profile
	if p.AtLeast(0) != nil || p.AtLeast(1) == nil {
		t.Errorf("an empty profile: %v, %v", p.AtLeast(0), p.AtLeast(1))
	}
	play(t, &p, parse(t, "lamp.scxml", lamp), "toggle", "toggle", "dusk")
	const want = `coverage      states  transitions  conditions   total
lamp.scxml       7/8          2/5         2/4   64.7%
lamp.scxml:6:9: transition "toggle" of "on" was never taken
lamp.scxml:6:9: condition "In('dark')" was never true
lamp.scxml:7:9: transition "break smash.*" of "on" was never taken
lamp.scxml:13:24: eventless transition of "dark" was never taken
lamp.scxml:13:24: condition "In('broken')" was never true
lamp.scxml:16:3: state "broken" was never entered
`
	if got := text(t, &p); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// The same document, parsed again, counts in the same place.
	play(t, &p, parse(t, "lamp.scxml", lamp), "toggle", "dusk", "toggle", "toggle", "break")
	const rest = `coverage      states  transitions  conditions   total
lamp.scxml       8/8          4/5         3/4   88.2%
lamp.scxml:13:24: eventless transition of "dark" was never taken
lamp.scxml:13:24: condition "In('broken')" was never true
`
	if got := text(t, &p); got != rest {
		t.Errorf("got\n%s\nwant\n%s", got, rest)
	}
	if d := p.Documents(); len(d) != 1 || d[0].Source != lamp || d[0].Elements[0] != (Element{Line: 2, Col: 3, Name: `state "lamp"`, State: true, Count: 2}) ||
		d[0].Elements[5] != (Element{Line: 6, Col: 9, Name: `transition "toggle" of "on"`, Count: 1, Cond: "In('dark')", True: 1, False: 1}) {
		t.Errorf("got %+v", d)
	}
	if p.AtLeast(88.2) != nil || p.AtLeast(88.3) == nil || p.AtLeast(88.3).Error() != "the tests cover 88.2% of their charts: want at least 88.3%" {
		t.Errorf("88.2%%: %v; 88.3%%: %v", p.AtLeast(88.2), p.AtLeast(88.3))
	}
}

// Invoked documents count: elements of a document with it, files and computed ones for themselves.
func TestInvokedDocuments(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="doc"><scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="c"/></scxml></data></datamodel>
  <state id="s">
    <invoke><content><scxml version="1.0"><state id="inner"><transition event="x" target="inner"/></state></scxml></content></invoke>
    <invoke src="child.scxml"/>
    <invoke><content expr="doc"/></invoke>
  </state>
</scxml>`
	dir := t.TempDir()
	for name, source := range map[string]string{"main.scxml": chart, "child.scxml": lamp} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := scxml.Load(os.DirFS(dir), "main.scxml")
	if err != nil {
		t.Fatal(err)
	}
	var p Profile
	play(t, &p, c, "nothing")
	got := text(t, &p)
	for _, want := range []string{
		"child.scxml       5/8 ",
		"main.scxml        1/1          0/0         0/0  100.0%\n", // the computed one
		"main.scxml        2/2          0/1         0/0   66.6%\n",
		"total            8/11 ",
		"main.scxml:4:61: transition \"x\" of \"inner\" was never taken\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %q in it", got, want)
		}
	}
}

// Sessions on several goroutines share a profile, which can be read meanwhile.
func TestConcurrentSessions(t *testing.T) {
	var p Profile
	chart := parse(t, "lamp.scxml", lamp)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				play(t, &p, chart, "toggle", "toggle")
				p.AtLeast(50)
			}
		})
	}
	all.Wait()
	if d := p.Documents()[0]; d.Elements[3].Count != 160 || d.Elements[5].False != 160 {
		t.Errorf("got %+v", d)
	}
}

// A file, JSON or page, is the sum of what was added to it.
func TestAddTo(t *testing.T) {
	for _, name := range []string{"cover.json", "cover.html"} {
		file := filepath.Join(t.TempDir(), name)
		chart := parse(t, "a</script>.scxml", lamp)
		var first, second Profile
		play(t, &first, chart, "toggle")
		play(t, &second, chart, "dusk")
		for _, p := range []*Profile{&first, &second, &first} {
			if err := p.AddTo(file); err != nil {
				t.Fatal(err)
			}
		}
		sum, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		d := sum.Documents()[0]
		if d.File != "a</script>.scxml" || d.Source != lamp || d.Elements[0].Count != 3 || d.Elements[3].Count != 2 || sum.runs != 3 {
			t.Errorf("%s: %d runs, %+v", name, sum.runs, d)
		}
		if got := first.Documents()[0].Elements[3].Count; got != 1 {
			t.Errorf("the profile itself has changed: taken %d times", got)
		}
		entries, err := os.ReadDir(filepath.Dir(file))
		if err != nil || len(entries) != 1 {
			t.Errorf("the folder has %v, %v", entries, err)
		}
	}
}

// Several profiles can be added to a file at once.
func TestAddToAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cover.json")
	var p Profile
	play(t, &p, parse(t, "lamp.scxml", lamp))
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := p.AddTo(file); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if sum, err := Open(file); err != nil || sum.runs != 20 || sum.Documents()[0].Elements[0].Count != 20 {
		t.Errorf("got %+v, %v", sum, err)
	}
}

// What is not a coverage file is neither read nor overwritten.
func TestFileErrors(t *testing.T) {
	defer func(before time.Duration) { patience = before }(patience)
	patience = time.Millisecond
	dir := t.TempDir()
	var p Profile
	for name, test := range map[string]struct{ content, want string }{
		"chart.scxml": {lamp, `"%s" is not a coverage file`},
		"other.json":  {`{"a":1}`, `"%s" is not a coverage file`},
		"page.html":   {"<p>mine</p>", `"%s" is not a coverage file`},
		"new.json":    {`{"scxmlcover":2}`, `version 2 of "%s" is newer than 1`},
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := p.AddTo(file); err == nil || !strings.Contains(err.Error(), fmt.Sprintf(test.want, file)) {
			t.Errorf("%s: %v", name, err)
		}
		if after, _ := os.ReadFile(file); string(after) != test.content {
			t.Errorf("%s was changed", name)
		}
	}
	if _, err := Open(filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "cannot read coverage: open ") {
		t.Errorf("no file: %v", err)
	}
	locked := filepath.Join(dir, "locked.json")
	if err := os.WriteFile(locked+".lock", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.AddTo(locked); err == nil || !strings.Contains(err.Error(), "remove it if there is none") {
		t.Errorf("a lock that was left: %v", err)
	}
}

// The page marks each line by what was reached of its elements, and says what was not.
func TestPage(t *testing.T) {
	var p Profile
	play(t, &p, parse(t, "lamp.scxml", lamp), "toggle", "toggle", "dusk")
	file := filepath.Join(t.TempDir(), "cover.html")
	if err := p.AddTo(file); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindSubmatch(page)
	hash := sha256.Sum256(style[1])
	for _, want := range []string{
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-` + base64.StdEncoding.EncodeToString(hash[:]) + `'; base-uri 'none'; form-action 'none'">`,
		"<title>Coverage 64.7%</title>",
		`<tr><td><a href="#d0">lamp.scxml</a></td><td>7/8</td><td>2/5</td><td>2/4</td><td>64.7%</td></tr>`,
		"Sum of 1 test run.",
		`<div><i></i><i>1</i><code>&lt;scxml xmlns=`,
		`<div class="all"><i>1 1</i><i>4</i><code>      &lt;state id=&#34;off&#34;&gt;&lt;transition`,
		`<div class="none"><i>0!</i><i>6</i>`,
		"<p>condition &#34;In(&#39;dark&#39;)&#34; was never true</p>",
		`<div class="some"><i>1 0+</i><i>13</i>`,
		`<div class="none"><i>0!</i><i>16</i><code>  &lt;final id=&#34;broken&#34;/&gt;</code></div>` + "\n<p>state &#34;broken&#34; was never entered</p>\n",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("%s is not in the page", want)
		}
	}
	if t.Failed() {
		t.Logf("%s", page)
	}
}
