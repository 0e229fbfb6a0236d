package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/image/font/opentype"

	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/diagram/raster"
)

// mostFonts is how many fonts of the computer one picture uses at most.
const mostFonts = 8

// fontsFor returns fonts of this computer for the letters of a picture that the font of package raster lacks.
// The notes say which are still missing.
func fontsFor(l *diagram.Layout) (fonts []*opentype.Font, notes []string, err error) {
	missing, err := raster.Missing(l, nil)
	for len(missing) > 0 && len(fonts) < mostFonts {
		best := bestFont(missing)
		if best == nil {
			break
		}
		fonts = append(fonts, best)
		missing = slices.DeleteFunc(missing, func(r rune) bool { return raster.Has(best, r) })
	}
	if err == nil {
		missing, err = raster.Missing(l, fonts)
	}
	if len(missing) > 0 {
		few, more := missing[:min(len(missing), 10)], ""
		if len(missing) > len(few) {
			more = "…"
		}
		notes = append(notes, fmt.Sprintf("these letters are not drawn as they are written, because no font here has them, or because they are joined or run from right to left: %s%s; an SVG picture shows them", string(few), more))
	}
	return fonts, notes, err
}

// plainer are words in the names of files with fonts that are worse for a picture than others.
var plainer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)bold|italic|oblique|light|thin|black|mono|serif|condensed|math`)
})

// bestFont returns the font that has the most of some characters, or nil if none has any. Of several it is the one
// with the plainest name.
func bestFont(characters []rune) *opentype.Font {
	var best string
	var index, most, odd int
	for _, file := range fontFiles() {
		if most == len(characters) && odd == 0 {
			break
		}
		f, err := os.Open(file)
		if err != nil {
			continue
		}
		if all, err := opentype.ParseCollectionReaderAt(f); err == nil {
			oddities := len(plainer().FindAllString(filepath.Base(file), -1))
			for i := range all.NumFonts() {
				n := 0
				if one, err := all.Font(i); err == nil {
					for _, r := range characters {
						if raster.Has(one, r) {
							n++
						}
					}
				}
				if n > most || n == most && n > 0 && oddities < odd {
					best, index, most, odd = file, i, n, oddities
				}
			}
		}
		f.Close()
	}
	text, err := os.ReadFile(best)
	if best == "" || err != nil {
		return nil
	}
	all, err := opentype.ParseCollection(text)
	if err != nil {
		return nil
	}
	one, _ := all.Font(index)
	return one
}

// fontFiles returns the files with fonts where Linux, macOS and Windows have them, in a fixed order.
func fontFiles() []string {
	home, _ := os.UserHomeDir()
	folders := []string{
		filepath.Join(cmp.Or(os.Getenv("XDG_DATA_HOME"), filepath.Join(home, ".local", "share")), "fonts"), filepath.Join(home, ".fonts"),
		filepath.Join(home, "Library", "Fonts"), "/Library/Fonts", "/System/Library/Fonts",
	}
	for _, dir := range filepath.SplitList(cmp.Or(os.Getenv("XDG_DATA_DIRS"), "/usr/local/share:/usr/share")) {
		folders = append(folders, filepath.Join(dir, "fonts"))
	}
	if windows := os.Getenv("WINDIR"); windows != "" {
		folders = append(folders, filepath.Join(windows, "Fonts"))
	}
	var files []string
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
			if err == nil && slices.Contains([]string{".ttf", ".otf", ".ttc", ".otc"}, strings.ToLower(filepath.Ext(file))) {
				if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
					files = append(files, file)
				}
			}
			return nil
		})
	}
	return files
}
