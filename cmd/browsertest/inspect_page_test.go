package browsertest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// rows returns the texts of the rows of the log that are in view.
func (p *tab) rows() []string {
	p.t.Helper()
	return js[[]string](p, `[...document.querySelectorAll('.row')].filter(row => !row.hidden).sort((a, b) => a.dataset.n - b.dataset.n).map(row => [...row.children].map(part => part.textContent).filter(Boolean).join(' | '))`)
}

func TestActiveStatesAreLit(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	p := open(t, s.url, desk)
	p.waitActive("on light red shop open")
	p.waitText("#active", "red, open")
	p.waitText("#title", "crossing")
	p.waitText("#status", "running")
	if err := s.session.Send(scxml.Event{Name: "go"}); err != nil {
		t.Fatal(err)
	}
	p.waitActive("on light green shop open")
	if taken := js[[]string](p, `[...document.querySelector('#picture').shadowRoot.querySelectorAll('[data-transition].active')].map(node => node.dataset.transition)`); len(taken) == 0 || taken[0] != "red/1" {
		t.Errorf("transitions that are lit: got %q, want red/1", taken)
	}
}

func TestEventIsSent(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("go")
	p.waitActive("on light green shop open")
	p.waitText("#step-head", "Step 1")
	p.waitText("#step .body", "enters green")
	p.waitText("#data .body", "count1before: 0")
	p.waitText("#waiting .body", "warn")
	p.shot("step")
	rows := p.rows()
	if len(rows) != 2 || !strings.Contains(rows[1], "go | → green | ↗ warn") {
		t.Errorf("rows: got %q", rows)
	}
}

func TestTimerIsCancelled(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("go")
	p.waitText("#waiting .body", "warn")
	p.press("Cancel")
	p.waitText("#waiting .body", "nothing waits")
}

func TestFormOfAnEvent(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.wait(`document.querySelector('#send select')`)
	if got := js[[]string](p, `[...document.querySelectorAll('#send select option')].map(one => one.textContent)`); strings.Join(got, " ") != "tea milk" {
		t.Errorf("choices: got %q, want tea milk", got)
	}
	js[any](p, `document.querySelector('#send select').focus()`)
	p.keys(kb.ArrowDown)
	p.waitText(".would", "order would enter busy, open")
	p.shot("would")
	p.press("order")
	p.wait(`document.querySelector('#place').textContent === '2 / 2'`) // order and done
	rows := p.rows()
	if !strings.Contains(rows[1], "milk") {
		t.Errorf("the row of order does not say milk: %q", rows[1])
	}
}

func TestCellOfAGridIsChosen(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.wait(`document.querySelector('table.cells button')`)
	js[any](p, `document.querySelector('table.cells button').focus()`)
	p.keys(kb.ArrowRight + kb.ArrowDown + kb.Enter)
	p.wait(`[...document.querySelectorAll('table.cells tr')].map(row => row.textContent).join(' ') === '··· ·1·'`)
	if label := js[string](p, `document.activeElement.ariaLabel`); label != "take, row 1, column 1, 1" {
		t.Errorf("focus: got %q, want the cell that was chosen", label)
	}
}

func TestAnyEventWithData(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("Any event")
	p.press("Any event") // closed again
	p.press("Any event")
	js[any](p, `document.querySelector('.any [name=event]').focus()`)
	p.keys("order" + kb.Tab + `{"item": oops}` + kb.Enter)
	p.waitText(".problem", "not JSON")
	js[any](p, `document.querySelector('.any [name=data]').select()`)
	p.keys(`{"item": "tea"}` + kb.Enter)
	p.wait(`document.querySelector('#place').textContent === '2 / 2' && !document.querySelector('.problem')`)
}

func TestCauseAndEffect(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("order")
	p.wait(`document.querySelector('#place').textContent === '2 / 2'`)
	p.waitText("#step .body", "because of 1")
	p.wait(`document.querySelector('#row-1').matches('.cause')`)
	// The step is asked for again, and what is the same stays, with its focus.
	js[any](p, `(() => {
		globalThis.link = document.querySelector('#step .link button');
		globalThis.asked = () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/position')).length;
		globalThis.before = asked();
		document.querySelector('#live').click();
	})()`)
	p.wait(`asked() > before && document.querySelector('#live').ariaPressed === 'false'`)
	js[any](p, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`)
	if !js[bool](p, `link.isConnected`) {
		t.Error("the same step is drawn again")
	}
	p.press(js[string](p, `document.querySelector('#step .link button').textContent`))
	p.waitText("#step-head", "Step 1")
	p.wait(`document.querySelector('#row-2').matches('.effect')`)
	p.waitText("#step .body", "led to 2 done")
}

func TestErrorIsShown(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("fail")
	p.wait(`document.querySelector('#row-1.bad .notes').textContent.includes('nobody is not defined')`)
	p.wait(`document.querySelector('#step .bad').textContent.includes('error.execution')`)
}

func TestPastIsShownAndContinued(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	p := open(t, s.url, desk)
	p.press("go")
	p.waitActive("on light green shop open")
	p.press("halt")
	p.waitActive("on light red shop open")
	p.waitText("#place", "2 / 2")

	js[any](p, `document.querySelector('#rows').focus()`)
	p.keys(kb.ArrowUp)
	p.waitActive("on light green shop open")
	p.waitText("#send-head", "Continue from here")
	p.waitText("#send", "halt") // the forms are those of the step
	p.shot("past")
	p.press("order") // the main session would have to be in red for go
	p.waitText("#title", "branch at 1")
	p.waitActive("on light green shop open")
	p.wait(`document.querySelector('#place').textContent === '3 / 3'`)
	if got := s.history.Len(); got != 3 {
		t.Errorf("the session has %d positions: want 3, as before the branch", got)
	}
	p.press("Next timer") // time is the branch's own
	p.waitActive("on light red shop open")
	p.shot("branch")

	p.press("Close the branch " + js[string](p, `document.querySelector('#session-list [aria-current] .name').textContent`))
	p.waitText("#title", "crossing")
	p.waitActive("on light red shop open")
	p.waitText("#place", "2 / 2")
}

func TestSliderGoesThroughTime(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("go")
	p.waitActive("on light green shop open")
	js[any](p, `document.querySelector('#slider').focus()`)
	p.keys(kb.ArrowLeft)
	p.waitActive("on light red shop open")
	p.waitText("#place", "0 / 1")
	if text := js[string](p, `document.querySelector('#slider').ariaValueText`); text != "step 0 of 1" {
		t.Errorf("the slider says %q", text)
	}
	p.press("Live")
	p.waitActive("on light green shop open")
	p.click("#row-0")
	p.waitActive("on light red shop open")
}

func TestAddressKeepsTheStep(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("go")
	p.waitActive("on light green shop open")
	p.press("Step back")
	p.wait(`location.hash.includes('step=0')`)
	p.do(chromedp.Do(p.ctx, chromedp.Reload()))
	p.waitActive("on light red shop open")
	p.waitText("#place", "0 / 1")
}

// The token is in no address: not in that of a request, nor in that of the page once it is open, which a
// history keeps and people copy.
func TestTokenIsInNoAddress(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("go")
	p.waitActive("on light green shop open")
	p.reload() // the tab has kept it
	p.waitActive("on light green shop open")
	p.wait(`performance.getEntriesByType('resource').some(one => one.name.includes('/api/positions') || one.name.includes('/positions/'))`)
	if got := js[string](p, `location.href + JSON.stringify(performance.getEntriesByType('resource').map(one => one.name)) + document.cookie`); strings.Contains(got, "full") {
		t.Errorf("the token is in %s", got)
	}
	js[any](p, `(() => { location.hash = 'token=read'; })()`) // as when another address is pasted
	p.wait(`!document.querySelector('#readonly').hidden && !location.hash.includes('read')`)
}

func TestTextIsFound(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("go")
	p.waitText("#place", "1 / 1")
	p.press("halt")
	p.waitText("#place", "2 / 2")
	js[any](p, `document.querySelector('#find-text').focus()`)
	p.keys("GREEN")
	p.press("Find the previous one")
	p.waitText("#found", "step 1")
	p.waitActive("on light green shop open")
	js[any](p, `(document.querySelector('#find-text').value = 'nowhere')`)
	p.press("Find the next one")
	p.waitText("#found", "not found")
}

func TestEndIsShown(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("end")
	p.waitText("#status", "ended in over")
	p.waitText("#send .note", "has ended")
	p.press("Step back")
	p.press("go") // from there it continues
	p.waitText("#title", "branch at 0")
	p.waitActive("on light green shop open")
}

func TestReadOnlyLink(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	p := open(t, s.readURL, desk)
	p.waitActive("on light red shop open")
	p.wait(`!document.querySelector('#readonly').hidden && document.querySelector('#send').hidden`)
	p.shot("readonly")
	p.allow("403")
	status := js[int](p, `fetch('api/sessions/1/send', {method: 'POST', headers: {'Content-Type': 'application/json', Authorization: 'Bearer read'}, body: '{"event":"go"}'}).then(answer => answer.status)`)
	if status != 403 || s.history.Len() != 1 {
		t.Errorf("an event by a read-only link: status %d, %d positions; want 403 and 1", status, s.history.Len())
	}
}

func TestWithoutAToken(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	p := open(t, s.server.URL+"/", desk)
	p.allow("401")
	p.waitText("#notice", "the token is missing or wrong")
}

func TestManySessions(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	for i := range 40 {
		other, _ := s.add(t, fmt.Sprintf("door %d", i), strings.ReplaceAll(crossing, "Crossing", "Door"))
		if err := other.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, s.url, desk)
	p.waitActive("on light red shop open")
	p.wait(`document.querySelectorAll('#session-list li').length === 41`)
	js[any](p, `document.querySelector('#filter').focus()`)
	p.keys("door 17")
	p.wait(`document.querySelectorAll('#session-list li').length === 1`)
	p.keys(kb.Tab + kb.Enter)
	p.waitText("#title", "door 17")
	p.shot("list")
}

func TestProgramEnds(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	p := open(t, s.url, desk)
	p.waitActive("on light red shop open")
	p.allow("ERR_") // what the browser says about the connection
	p.allow("503")
	s.in.Close()
	p.wait(`!document.querySelector('#lost').hidden`)
}

// What comes from a chart or its events is text, never markup.
func TestMarkupStaysText(t *testing.T) {
	const evil = `<img src=x onerror="window.hacked = true">`
	quoted := strings.NewReplacer("<", "&lt;", `"`, "&quot;").Replace(evil)
	document := strings.NewReplacer("EVIL", quoted, "NAME", strings.ReplaceAll(quoted, " ", "/")).Replace(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="EVIL">
  <datamodel><data id="bad">EVIL</data></datamodel>
  <state id="a">
    <onentry><log label="EVIL" expr="bad"/></onentry>
    <transition event="NAME" cond="bad != 'EVIL'"/>
    <transition event="go" target="b"/>
  </state>
  <state id="b"><onentry><raise event="NAME"/><assign location="bad" expr="bad + 1"/></onentry><transition event="go" target="a"/></state>
</scxml>`)
	s := show(t, evil, document).run(t)
	p := open(t, s.url, desk)
	p.waitText("#data .body", "<img")
	p.press("go")
	p.waitActive("b")
	if err := s.session.Send(scxml.Event{Name: strings.ReplaceAll(evil, " ", "/"), Data: evil}); err != nil {
		t.Fatal(err)
	}
	p.waitText("#place", "2 / 2")
	p.waitText("#step .body", "<img")
	if js[bool](p, `window.hacked === true || [document, document.querySelector('#picture').shadowRoot].some(root => root.querySelector('img, script:not([type=module])'))`) {
		t.Error("text of the chart has become markup")
	}
}

func TestSudokuIsPlayed(t *testing.T) {
	dir := "../../charts/"
	p := open(t, show(t, "sudoku", strings.Replace(read(t, dir+"sudoku.scxml"), `<script src="sudoku.js"/>`, "<script><![CDATA["+read(t, dir+"sudoku.js")+"]]></script>", 1)).run(t).url, desk)
	p.wait(`document.querySelectorAll('#send form').length > 3`)
	p.shot("chart")
}

// transform returns where the picture is and its scale.
func (p *tab) transform() (x, y, scale float64) {
	p.t.Helper()
	m := js[[]float64](p, `(() => { const m = new DOMMatrix(getComputedStyle(document.querySelector('#picture').shadowRoot.querySelector('svg')).transform); return [m.e, m.f, m.a]; })()`)
	return m[0], m[1], m[2]
}

func TestPictureIsMovedAndZoomed(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.waitActive("on light red shop open")
	x, y, scale := p.transform()

	// The mouse drags, and with Ctrl its wheel zooms at the pointer.
	box := js[[]float64](p, `(box => [box.x + 30, box.y + 40])(document.querySelector('#picture').getBoundingClientRect())`)
	p.mouse(input.DispatchMouseEventParams{Type: chromedp.MousePressed, X: box[0], Y: box[1], Button: input.MouseButtonLeft})
	p.mouse(input.DispatchMouseEventParams{Type: chromedp.MouseMoved, X: box[0] + 50, Y: box[1] + 20, Button: input.MouseButtonLeft})
	p.mouse(input.DispatchMouseEventParams{Type: chromedp.MouseReleased, X: box[0] + 50, Y: box[1] + 20, Button: input.MouseButtonLeft})
	if x2, y2, scale2 := p.transform(); x2-x != 50 || y2-y != 20 || scale2 != scale {
		t.Errorf("dragged by 50, 20: moved by %v, %v at scale %v", x2-x, y2-y, scale2)
	}
	p.mouse(input.DispatchMouseEventParams{Type: chromedp.MouseWheel, X: box[0], Y: box[1], DeltaX: 0.01, DeltaY: -120, Modifiers: int64(chromedp.ModifierCtrl)})
	p.wait(fmt.Sprintf(`new DOMMatrix(getComputedStyle(document.querySelector('#picture').shadowRoot.querySelector('svg')).transform).a > %g`, scale*1.2))
	if x2, _, scale2 := p.transform(); math.Abs((30-x-50)/scale-(30-x2)/scale2) > 0.1 {
		t.Error("what was at the pointer has moved away from it")
	}

	// So do the keys and the buttons.
	js[any](p, `document.querySelector('#picture').focus()`)
	_, _, scale = p.transform()
	p.keys("-")
	if _, _, scale2 := p.transform(); scale2 >= scale {
		t.Errorf("minus: scale %v after %v", scale2, scale)
	}
	x, _, _ = p.transform()
	p.keys(kb.ArrowLeft)
	if x2, _, _ := p.transform(); math.Abs(x2-x-40) > 0.01 {
		t.Errorf("left: moved by %v", x2-x)
	}
	p.press("Fit")
	if !js[bool](p, `(() => {
		const view = document.querySelector('#picture').getBoundingClientRect();
		const svg = document.querySelector('#picture').shadowRoot.querySelector('svg').getBoundingClientRect();
		return svg.left >= view.left && svg.right <= view.right && svg.top >= view.top && svg.bottom <= view.bottom;
	})()`) {
		t.Error("the picture does not fit")
	}
}

// A click on a transition leads to the form of its event.
func TestTransitionIsPicked(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.waitActive("on light red shop open")
	p.wait(`document.querySelector('.event .go')`)
	at := js[[]float64](p, `(box => [box.x + box.width / 2, box.y + box.height / 2])(document.querySelector('#picture').shadowRoot.querySelector('[data-transition="red/1"] text').getBoundingClientRect())`)
	p.mouse(input.DispatchMouseEventParams{Type: chromedp.MousePressed, X: at[0], Y: at[1], Button: input.MouseButtonLeft})
	p.mouse(input.DispatchMouseEventParams{Type: chromedp.MouseReleased, X: at[0], Y: at[1], Button: input.MouseButtonLeft})
	p.wait(`document.activeElement.textContent === 'go'`)
	p.waitText(".would", "go would enter green")
}

// A chart that is larger than the screen follows its session.
func TestLargePictureFollowsTheSession(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Long">`)
	for i := range 60 {
		fmt.Fprintf(&doc, `<state id="s%d"><transition event="next" target="s%d"/></state>`, i, (i+1)%60)
	}
	doc.WriteString(`</scxml>`)
	s := show(t, "long", doc.String()).run(t)
	p := open(t, s.url, desk)
	p.waitActive("s0")
	for range 45 {
		if err := s.session.Send(scxml.Event{Name: "next"}); err != nil {
			t.Fatal(err)
		}
	}
	p.waitActive("s45")
	p.wait(`(() => {
		const view = document.querySelector('#picture').getBoundingClientRect();
		const state = document.querySelector('#picture').shadowRoot.querySelector('[data-state="s45"]').getBoundingClientRect();
		return state.top >= view.top && state.bottom <= view.bottom;
	})()`)
	p.shot("followed")
}

// The page connects again after the program's network was away.
func TestConnectionIsLostAndFound(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	p := open(t, s.url, desk)
	p.waitActive("on light red shop open")
	p.allow("ERR_")
	s.server.CloseClientConnections()
	if err := s.session.Send(scxml.Event{Name: "go"}); err != nil {
		t.Fatal(err)
	}
	p.waitActive("on light green shop open")
	p.wait(`document.querySelector('#lost').hidden`)
}

// A program that was started again has fewer steps, and others.
func TestProgramIsStartedAgain(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	p := open(t, s.url, desk)
	p.press("go")
	p.waitText("#place", "1 / 1")
	p.allow("ERR_")
	s.start(t, "counter", counter)
	if err := s.session.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.server.CloseClientConnections()
	p.waitActive("even")
	p.waitText("#title", "counter")
	p.wait(`document.querySelectorAll('.row:not([hidden])').length === 1`)
}

func TestInvokedSessionIsShown(t *testing.T) {
	p := open(t, show(t, "parent", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Parent">
  <state id="a">
    <invoke id="kid"><content>
      <scxml version="1.0" name="Child"><datamodel><data id="toys" expr="7"/></datamodel><state id="plays"/></scxml>
    </content></invoke>
  </state>
</scxml>`).run(t).url, desk)
	p.waitText("#waiting .body", "kid Child in plays")
	p.waitText("#data .body", "kidtoys7")
	p.shot("invoked")
}

// The link that is copied leads to the same step, and can only read.
func TestLinkIsCopied(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	p := open(t, s.url, desk)
	p.press("go")
	p.waitText("#place", "1 / 1")
	p.press("Step back")
	p.waitActive("on light red shop open")
	js[any](p, `(navigator.clipboard.writeText = async text => { window.copied = text; }, 1)`)
	p.press("Copy link")
	p.waitText("#link", "Copied")
	if got, want := js[string](p, `copied`), s.readURL+"&session=1&step=0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Nothing can be sent as long as no session has come.
func TestNothingIsSentBeforeTheStart(t *testing.T) {
	s := show(t, "crossing", crossing)
	p := open(t, s.url, desk)
	p.waitText("#status", "not started")
	if js[bool](p, `document.querySelector('#send').checkVisibility()`) {
		t.Error("there are forms for events")
	}
	s.run(t)
	p.waitActive("on light red shop open")
	p.wait(`document.querySelector('#send').checkVisibility()`)
}

func TestSessionIsStopped(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("Stop")
	p.press("Stop the session")
	p.waitText("#status", "stopped")
	p.waitText("#active", "no state is active")
}

// Anyone who has chosen the last step sees what comes of an event that is sent there.
func TestSendAtTheLastStep(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	p := open(t, s.url, desk)
	p.press("go")
	p.waitText("#place", "1 / 1")
	p.press("Step back")
	p.press("Step forward")
	p.waitText("#send-head", "Send")
	p.press("halt")
	p.waitActive("on light red shop open")
	if got := js[int](p, `document.querySelectorAll('#session-list li').length`); got != 1 {
		t.Errorf("%d sessions: want 1, without a branch", got)
	}
}
