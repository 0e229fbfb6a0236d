package plain

import (
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/lesson"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// lesson explains a technique, and begins a lesson in it if a number follows its name.
func (p *Player) lesson(s drive.Session, args string) {
	name, number := strings.TrimSpace(args), 0
	if i := strings.LastIndexByte(name, ' ') + 1; len(name)-i == 1 && '1' <= name[i] && name[i] <= '3' {
		name, number = strings.TrimSpace(name[:i]), int(name[i]-'0')
	} else if len(name) == 1 && '1' <= name[0] && name[0] <= '3' {
		name, number = "", int(name[0]-'0')
	}
	technique := human.Technique(-1)
	if h := p.view.Hint; name == "" && h != nil && h.Found == game.FoundStep {
		technique = human.Technique(h.Technique)
	}
	for _, t := range human.Techniques() {
		if strings.EqualFold(name, p.words.Technique(t)) {
			technique = t
		}
	}
	if technique < 0 {
		var err error
		if technique, err = human.ParseTechnique(name); err != nil {
			p.tell("%q is not a technique, such as X-Wing.", words.Printable(name))
			return
		}
	}
	if number == 0 || number > lesson.Count(technique) {
		p.say(sentence(p.words.Technique(technique)) + " " + sentence(p.words.About(technique)) + "\n" + human.Pages + "#" + technique.Anchor())
		if n := lesson.Count(technique); n > 0 {
			p.tell("%d lessons: in each this is the next step.", n)
		}
		return
	}
	p.leave(func() {
		g := lesson.Game(technique, number-1, p.words.T("the lesson"))
		g.Name = fmt.Sprintf("%s %d", words.Capital(p.words.Technique(technique)), number)
		p.do(s, game.Open{Game: g})
		s.Settle()
		p.do(s, game.Resume{})
	})
}
