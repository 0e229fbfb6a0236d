package format

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A block is a grid in a file, 9 rows of 9 cells.
type block struct {
	digits  sudoku.Grid
	entered [9][9]bool // marked as entered by the player
	given   [9][9]bool // marked as given
	notes   Notes      // groups of more than one digit, and digits that are marked as candidates
	framed  bool       // whether it has lines drawn with "|"
	blank   bool       // whether blanks are empty cells
	spaced  bool       // whether blanks separate cells
	lines   [9]int     // the line number of each row
}

// readRows reads all formats with 9 lines of 9 cells: plain characters, with
// frames, with commas, with candidates, and with sections.
func readRows(l *lines, header Game, yield func(Game, error) bool) {
	r := &rowReader{lines: l, next: header}
	games(r.game, yield)
}

type rowReader struct {
	*lines
	next  Game // has the header lines of the next game
	games int  // number of games read

	cells, chars []field // of a row, reused
}

// game reads one game. It returns io.EOF after the last one.
func (r *rowReader) game() (Game, error) {
	if err := r.skip(); err != nil {
		return Game{}, err
	}
	game := r.next
	r.next = Game{}
	r.games++
	if section(r.text) != "" {
		return game, r.sections(&game)
	}
	b, err := r.block(false)
	if err != nil {
		return game, err
	}
	b.start(&game)
	// Simple Sudoku writes the givens, the board and the candidates one after the
	// other.
	for n := 2; b.framed && n <= 3; n++ {
		if err := r.lines.next(); err != nil {
			if err == io.EOF {
				break
			}
			return game, err
		}
		blank := len(r.text) == 0
		r.unread()
		if blank || r.text[0] == '#' || isName(r.text) {
			break
		}
		more, err := r.block(false)
		if err != nil {
			return game, err
		}
		if row, ok := more.extend(&game, n == 3); !ok {
			return game, r.errorAt(&more, row, "expected the digits of the grid above, or an empty line before the next puzzle")
		}
	}
	return game, nil
}

// skip skips to the first line of the next game, and reads header lines.
func (r *rowReader) skip() error {
	for {
		if err := r.lines.next(); err != nil {
			return err
		}
		if len(r.text) == 0 || sdkHeader(r.text, &r.next) || r.text[0] == '#' {
			continue
		}
		if r.games > 0 && isName(r.text) {
			continue // the name of the program that wrote the file
		}
		r.unread()
		r.begin = r.number
		return nil
	}
}

// isName reports whether a line begins with a word.
func isName(text []byte) bool {
	text = bytes.TrimLeft(text, " \t")
	return len(text) > 1 && 'a' <= text[0]|0x20 && text[0]|0x20 <= 'z' && !('0' <= text[1] && text[1] <= '9')
}

// block reads 9 rows. If groups is set, the cells are groups of digits separated by
// commas.
func (r *rowReader) block(groups bool) (b block, err error) {
	for row := 0; row < 9; {
		last := r.pos(len(r.text))
		if err := r.lines.next(); err != nil {
			if err == io.EOF {
				err = errorAt(last, "expected 9 rows, found %d", row)
			}
			return b, err
		}
		if len(r.text) == 0 && b.blank && (len(r.raw) == 0 || isNineBlanks(r.raw)) {
			b.lines[row] = r.number
			row++
			continue
		}
		if len(r.text) == 0 || r.text[0] == '#' || isFrame(r.text) {
			continue
		}
		if section(r.text) != "" {
			return b, r.errorf(0, "expected 9 rows, found %d", row)
		}
		blank := b.blank
		if err := r.row(&b, row, groups); err != nil {
			return b, err
		}
		if b.blank && !blank { // then lines of blanks before it are rows, too
			empty := min(r.blanks, 8-row)
			b.digits[row+empty], b.digits[row] = b.digits[row], b.digits[row+empty]
			row += empty
		}
		b.lines[row] = r.number
		row++
	}
	// Skip the last line of a frame.
	if err := r.lines.next(); err == nil {
		if !isFrame(r.text) {
			r.unread()
		}
	} else if err != io.EOF {
		return b, err
	}
	return b, nil
}

// errorAt reports a problem in a row of a block.
func (r *rowReader) errorAt(b *block, row int, format string, args ...any) error {
	return errorAt(datamodel.Position{File: r.file, Line: b.lines[row], Col: 1}, format, args...)
}

// isFrame reports whether a line is part of a frame.
func isFrame(text []byte) bool {
	return len(bytes.Trim(text, "-+*|.:'=# ")) == 0 && (bytes.Contains(text, []byte("---")) || bytes.Contains(text, []byte("===")))
}

// A field is a piece of a line.
type field struct {
	text   []byte
	offset int
}

// fields returns the pieces of the line between certain characters, and empty ones
// only if empty is set.
func (r *rowReader) fields(between string, empty bool) []field {
	text, all := r.text, r.cells[:0]
	for start, i := 0, 0; i <= len(text); i++ {
		if i < len(text) && strings.IndexByte(between, text[i]) < 0 {
			continue
		}
		if empty || i > start {
			all = append(all, field{text[start:i], start})
		}
		start = i + 1
	}
	r.cells = all
	return all
}

// row reads the 9 cells of a line.
func (r *rowReader) row(b *block, row int, groups bool) error {
	if len(r.text) == 9 && r.plain(&b.digits[row]) && !groups {
		return nil
	}
	separator := ""
	for _, s := range []string{",", ";", "\t"} {
		if separator == "" && bytes.Contains(r.text, []byte(s)) && (s != "\t" || bytes.Count(r.text, []byte(s)) == 8) {
			separator = s
		}
	}
	if groups && separator == "" {
		separator = ","
	}
	if separator != "" {
		return r.table(b, row, r.fields(separator, true), groups)
	}
	b.framed = b.framed || bytes.IndexByte(r.text, '|') >= 0
	cells := r.fields("| \t", false)
	if len(cells) != 9 { // the cells are not separated
		chars := r.chars[:0]
		for _, c := range cells {
			for i := 0; i < len(c.text); {
				_, size := utf8.DecodeRune(c.text[i:])
				chars = append(chars, field{c.text[i : i+size], c.offset + i})
				i += size
			}
		}
		cells, r.chars = chars, chars
	} else if !b.framed {
		b.spaced = true
	}
	if len(cells) != 9 {
		if digits, ok := blankRow(r.raw); ok && !b.spaced {
			b.digits[row], b.blank = digits, true
			return nil
		}
		cells = joinStars(cells)
	}
	for col, c := range cells {
		if col == 9 {
			return r.errorf(c.offset, "expected 9 cells in a row, found %d", len(cells))
		}
		if err := r.cell(b, row, col, c); err != nil {
			return err
		}
	}
	if len(cells) < 9 {
		return r.errorf(len(r.text), "expected 9 cells in a row, found %d", len(cells))
	}
	return nil
}

// joinStars joins each star with the given digit after it.
func joinStars(chars []field) (cells []field) {
	for i := 0; i < len(chars); i++ {
		c := chars[i]
		if i+1 < len(chars) && string(c.text) == "*" && len(chars[i+1].text) == 1 && chars[i+1].offset == c.offset+1 {
			c.text = c.text[:2]
			i++
		}
		cells = append(cells, c)
	}
	return cells
}

// isNineBlanks reports whether a line has nine blanks, as a row without digits may have.
func isNineBlanks(raw []byte) bool { return string(raw) == "         " }

// blankRow reads a row with blanks for empty cells: nine characters, or cells between bars.
// Editors remove blanks at the end of lines.
func blankRow(raw []byte) (digits [9]int, ok bool) {
	parts := strings.Split(string(raw), "|")
	edges := len(parts) == 5 || len(parts) == 11
	if edges {
		parts = parts[1 : len(parts)-1]
	}
	cells, width := "", 0
	for _, part := range parts {
		width = max(width, len(part))
	}
	for i, part := range parts {
		padded := part + "       "
		switch {
		case len(parts) == 9: // 5 |   | 7
			cells += (strings.TrimSpace(part) + " ")[:1]
		case len(parts) == 3 && width <= 3: // 53 | 7 |
			cells += padded[:3]
		case len(parts) == 3 && i == 0 && !edges: // 5 3   |   7   |
			cells += padded[0:1] + padded[2:3] + padded[4:5]
		case len(parts) == 3:
			cells += padded[1:2] + padded[3:4] + padded[5:6]
		case len(parts) == 1 && len(part) <= 9:
			cells = padded[:min(len(padded), 9)]
		}
	}
	all := strings.ReplaceAll(string(raw), "|", "")
	if !isBlankRow([]byte(all)) || strings.ReplaceAll(all, " ", "") != strings.ReplaceAll(cells, " ", "") {
		return digits, false
	}
	for col, char := range cells {
		if char != ' ' {
			digits[col] = int(char - '0')
		}
	}
	return digits, true
}

// plain reads a line of just 9 cells, as most are.
func (r *rowReader) plain(digits *[9]int) bool {
	for col, char := range r.text {
		if cellOf[char] == notCell {
			*digits = [9]int{}
			return false
		}
		digits[col] = int(cellOf[char])
	}
	return true
}

// cell reads a digit, an empty cell or a group of candidates.
func (r *rowReader) cell(b *block, row, col int, c field) error {
	text := c.text
	switch {
	case len(text) > 1 && text[0] == 'u':
		text, b.entered[row][col] = text[1:], true
	case len(text) == 2 && text[0] == 'c' && '1' <= text[1] && text[1] <= '9':
		b.notes[row][col] = 1 << (text[1] - '0')
		return nil
	case len(text) == 2 && text[0] == '*':
		text, b.given[row][col] = text[1:], true
	}
	if len(text) == 1 && cellOf[text[0]] != notCell {
		b.digits[row][col] = int(cellOf[text[0]])
		return nil
	}
	set, ok := group(text)
	if !ok || len(text) < 2 {
		if len(c.text) <= utf8.UTFMax && utf8.RuneCount(c.text) == 1 {
			char, _ := utf8.DecodeRune(c.text)
			return r.errorf(c.offset, expectedCell, char)
		}
		return r.errorf(c.offset, `expected a cell: a digit, "." or the like, or different digits from 1 to 9 as candidates, found %q`, label(string(c.text)))
	}
	b.notes[row][col] = set
	return nil
}

// table reads a line of 9 fields with separators.
func (r *rowReader) table(b *block, row int, cells []field, groups bool) error {
	for col, c := range cells {
		if col == 9 {
			return r.errorf(c.offset, "expected 9 numbers in a row, found %d", len(cells))
		}
		text := bytes.TrimSpace(c.text)
		offset := c.offset + bytes.Index(c.text, text)
		switch {
		case groups:
			set, ok := group(text)
			if !ok {
				return r.errorf(offset, "expected different digits from 1 to 9, or nothing, found %q", label(string(text)))
			}
			b.notes[row][col] = set
		case len(text) == 1 && cellOf[text[0]] != notCell:
			b.digits[row][col] = int(cellOf[text[0]])
		case len(text) > 0:
			return r.errorf(offset, "expected a number from 0 to 9, found %q", label(string(text)))
		}
	}
	if len(cells) < 9 {
		return r.errorf(len(r.text), "expected 9 numbers in a row, found %d", len(cells))
	}
	return nil
}

// group reads digits from 1 to 9, each at most once.
func group(text []byte) (set uint16, ok bool) {
	for _, char := range text {
		if char < '1' || '9' < char || set&(1<<(char-'0')) != 0 {
			return 0, false
		}
		set |= 1 << (char - '0')
	}
	return set, true
}

// start makes the block the puzzle of a game.
func (b *block) start(game *Game) {
	game.Givens = b.digits
	marked := b.given != [9][9]bool{}
	for row, col := range sudoku.Cells {
		if b.entered[row][col] || marked && !b.given[row][col] {
			game.Givens[row][col] = 0
		}
	}
	if game.Givens != b.digits || b.notes != (Notes{}) {
		p := game.progress()
		p.Board, p.Notes = b.digits, b.notes
	}
}

// extend makes the block the board of a game or, if it has candidates or is the
// third one, its notes. It returns false and a row if this lacks digits of the board.
func (b *block) extend(game *Game, third bool) (row int, ok bool) {
	board := game.Board()
	for row, col := range sudoku.Cells {
		if board[row][col] != 0 && b.digits[row][col] != board[row][col] {
			return row, false
		}
	}
	if b.notes == (Notes{}) && !third {
		game.progress().Board = b.digits
		return 0, true
	}
	for row, col := range sudoku.Cells {
		if board[row][col] == 0 {
			b.notes[row][col] |= 1 << b.digits[row][col] &^ 1 // a single candidate
		}
	}
	game.progress().Notes = b.notes
	return 0, true
}
