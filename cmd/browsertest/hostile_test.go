package browsertest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/cover"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// hostile is a chart whose names, data and logs are against the pages: markup and addresses that would
// run, characters that turn texts round, names that are much too long, and keys that all objects inherit.
var hostile = strings.NewReplacer("RLO", "\u202e", "LRI", "\u2066", "LONG", strings.Repeat("long", 25_000), "EVENT", strings.Repeat("e", 4_000),
	"IMG", "&lt;img/src=x/onerror=ran=1>", "URL", "javascript:ran=1").Replace(
	`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="IMGRLOLRI" initial="start">
  <!-- URLRLO IMG -->
  <datamodel>
    <data id="box" expr="({first: 1})"/>
    <data id="texts" expr="({'URLRLO': 'URL', 'IMG': 'IMGRLOLRI'})"/>
    <data id="wide" expr="({'LONG': 'LONG'})"/>
    <data id="LONG" expr="1"/>
  </datamodel>
  <state id="start">
    <transition event="turnedRLOLRIdnuor" target="LONG">
      <log label="logRLO" expr="'IMGLRI'"/>
      <log label="LONG" expr="'LONG'"/>
      <send event="IMG" delay="1h" id="idRLO"/>
      <raise event="EVENT"/>
    </transition>
    <transition event="IMG" cond="'IMGLRI' == 'URL'"/>
    <transition event="URL EVENT"/>
    <transition event="more"><script>box = JSON.parse('{"first":1,"constructor":"c","toString":{"x":"t"},"__proto__":"p","hasOwnProperty":"h"}')</script></transition>
  </state>
  <state id="LONG"/>
</scxml>
`)

// harmless checks what a page shows of the chart: no text of it ran, none turns its neighbours round, and
// none is very long.
func (p *tab) harmless(page string) {
	p.t.Helper()
	got := js[struct {
		Ran            bool
		Images, Turned []string
		Long           int
	}](p, fmt.Sprintf(`(() => {
		const page = %s, texts = [];
		(function walk(node) {
			if (/^(script|style|textarea)$/i.test(node.nodeName) || node.nodeType === Node.COMMENT_NODE) return;
			if (node.nodeType === Node.TEXT_NODE && !node.parentNode.closest?.('.paint')) texts.push(node.data);
			for (const name of ['title', 'aria-label', 'placeholder', 'alt']) if (node.hasAttribute?.(name)) texts.push(node.getAttribute(name));
			if (node.shadowRoot) walk(node.shadowRoot);
			node.childNodes.forEach(walk);
		})(page);
		return {
			ran: 'ran' in window || 'ran' in page.defaultView,
			images: [...page.querySelectorAll('img, [href^="javascript:"]')].map(one => one.outerHTML.slice(0, 200)),
			turned: texts.filter(text => /[\u202a-\u202e\u2066-\u2069]/.test(text)).map(text => text.slice(0, 200)),
			long: Math.max(...texts.map(text => text.length)),
		};
	})()`, page))
	if got.Ran || len(got.Images) > 0 {
		p.t.Errorf("a text of the chart became a part of the page: %q", got.Images)
	}
	if len(got.Turned) > 0 {
		p.t.Errorf("texts are turned round: %q", got.Turned)
	}
	if got.Long > 8100 {
		p.t.Errorf("a text has %d characters", got.Long)
	}
}

func TestHostileTextsInInspector(t *testing.T) {
	p := open(t, show(t, "hostile", hostile).run(t).url, desk)
	p.waitActive("start")
	p.waitText("#data", "first")
	js[any](p, `[...document.querySelectorAll('#data details')].forEach(one => { one.open = true; })`)
	p.waitText("#data", `\u202e`)
	p.harmless("document")
	p.press("more")
	for _, text := range []string{`constructor"c"before: undefined`, `toString{x: "t"}`, `__proto__"p"before: undefined`, `hasOwnProperty"h"before: undefined`} {
		p.waitText("#data", text)
	}
	p.press(`turned\u202e\u2066dnuor`)
	p.waitText("#step", `log\u202e: `)
	p.waitText("#waiting", "<img/src=x/onerror=ran=1>")
	p.waitText("#title", "hostile")
	p.press("Outline")
	p.shot("outline")
	p.harmless("document")
}

func TestHostileTextsForOperators(t *testing.T) {
	d := newOperatorDesk(t)
	d.define("parcel", hostile)
	d.create("a")
	p := d.open("#/session/a", operatorSecret, desk)
	p.waitText("#data", "first")
	js[any](p, `document.querySelectorAll('#data details').forEach(one => { one.open = true; })`)
	p.waitText("#data", `\u202e`)
	d.send("a", "more")
	p.waitText("#data", `constructor"c"before: undefined`)
	d.send("a", "turned\u202e\u2066dnuor")
	p.waitText("#past", `turned\u202e\u2066dnuor`)
	p.shot("one")
	p.harmless("document")
}

// Names that are written from right to left stay in the order in which a page joins them.
func TestJoinedTextsAreIsolated(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="שלום">
  <datamodel><data id="קופסה" expr="({'א': 'ב', 'ג': 'ד'})"/></datamodel>
  <parallel id="p"><state id="אבג"/><state id="דהו"/></parallel>
</scxml>`
	d := newOperatorDesk(t)
	d.define("parcel", chart)
	d.create("a")
	for _, p := range []*tab{open(t, show(t, "isolated", chart).run(t).url, desk), d.open("#/session/a", operatorSecret, desk)} {
		p.waitText("#active", "\u2068אבג\u2069, \u2068דהו\u2069")
		p.waitText("#data", "{\u2068א\u2069: \u2068\"ב\"\u2069, \u2068ג\u2069: \u2068\"ד\"\u2069}")
		places := js[[]float64](p, `['אבג', 'דהו'].map(name => {
			const node = document.querySelector('#active').firstChild, range = document.createRange(), at = node.data.indexOf(name);
			range.setStart(node, at);
			range.setEnd(node, at + name.length);
			return range.getBoundingClientRect().left;
		})`)
		if places[0] >= places[1] {
			t.Errorf("the first name is at %g px, the second at %g px", places[0], places[1])
		}
		p.shot("active")
	}
}

// The parts of a label are in their order, whatever the direction of their letters.
func TestLabelsOfPicturesAreIsolated(t *testing.T) {
	chart, err := scxml.Parse("t.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="a"><transition event="אב גד" cond="In('הו')" target="הו"/></state><state id="הו"/>
</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	l, err := diagram.New(chart).Layout(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "chart.svg")
	var b bytes.Buffer
	if err := l.WriteSVG(&b, diagram.SVGOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	p := open(t, "file://"+filepath.ToSlash(file), desk)
	places := js[[]float64](p, `(() => {
		const label = [...document.querySelectorAll('text')].find(text => text.textContent.includes('אב'));
		return [...label.textContent].map((_, i) => label.getExtentOfChar(i).x);
	})()`)
	// אב, a space, גד, another space, and the guard
	if len(places) < 7 || places[0] > places[3] || places[3] > places[6] || places[0] < places[1] || places[3] < places[4] {
		t.Errorf("the characters are at %v", places)
	}
	p.shot("label")
}

func TestHostileTextsInPlayground(t *testing.T) {
	shorter := strings.ReplaceAll(hostile, strings.Repeat("long", 1000), strings.Repeat("long", 100)) // so that it has colours
	p := open(t, "/playground/", desk)
	p.waitActive("locked")
	p.wait(inspector + `.querySelector('#data').textContent.includes('visitors')`)
	js[any](p, fmt.Sprintf(`(() => { const area = %s; area.value = %q; area.dispatchEvent(new Event('input')); })()`, area, shorter))
	p.waitActive("start")
	p.press(`turned\u202e\u2066dnuor`)
	p.wait(inspector + `.querySelector('#step').textContent.includes('log\\u202e: ')`)
	p.wait(`[...document.querySelectorAll('.paint .hidden')].some(one => one.textContent === '\u202e')`)
	p.harmless("document")
	p.harmless(inspector)

	p.replace(`<state id="start">`, "<state id=\"start\"><transition target=\"\u202e<img/src=x/onerror=ran=1>\"/>")
	p.waitText("#problems li", `\u202e`)
	p.shot("problems")
	p.harmless("document")
}

// The pages that are files have a policy that lets nothing run.
func TestHostileTextsInFiles(t *testing.T) {
	if browser == nil {
		t.Skip("no browser is installed")
	}
	dir := t.TempDir()
	chart := filepath.Join(dir, "chart.scxml")
	if err := os.WriteFile(chart, []byte(hostile), 0o666); err != nil {
		t.Fatal(err)
	}
	doc := exec.Command("go", "run", "./cmd/scxmlrun", "doc", chart, "-o", filepath.Join(dir, "doc.html"))
	doc.Dir, doc.Stderr = filepath.FromSlash("../.."), os.Stderr
	if err := doc.Run(); err != nil {
		t.Fatal(err)
	}
	parsed, err := scxml.Parse("\u202e<img src=x onerror=ran=1>.scxml", []byte(hostile))
	if err != nil {
		t.Fatal(err)
	}
	profile := &cover.Profile{}
	session, err := scxml.New(parsed, scxml.WithTrace(profile.Trace()), scxml.WithMissing())
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := profile.AddTo(filepath.Join(dir, "cover.html")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"doc", "cover"} {
		looks := map[string]screen{"light": {width: 1280, height: 900}, "dark phone": {width: 390, height: 844, phone: true, dark: true}}
		if !testing.Short() {
			looks["dark"], looks["phone"] = screen{width: 1280, height: 900, dark: true}, screen{width: 390, height: 844, phone: true}
		}
		for look, s := range looks {
			t.Run(name+" "+look, func(t *testing.T) {
				p := open(t, "file://"+filepath.ToSlash(filepath.Join(dir, name+".html")), s)
				p.waitText("body", `\u202e`)
				p.shot("page")
				p.harmless("document")
				if js[string](p, `getComputedStyle(document.querySelector('table')).borderCollapse`) != "collapse" {
					t.Error("the policy does not allow the style of the page")
				}
				if wide := js[[]string](p, `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')].filter(one => one.getBoundingClientRect().right > innerWidth && !one.closest('.picture, pre')).map(one => one.outerHTML.slice(0, 100))`); len(wide) > 0 {
					t.Errorf("wider than the screen: %q", wide)
				}
			})
		}
	}
}
