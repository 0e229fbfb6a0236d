package theme

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Read reads a theme from a file, see the package's documentation. The error names all
// faults, each with file, line and what is wanted.
func Read(file string, r io.Reader) (*Theme, error) {
	t := *builtin(Default)
	t.Name, _, _ = strings.Cut(path.Base(file), ".")
	if err := t.read(file, r); err != nil {
		return nil, err
	}
	return &t, nil
}

// read carries out the lines of a file.
func (t *Theme) read(file string, r io.Reader) error {
	var faults []error
	lines := bufio.NewScanner(r)
	for n, first := 1, true; lines.Scan(); n++ {
		words := strings.Fields(uncomment(lines.Text()))
		if len(words) == 0 {
			continue
		}
		if err := t.set(words, first); err != nil {
			faults = append(faults, fmt.Errorf("%s:%d: %w", file, n, err))
		}
		first = first && words[0] == "name"
	}
	if err := lines.Err(); err != nil {
		faults = append(faults, fmt.Errorf("cannot read theme %s: %w", file, err))
	}
	return errors.Join(faults...)
}

// uncomment removes a comment: # and what follows it, where it cannot be a color.
func uncomment(line string) string {
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return ""
	}
	before, _, _ := strings.Cut(line, " # ")
	return before
}

// set carries out a line of a file. base must come before all others, but name.
func (t *Theme) set(words []string, first bool) error {
	word, values := words[0], words[1:]
	value := strings.Join(values, " ")
	if len(values) == 0 {
		return fmt.Errorf("%q needs a value", word)
	}
	switch word {
	case "name":
		t.Name = value
	case "base":
		base, ok := Named(value)
		switch {
		case !ok:
			return fmt.Errorf("%q is not a theme: want %s", value, strings.Join(Names(), ", "))
		case !first:
			return errors.New("base must come before all other lines but name")
		}
		name := t.Name
		*t = *base
		t.Name = name
	case "size":
		w, h, ok := ParseSize(value)
		if !ok {
			return fmt.Errorf("%q is not the size of a cell: want columns x rows, from 3x1 to 25x13", value)
		}
		t.Width, t.Height = w, h
	case "lines":
		if lineStyles[value] == nil {
			return fmt.Errorf("%q is not a style of lines: want %s", value, strings.Join(slices.Sorted(maps.Keys(lineStyles)), ", "))
		}
		t.lines = value
	case "digits":
		if value != "blocks" && value != "ascii" {
			return fmt.Errorf("%q is not a style of digits: want blocks or ascii", value)
		}
		t.blocks = value == "blocks"
	case "glyph":
		return t.setGlyph(values)
	default:
		role := slices.Index(roleNames[:], word)
		if role < 0 {
			return fmt.Errorf("%q is not a role: want name, base, size, lines, digits, glyph, or one of %s", word, strings.Join(roleNames[:], ", "))
		}
		face, err := parseFace(values)
		if err != nil {
			return err
		}
		t.faces[role] = face
	}
	return nil
}

func (t *Theme) setGlyph(values []string) error {
	glyph := slices.Index(glyphNames[:], values[0])
	if glyph < 0 {
		return fmt.Errorf("%q is not a glyph: want %s", values[0], strings.Join(glyphNames[:], ", "))
	}
	if len(values) != 2 {
		return fmt.Errorf("glyph %s needs one character", values[0])
	}
	r, size := utf8.DecodeRuneInString(values[1])
	kind := width.LookupRune(r).Kind()
	if size != len(values[1]) || !unicode.IsPrint(r) || unicode.IsMark(r) || kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return fmt.Errorf("%q is not a glyph: want one character that is one column wide", values[1])
	}
	t.glyphs[glyph] = r
	return nil
}

// ParseSize reads the size of a cell, in columns and rows, as in "7x3".
func ParseSize(s string) (width, height int, ok bool) {
	var rest string
	n, _ := fmt.Sscanf(s, "%dx%d%s", &width, &height, &rest)
	return width, height, n == 2 && 3 <= width && width <= 25 && 1 <= height && height <= 13
}

// parseFace reads the look of a role: "ink", "on paper" and attributes, each optional.
func parseFace(words []string) (f face, err error) {
	attributes := map[string]*bool{"bold": &f.bold, "underline": &f.underline, "reverse": &f.reverse, "italic": &f.italic, "strike": &f.strike}
	for i := 0; i < len(words) && err == nil; i++ {
		switch attribute := attributes[words[i]]; {
		case attribute != nil:
			*attribute = true
		case words[i] == "on":
			if i++; i == len(words) {
				return f, errors.New(`there is no color after "on"`)
			}
			f.paper, err = parseColor(words[i])
		case i > 0:
			return f, fmt.Errorf("%q is not an attribute: want bold, underline, reverse, italic or strike", words[i])
		default:
			f.ink, err = parseColor(words[i])
		}
	}
	return f, err
}
