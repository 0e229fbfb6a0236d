package theme

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
)

func read(t *testing.T, text string) *Theme {
	t.Helper()
	theme, err := Read("mine.theme", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return theme
}

func TestRead(t *testing.T) {
	theme := read(t, `
# A theme of one's own.
name   Late night
base   paper
size   9x4
lines  rounded
digits ascii
glyph  empty _
given  #ff0000 bold underline   # red
peer   on #010203/236
text   red on default
`)
	paper, _ := Named("paper")
	if theme.Name != "Late night" || theme.Width != 9 || theme.Height != 4 {
		t.Errorf("got %q, %d x %d", theme.Name, theme.Width, theme.Height)
	}
	s := theme.For(1<<24, true)
	if s.Blocks || s.Line(0, 0) != '╭' || s.Glyph(Empty) != '_' || s.Glyph(Bar) != '▇' {
		t.Errorf("got blocks %t, corner %c, empty %c, bar %c", s.Blocks, s.Line(0, 0), s.Glyph(Empty), s.Glyph(Bar))
	}
	red := tcell.NewHexColor(0xff0000)
	if got, want := s.On(Peer, Given), tcell.StyleDefault.Foreground(red).Background(tcell.NewHexColor(0x010203)).Bold(true).Underline(true); got != want {
		t.Errorf("a given on a peer: got %v, want %v", got, want)
	}
	if got := theme.For(256, true).On(Peer, Given); got != tcell.StyleDefault.Foreground(tcell.PaletteColor(196)).Background(tcell.PaletteColor(236)).Bold(true).Underline(true) {
		t.Errorf("with 256 colours: got %v", got)
	}
	if got, want := s.Of(Text), tcell.StyleDefault.Foreground(tcell.ColorMaroon); got != want {
		t.Errorf("text: got %v, want %v", got, want)
	}
	if got, want := s.On(Cell, Entry), paper.For(1<<24, true).On(Cell, Entry); got != want {
		t.Errorf("what the file does not name: got %v, want that of the base, %v", got, want)
	}
	if got := read(t, "").For(1<<24, true); got.Of(Text) != builtin(Default).For(1<<24, true).Of(Text) {
		t.Error("an empty file is not the default theme")
	}
	if got := read(t, "").Name; got != "mine" {
		t.Errorf("a theme without name has the name %q, want that of its file", got)
	}
}

func TestFaults(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"gren #fff", `"gren" is not a role: want name, base,`},
		{"given", `"given" needs a value`},
		{"given #ff", `"#ff" is not a color: want #rrggbb`},
		{"given #1234567", `"#1234567" is not a color`},
		{"given #ggffff", `"#ggffff" is not a color`},
		{"given #00ff00/300", `"#00ff00/300" is not one of 256 colors: want a number from 16 to 255`},
		{"given on", `there is no color after "on"`},
		{"given red blink", `"blink" is not an attribute: want bold`},
		{"peer on bright-pink", `"bright-pink" is not a color`},
		{"base dusk", `"dusk" is not a theme: want space, paper, matrix, contrast, mono`},
		{"size 2x9", `"2x9" is not the size of a cell: want columns x rows`},
		{"size 7x3x2", `"7x3x2" is not the size of a cell`},
		{"size 26x3", `"26x3" is not the size of a cell`},
		{"size big", `"big" is not the size of a cell`},
		{"lines thick", `"thick" is not a style of lines: want ascii, double, heavy, rounded, single`},
		{"digits roman", `"roman" is not a style of digits: want blocks or ascii`},
		{"glyph star *", `"star" is not a glyph: want empty, bar, dot`},
		{"glyph bar", "glyph bar needs one character"},
		{"glyph bar ab", `"ab" is not a glyph: want one character that is one column wide`},
		{"glyph bar 数", `"数" is not a glyph`},
		{"glyph bar \u0301", `is not a glyph`},
	} {
		_, err := Read("dir/mine.theme", strings.NewReader("name X\n\n"+test.line+"\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "dir/mine.theme:3: "+test.want) && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.line, err, test.want)
		}
	}
	_, err := Read("two.theme", strings.NewReader("given red\nbase paper\nlines thick"))
	if err == nil || !strings.Contains(err.Error(), "two.theme:2: base must come before") || !strings.Contains(err.Error(), "two.theme:3: ") {
		t.Errorf("got %v, want both faults", err)
	}
}

// Every theme works on every terminal: in the right kind of colours, and in its characters.
func TestFallBacks(t *testing.T) {
	for _, name := range Names() {
		theme, _ := Named(name)
		for _, colors := range []int{1 << 24, 256, 88, 16, 8, 2, 0} {
			s := theme.For(colors, false)
			for r := Text; int(r) < numRoles; r++ {
				fg, bg, _ := s.Of(r).Decompose()
				for _, c := range []tcell.Color{fg, bg} {
					index := int(c - tcell.PaletteColor(0))
					switch {
					case c == tcell.ColorDefault:
						if s.Colours {
							t.Errorf("%s, %d colours: %v has a colour of the terminal", name, colors, r)
						}
					case colors < 8 || name == "mono":
						t.Errorf("%s, %d colours: %v has a colour", name, colors, r)
					case c.IsRGB() && colors <= 256, !c.IsRGB() && index >= min(colors, 256), colors < 256 && index >= 16:
						t.Errorf("%s, %d colours: %v has the colour %v", name, colors, r, c)
					}
				}
			}
			if s.Blocks {
				t.Errorf("%s: blocks without UTF-8", name)
			}
			for i := range 100 {
				if r := s.Line(i%10, i/10); r > 0x7e {
					t.Errorf("%s: the line character %c without UTF-8", name, r)
				}
			}
			if r := s.Glyph(Bar); r > 0x7e {
				t.Errorf("%s: the glyph %c without UTF-8", name, r)
			}
		}
	}
}

// What must be told apart at a glance has different styles, in as many colours as themes are
// made for.
func TestPapersDiffer(t *testing.T) {
	for _, name := range Names() {
		theme, _ := Named(name)
		for _, colors := range []int{1 << 24, 256} {
			s := theme.For(colors, true)
			if !s.Colours {
				continue
			}
			seen := map[tcell.Style]Role{}
			for _, r := range []Role{Cell, Peer, Equal, Marked, Selected, PenNotes, PenCorner, PenColours, Conflict, Broken, Cause, Target, Excluded} {
				style := s.On(r, Entry)
				if other, ok := seen[style]; ok {
					t.Errorf("%s, %d colours: %v looks like %v", name, colors, r, other)
				}
				seen[style] = r
			}
			seen = map[tcell.Style]Role{}
			for r := Idle; r <= GivenUp; r++ {
				if other, ok := seen[s.Of(r)]; ok {
					t.Errorf("%s, %d colours: %v looks like %v", name, colors, r, other)
				}
				seen[s.Of(r)] = r
			}
		}
	}
}

func TestGlow(t *testing.T) {
	s := builtin("matrix").For(1<<24, true)
	line := s.On(Cell, BoxLine)
	if got := s.Glowing(line, 0); got != line {
		t.Errorf("without glow: got %v, want %v", got, line)
	}
	fg, _, _ := s.Glowing(line, 1).Decompose()
	if want, _, _ := s.Of(Glow).Decompose(); fg != want {
		t.Errorf("in the middle of the glow: got %v, want %v", fg, want)
	}
	for _, colors := range []int{256, 16, 0} {
		if builtin("matrix").For(colors, true).Glows {
			t.Errorf("it glows with %d colours", colors)
		}
	}
}

func TestRolesHaveNames(t *testing.T) {
	for i, name := range Roles() {
		if name == "" || slices.Index(Roles(), name) != i {
			t.Errorf("role %d has the name %q", i, name)
		}
	}
}

// What the documentation shows is a theme.
func TestExamples(t *testing.T) {
	readme, err := os.ReadFile("../../../sudoku/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, themes, _ := strings.Cut(string(readme), "## Themes")
	_, block, _ := strings.Cut(themes, "```\n")
	block, _, ok := strings.Cut(block, "```\n")
	if got := read(t, block); !ok || got.lines != "rounded" {
		t.Errorf("README: got %+v", got)
	}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(doc), "//	name  Night\n")
	example, _, _ = strings.Cut(example, "\n//\n")
	if got := read(t, strings.ReplaceAll(example, "//	", "")); got.lines != "heavy" || got.Width != 7 || !got.faces[Given].bold {
		t.Errorf("doc.go: got %+v", got)
	}
}
