package plain

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

const help = `r4c7 5    write 5 into row 4, column 7; r4c7 0 empties the cell
r4c7      read the cell
row 4     read a row; likewise column 7 and box 2
board     show the board; so does an empty line
start     start the game
stop      stop it
undo      take back the last move
setup 5   choose puzzle 5; next and previous choose its neighbours
quit      leave; so does the end of input`

// cell matches a cell, perhaps followed by what to write into it.
var cell = regexp.MustCompile(`^r(?:ow)? ?([1-9])[ ,]*c(?:ol(?:umn)?)? ?([1-9])(?:[ =:]+(\S+))?$`)

// line carries out a line.
func (p *Player) line(s drive.Session, text string) {
	if p.echo {
		p.write(printable(text) + "\n")
	}
	p.waiting, p.answers = false, false
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	if m := cell.FindStringSubmatch(text); m != nil {
		p.cell(s, place{int(m[1][0] - '1'), int(m[2][0] - '1')}, m[3])
		return
	}
	word, argument, _ := strings.Cut(text, " ")
	number, err := strconv.Atoi(argument)
	playing := p.view.State == game.Playing
	switch {
	case text == "" || text == "board":
		p.say(strings.TrimSuffix(board(p.view), "\n"))
	case text == "help" || text == "?":
		p.say(help)
	case text == "quit" || text == "q":
		p.quit(errQuit)
	case text == "start" && playing:
		p.say("The game is running already.")
	case text == "stop" && !playing:
		p.say("The game is not running.")
	case text == "start" || text == "stop":
		p.do(s, game.Toggle{})
	case text == "undo":
		p.do(s, game.Undo{})
	case text == "next":
		p.do(s, game.Next(+1))
	case text == "previous":
		p.do(s, game.Next(-1))
	case word == "setup" && 1 <= number && number <= p.view.Puzzles:
		p.do(s, game.Choose(number))
	case word == "setup":
		p.say(fmt.Sprintf("Which puzzle? Write setup and a number from 1 to %d.", p.view.Puzzles))
	case units[word] != nil && err == nil && 1 <= number && number <= 9:
		p.say(unit(p.view, word, number))
	case units[word] != nil:
		p.say(fmt.Sprintf("Which %s? Write %s and a number from 1 to 9.", word, word))
	default:
		p.say(fmt.Sprintf("%q is not a command; help lists them.", printable(text)))
	}
}

// cell reads a cell, or writes a value into it.
func (p *Player) cell(s drive.Session, at place, value string) {
	switch {
	case value == "":
		text := cellText(p.view, at)
		if p.view.Cells[at.row][at.col].Conflict {
			text += ", in conflict"
		}
		p.say(sentence(text))
		return
	case len(value) == 1 && '0' <= value[0] && value[0] <= '9':
	case value == "." || value == "empty" || value == "clear":
		value = "0"
	default:
		p.say(fmt.Sprintf("%q is not a digit from 1 to 9, or 0 for an empty cell.", printable(value)))
		return
	}
	p.asked = &at
	p.do(s, game.Select{Row: at.row, Col: at.col})
	p.do(s, game.Put(value[0]-'0'))
}

// do gives the game an input. The answer is shown at rest.
func (p *Player) do(s drive.Session, in game.Input) {
	p.answers = true
	if err := p.game.Do(s, in); err != nil {
		p.quit(game.Over(drive.End{}, err))
	}
}
