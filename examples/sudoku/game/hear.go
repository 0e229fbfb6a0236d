package game

import (
	"fmt"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// updates is what the chart has told: the data of its events.
type updates struct {
	current, initial sudoku.Grid // updateGUI
	marks            marksData   // updateMarks
	hint             *Hint       // updateHint
	solver           Solver      // updateSolver
	tried            int         // progress
	made             *puzzleData // puzzle: the one that updateGUI will show
	time             time.Duration
}

// The data of the events that the chart sends.
type (
	updateData struct {
		CurrentState sudoku.Grid `json:"currentState"`
		InitState    sudoku.Grid `json:"initState"`
	}
	marksData struct {
		Notes      format.Notes `json:"notes"`
		Corner     format.Notes `json:"corner"`
		Colours    format.Notes `json:"colours"`
		Undo       int          `json:"undo"`
		Redo       int          `json:"redo"`
		SavePoints []string     `json:"savePoints"`
	}
	hintData struct {
		Stage int `json:"stage"`
		Help  struct {
			Found     string `json:"found"`
			Technique struct {
				Number int    `json:"number"`
				Name   string `json:"name"`
			} `json:"technique"`
			Step    string          `json:"step"`
			Text    []string        `json:"text"`
			Set     []candidateData `json:"set"`
			Exclude []candidateData `json:"exclude"`
			Causes  []candidateData `json:"causes"`
			Cells   []cellData      `json:"cells"`
		} `json:"help"`
	}
	solverData struct {
		Method string  `json:"method"`
		Delay  float64 `json:"delay"`
		Paused bool    `json:"paused"`
		Done   int     `json:"done"`
		Total  int     `json:"total"`
		Step   string  `json:"step"`
	}
	puzzleData struct {
		Name  string  `json:"name"`
		Level int     `json:"level"`
		ER    float64 `json:"er"`
		MS    float64 `json:"ms"`
	}
	unavailableData struct {
		What    string `json:"what"`
		Message string `json:"message"`
	}
)

// hear takes an event of the chart. One that is not as it should be changes nothing.
func (g *Game) hear(ev scxml.Event) {
	t := &g.told
	switch ev.Name {
	case "updateGUI":
		if err := with(ev, g.update); err != nil {
			g.message = Message{BadUpdate, err.Error()}
		}
	case "updateMarks":
		_ = with(ev, func(data marksData) { t.marks, g.changed = data, true })
	case "updateHint":
		_ = with(ev, func(data hintData) { t.hint, g.hidden, g.changed = data.hint(), nil, true }) // hints are counted
	case "updateSolver":
		_ = with(ev, func(data solverData) {
			t.solver = Solver{data.Method, milliseconds(data.Delay), data.Paused, data.Done, data.Total, data.Step}
		})
	case "progress":
		_ = with(ev, func(data struct{ Tried int }) { t.tried = data.Tried })
	case "puzzle":
		_ = with(ev, func(data puzzleData) { t.made = &data })
	case "tick":
		_ = with(ev, func(data struct{ MS float64 }) { t.time = milliseconds(data.MS) })
	case "unavailable":
		_ = with(ev, g.lack)
	}
}

// with calls take with the data of an event, or says what is wrong with them.
func with[T any](ev scxml.Event, take func(T)) error {
	data, err := scxml.EventData[T](ev)
	if err == nil {
		take(data)
	}
	return err
}

// update shows other grids.
func (g *Game) update(data updateData) {
	if g.told.current != data.CurrentState {
		g.changes++
		g.entries.update(&g.told.current, &data.CurrentState)
	}
	another := g.told.initial != data.InitState
	g.told.current, g.told.initial, g.changed = data.CurrentState, data.InitState, true
	if another {
		g.selectEmpty()
	}
	if made := g.told.made; made != nil {
		g.told.made, g.told.tried = nil, 0
		g.opened, g.moves = nil, nil
		g.ratings[data.InitState] = rating{made.Level, made.ER}
		g.choose(made.Name, data.InitState)
		g.message = Message{Made, shortTime(milliseconds(made.MS))}
		g.found = g.find(&format.Game{Givens: data.InitState})
		g.held = g.found != nil
		if g.untouched { // that was the game before
			g.untouched = false
			g.session.Later(func(s drive.Session) { _ = g.setClock(s) }) // an error has stopped the session
		}
	}
}

// shortTime returns a time with its unit, as in "18 ms" and "1.2 s".
func shortTime(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// lack notes that a service is missing, or has failed.
func (g *Game) lack(data unavailableData) {
	switch {
	case data.What == "solution":
		g.message.Code = NoSolution
	case data.Message != "":
		g.message = Message{Failed, strings.TrimPrefix(data.Message, fmt.Sprintf("service %q: ", data.What))}
	default:
		g.message = Message{Unavailable, data.What}
		g.has &^= map[string]Abilities{
			"generate": CanGenerate, "hint": CanHint, "reveal": CanReveal, "solve": CanSolve,
		}[data.What]
	}
}

// hint returns what a hint says at its stage.
func (data *hintData) hint() *Hint {
	if data.Stage < 1 || data.Stage > 3 {
		return nil
	}
	help := &data.Help
	h := &Hint{Stage: data.Stage, Found: founds[help.Found], Technique: help.Technique.Number, Name: help.Technique.Name, Step: help.Step}
	if len(help.Text) == 3 {
		h.Text = help.Text[data.Stage-1]
	}
	if data.Stage >= 2 {
		h.Causes = candidates(help.Causes)
		for _, c := range help.Cells {
			h.Causes = append(h.Causes, Candidate{Row: c.X, Col: c.Y})
		}
	}
	if data.Stage == 3 {
		h.Place, h.Exclude = candidates(help.Set), candidates(help.Exclude)
	}
	return h
}

var founds = map[string]Found{"step": FoundStep, "wrong": FoundWrong, "unsolvable": FoundUnsolvable, "nothing": FoundNothing}

func candidates(data []candidateData) (all []Candidate) {
	for _, c := range data {
		all = append(all, Candidate{c.X, c.Y, c.Digit})
	}
	return all
}
