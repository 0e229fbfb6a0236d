package tui

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// A colorScreen is a simulated terminal with a choice of colours.
type colorScreen struct {
	tcell.SimulationScreen
	colors int
}

func (s *colorScreen) Colors() int { return s.colors }

// A desk is a front end at a screen. It lives in a synctest bubble, where Wait returns once the screen
// shows the effects of a key, and where the time of the real clock passes only in jumps.
type desk struct {
	t      *testing.T
	screen *colorScreen
	front  *Front
	ended  chan error
}

type setting struct {
	chart         string // a file
	charset       string // UTF-8
	width, height int    // 80 x 24
	colors        int    // 16; -1: none
	config        drive.Config
}

// watch runs a test at a desk.
func watch(t *testing.T, s setting, test func(d *desk)) {
	t.Helper()
	files := os.DirFS(filepath.Dir(s.chart))
	chart, err := scxml.Load(files, filepath.Base(s.chart))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		sim := tcell.NewSimulationScreen(cmp.Or(s.charset, "UTF-8"))
		if err := sim.Init(); err != nil {
			t.Fatal(err)
		}
		sim.SetSize(cmp.Or(s.width, 80), cmp.Or(s.height, 24))
		d := &desk{t: t, screen: &colorScreen{sim, max(cmp.Or(s.colors, 16), 0)}, ended: make(chan error, 1)}
		seed := uint64(1)
		cfg := s.config
		cfg.Chart, cfg.Seed, cfg.Options = chart, &seed, append([]scxml.Option{scxml.WithMissing()}, cfg.Options...)
		if d.front, err = New(Config{Driver: cfg, Files: files}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			_, err := d.front.run(ctx, &terminal.Terminal{Screen: d.screen})
			d.ended <- err
		}()
		synctest.Wait()
		test(d)
		cancel(errors.New("the test is over"))
		synctest.Wait()
		sim.Fini()
	})
}

var keysByName = map[string]tcell.Key{
	"Up": tcell.KeyUp, "Down": tcell.KeyDown, "Left": tcell.KeyLeft, "Right": tcell.KeyRight, "Home": tcell.KeyHome, "End": tcell.KeyEnd,
	"PgUp": tcell.KeyPgUp, "PgDn": tcell.KeyPgDn, "Enter": tcell.KeyEnter, "Esc": tcell.KeyEscape, "Tab": tcell.KeyTab, "Backspace": tcell.KeyBackspace2,
}

// keys presses keys, given by name or as characters.
func (d *desk) keys(keys ...string) {
	d.t.Helper()
	for _, key := range keys {
		if k, ok := keysByName[key]; ok {
			d.screen.InjectKey(k, 0, tcell.ModNone)
			synctest.Wait()
			continue
		}
		for _, r := range key {
			d.screen.InjectKey(tcell.KeyRune, r, tcell.ModNone)
			synctest.Wait()
		}
	}
}

func (d *desk) click(x, y int) {
	d.screen.InjectMouse(x, y, tcell.Button1, tcell.ModNone)
	d.screen.InjectMouse(x, y, tcell.ButtonNone, tcell.ModNone)
	synctest.Wait()
}

// clickText clicks on the first place of the screen with a text.
func (d *desk) clickText(text string) {
	d.t.Helper()
	for y, line := range d.lines() {
		if i := strings.Index(line, text); i >= 0 {
			d.click(len([]rune(line[:i])), y)
			return
		}
	}
	d.t.Fatalf("%q is not on the screen:\n%s", text, d.text())
}

func (d *desk) resize(w, h int) {
	d.screen.SetSize(w, h)
	d.screen.Clear() // a terminal is empty then, and this one full of X
	if err := d.screen.PostEvent(tcell.NewEventResize(w, h)); err != nil {
		d.t.Fatal(err)
	}
	synctest.Wait()
}

func (d *desk) at(x, y int) (rune, tcell.Style) {
	cells, w, _ := d.screen.GetContents()
	c := cells[y*w+x]
	if len(c.Runes) == 0 { // never drawn
		return ' ', c.Style
	}
	return c.Runes[0], c.Style
}

func (d *desk) lines() []string {
	_, w, h := d.screen.GetContents()
	lines := make([]string, h)
	for y := range lines {
		var line []rune
		for x := range w {
			r, _ := d.at(x, y)
			line = append(line, r)
		}
		lines[y] = strings.TrimRight(string(line), " ")
	}
	return lines
}

func (d *desk) text() string { return strings.Join(d.lines(), "\n") + "\n" }

// styled returns the texts of the screen with an attribute, in the order of reading.
func (d *desk) styled(attr tcell.AttrMask) (texts []string) {
	_, w, h := d.screen.GetContents()
	for y := range h {
		var run []rune
		for x := range w + 1 {
			if x < w {
				if r, style := d.at(x, y); attributes(style)&attr != 0 {
					run = append(run, r)
					continue
				}
			}
			if text := strings.TrimSpace(string(run)); text != "" {
				texts = append(texts, text)
			}
			run = nil
		}
	}
	return texts
}

func attributes(style tcell.Style) tcell.AttrMask {
	_, _, attrs := style.Decompose()
	return attrs
}

// shows checks that texts are on the screen.
func (d *desk) shows(texts ...string) {
	d.t.Helper()
	all := d.text()
	for _, text := range texts {
		if !strings.Contains(all, text) {
			d.t.Errorf("the screen does not show %q:\n%s", text, all)
		}
	}
}

func (d *desk) hides(texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		if strings.Contains(d.text(), text) {
			d.t.Errorf("the screen shows %q:\n%s", text, d.text())
		}
	}
}

// lit checks which states of the chart are shown as active.
func (d *desk) lit(names ...string) {
	d.t.Helper()
	var got []string
	for n := range d.front.look.active {
		got = append(got, n.ID)
	}
	slices.Sort(got)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		d.t.Errorf("the states %q are active, want %q\n%s", got, names, d.text())
	}
	reversed := d.styled(tcell.AttrReverse)
	for _, name := range names {
		if st, ok := d.front.chart.State(name); ok && !slices.ContainsFunc(reversed, func(text string) bool { return strings.Contains(text, st.Name()) }) {
			d.t.Errorf("the state %q is not lit; lit is %q\n%s", name, reversed, d.text())
		}
	}
}
