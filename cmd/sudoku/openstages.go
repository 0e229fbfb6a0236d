package main

import (
	"errors"
	"fmt"
	"html"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// A stagesPage is the page of open --debug: the stages of reading each picture.
type stagesPage struct {
	folder string
	body   strings.Builder
	count  int
}

// add saves the stages of a picture, such as "FOLDER/1-photo-4-cells.png", and the page so far.
func (p *stagesPage) add(name string, stages []photo.Stage, reading *photo.Reading, err error) error {
	if err := os.MkdirAll(p.folder, 0o777); err != nil {
		return err
	}
	p.count++
	fmt.Fprintf(&p.body, "<h2>%s</h2>\n", html.EscapeString(name))
	stem := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	for _, s := range stages {
		file := fmt.Sprintf("%d-%s-%s.png", p.count, stem, s.Name)
		if err := savePNG(filepath.Join(p.folder, file), s); err != nil {
			return err
		}
		fmt.Fprintf(&p.body, "<figure><img src=\"%s\"><figcaption>%s</figcaption></figure>\n", url.PathEscape(file), s.Name)
	}
	text := ""
	if err != nil {
		text = err.Error()
	} else {
		text = describe(name, reading)
	}
	fmt.Fprintf(&p.body, "<pre>%s</pre>\n", html.EscapeString(text))
	return os.WriteFile(filepath.Join(p.folder, "index.html"), []byte(stagesHead+p.body.String()), 0o666)
}

const stagesHead = `<!DOCTYPE html>
<meta charset="utf-8">
<title>sudoku open --debug</title>
<style>
body { font-family: sans-serif; background: #eee }
figure { display: inline-block; margin: 4px }
img { max-height: 360px; display: block }
</style>
`

func savePNG(name string, s photo.Stage) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, s.Image), f.Close())
}
