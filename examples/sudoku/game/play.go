package game

import (
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// The inputs that lead a game.

func (Toggle) do(s drive.Session, g *Game) error {
	switch {
	case g.reactsTo("pause"):
		return g.submit(s, 1, "pause", nil)
	case g.reactsTo("start"):
		g.moves = nil
		return g.submit(s, 1, "start", nil)
	case g.reactsTo("resume"):
		return g.submit(s, 1, "resume", nil)
	case g.state() == Editing:
		g.message.Code = NotNow
		return nil
	}
	g.moves = nil
	return g.submit(s, 1, "stop", nil)
}

func (Pause) do(s drive.Session, g *Game) error  { return g.submit(s, 1, "pause", nil) }
func (Resume) do(s drive.Session, g *Game) error { return g.submit(s, 1, "resume", nil) }

func (Restart) do(s drive.Session, g *Game) error {
	if g.state() == Editing {
		g.message.Code = NotNow
		return nil
	}
	if err := g.stop(s); err != nil {
		return err
	}
	return g.submit(s, 1, "start", nil)
}

func (GiveUp) do(s drive.Session, g *Game) error {
	if g.state() == Editing {
		g.message.Code = NotNow
		return nil
	}
	if err := g.touch(s); err != nil {
		return err
	}
	return g.request(s, "stop", nil)
}

// stop makes the chart idle.
func (g *Game) stop(s drive.Session) error {
	g.moves = nil
	for range 2 { // a solver stops first
		if !g.reactsTo("stop") {
			return nil
		}
		if err := g.submit(s, 1, "stop", nil); err != nil {
			return err
		}
		s.Settle()
	}
	return nil
}

// leave makes the chart idle, and keeps the game.
func (g *Game) leave(s drive.Session) error {
	if g.store != nil && g.reactsTo("stop") && g.has.Has(CanLoad) {
		if err := g.submit(s, 1, "pause", nil); err != nil {
			return err
		}
		s.Settle()
		g.save()
	}
	return g.stop(s)
}

func (AskHint) do(s drive.Session, g *Game) error {
	if g.hidden != nil {
		g.told.hint, g.hidden = g.hidden, nil
		return nil
	}
	return g.help(s, "hint", nil)
}

func (HideHint) do(_ drive.Session, g *Game) error {
	if g.told.hint != nil {
		g.told.hint, g.hidden = nil, g.told.hint
	}
	return nil
}

func (Reveal) do(s drive.Session, g *Game) error { return g.help(s, "reveal", nil) }

// help sends an event that is for games that are played only.
func (g *Game) help(s drive.Session, event string, data any) error {
	if g.state() != Playing {
		g.mayDo("tap") // for the message
		return nil
	}
	return g.submit(s, 1, event, data)
}

// Solve starts a game that is not played.
func (in Solve) do(s drive.Session, g *Game) error {
	switch g.state() {
	case Paused, GivenUp:
		if err := g.submit(s, 1, "resume", nil); err != nil {
			return err
		}
	case Idle:
		if err := g.submit(s, 1, "start", nil); err != nil {
			return err
		}
	}
	s.Settle()
	method := in.Method
	if method == "" && in.Delay > 0 {
		method = "human"
	}
	return g.request(s, "solve", solveData{method, in.Delay.Milliseconds()})
}

func (SolverStep) do(s drive.Session, g *Game) error { return g.request(s, "step", nil) }

func (in SolverSpeed) do(s drive.Session, g *Game) error {
	if !g.mayDo("step") {
		return nil
	}
	return g.submit(s, 1, "speed", fields{"delay": time.Duration(in).Milliseconds()})
}

func (in Edit) do(s drive.Session, g *Game) error {
	if g.state() != Editing {
		g.interrupted = g.state() == Playing || g.state() == Paused
	} else if in == (Edit{}) {
		return nil
	}
	if err := g.leave(s); err != nil {
		return err
	}
	if in == (Edit{}) {
		return g.submit(s, 1, "edit", nil)
	}
	return g.submit(s, 1, "edit", fields{"initState": in.Grid})
}

func (Fix) do(s drive.Session, g *Game) error {
	if !g.mayDo("fix") {
		return nil
	}
	g.opened = nil
	if err := g.submit(s, 1, "fix", nil); err != nil {
		return err
	}
	return g.begin(s)
}

func (LeaveEdit) do(s drive.Session, g *Game) error {
	if !g.mayDo("fix") {
		return nil
	}
	events := []string{"stop"}
	if g.interrupted { // the game is not given up
		events = append(events, "resume", "pause")
	}
	for _, event := range events {
		if err := g.submit(s, 1, event, nil); err != nil {
			return err
		}
	}
	return nil
}

func (in Generate) do(s drive.Session, g *Game) error {
	g.told.tried = 0
	return g.submit(s, 1, "generate", generateData(in))
}

func (Cancel) do(s drive.Session, g *Game) error { return g.submit(s, 1, "cancel", nil) }

func (in SetClock) do(s drive.Session, g *Game) error {
	g.clock = bool(in)
	return g.setClock(s)
}

func (in Options) do(s drive.Session, g *Game) error {
	g.cleanUp = in.CleanUp
	return g.submit(s, 1, "options", fields{"cleanUp": in.CleanUp})
}
