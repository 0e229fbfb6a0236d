// Package gallery writes a page that shows how pictures were read: the stages of reading as pictures,
// the board, and each cell that is in doubt or wrong.
package gallery

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"image"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// A Page is a folder with pictures and index.html, which shows them. Make one with the name of the
// folder.
type Page struct {
	Folder string
	body   strings.Builder
	count  int
}

// An Entry is what was read of a picture.
type Entry struct {
	Name     string // of the picture's file
	Stages   []photo.Stage
	Readings []*photo.Reading // of its Sudokus
	Err      error            // why it was not read
	Right    *sudoku.Grid     // the printed digits of its only Sudoku, if they are known
}

// Add saves the stages of a picture, such as "1-photo-4-cells.png", and the page so far.
func (p *Page) Add(e *Entry) error {
	if err := os.MkdirAll(p.Folder, 0o777); err != nil {
		return err
	}
	p.count++
	fmt.Fprintf(&p.body, "<h2>%s</h2>\n", html.EscapeString(e.Name))
	stem := strings.TrimSuffix(filepath.Base(e.Name), filepath.Ext(e.Name))
	for _, s := range e.Stages {
		file := fmt.Sprintf("%d-%s-%s.png", p.count, stem, s.Name)
		if err := save(filepath.Join(p.Folder, file), s.Image); err != nil {
			return err
		}
		fmt.Fprintf(&p.body, "<figure><a href=\"%s\"><img src=\"%[1]s\" alt=\"\"></a><figcaption>%s</figcaption></figure>\n", url.PathEscape(file), html.EscapeString(s.About))
	}
	if e.Err != nil {
		fmt.Fprintf(&p.body, "<p class=\"bad\">%s</p>\n", html.EscapeString(e.Err.Error()))
	}
	for _, r := range e.Readings {
		if err := p.cells(r, e.Right); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(p.Folder, "index.html"), []byte(head+p.body.String()), 0o666)
}

// cells adds a table of the cells of a reading that are in doubt or wrong.
func (p *Page) cells(r *photo.Reading, right *sudoku.Grid) error {
	rows := ""
	for c := range 81 {
		row, column := c/9, c%9
		note, class := "in doubt", ""
		switch read := r.Grid[row][column]; {
		case right != nil && read != right[row][column]:
			note, class = "wrong: it is "+name(right[row][column]), "bad"
			if !r.Doubt[row][column] {
				note += ", and not in doubt"
			}
		case !r.Doubt[row][column]:
			continue
		}
		var picture bytes.Buffer
		if err := png.Encode(&picture, r.Cells[row][column]); err != nil {
			return err
		}
		rows += fmt.Sprintf("<tr class=%q><td>r%dc%d<td><img src=\"data:image/png;base64,%s\" alt=\"\"><td>%s<td>%s<td>%s\n",
			class, row+1, column+1, base64.StdEncoding.EncodeToString(picture.Bytes()), readAs(r, row, column), looksLike(&r.Probability[row][column]), note)
	}
	switch {
	case rows != "":
		p.body.WriteString("<table><tr><th>cell<th>picture<th>read as<th>looks like<th>\n" + rows + "</table>\n")
	case right != nil:
		p.body.WriteString("<p>All cells are right, and none is in doubt.</p>\n")
	default:
		p.body.WriteString("<p>No cell is in doubt.</p>\n")
	}
	return nil
}

func readAs(r *photo.Reading, row, column int) string {
	if d := r.Entries[row][column]; d > 0 {
		return fmt.Sprintf("%d, by hand", d)
	}
	return name(r.Grid[row][column])
}

func name(digit int) string {
	if digit == 0 {
		return "empty"
	}
	return fmt.Sprint(digit)
}

// looksLike returns the three likeliest printed digits of a cell.
func looksLike(probability *[10]float64) string {
	digits := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	slices.SortStableFunc(digits, func(a, b int) int {
		if probability[a] > probability[b] {
			return -1
		}
		return 1
	})
	var parts []string
	for _, d := range digits[:3] {
		parts = append(parts, fmt.Sprintf("%s %.1f %%", name(d), 100*probability[d]))
	}
	return strings.Join(parts, ", ")
}

const head = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>How the pictures were read</title>
<style>
:root { color-scheme: light dark }
body { font-family: sans-serif; margin: 1em; background: Canvas; color: CanvasText }
figure { display: inline-block; margin: 4px; max-width: 360px; vertical-align: top }
figure img { max-width: 100%; max-height: 360px; display: block }
figcaption { font-size: small }
td img { width: 72px; image-rendering: pixelated; display: block }
th { text-align: left }
th, td { padding: 2px 1em 2px 0 }
.bad { color: #d00000; font-weight: bold }
</style>
<h1>How the pictures were read</h1>
`

func save(name string, img image.Image) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}
