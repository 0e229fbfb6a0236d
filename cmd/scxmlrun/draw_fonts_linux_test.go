package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
)

// Letters that Go's font lacks are drawn with a font of the computer. If there is none, draw says so.
func TestDrawWithFonts(t *testing.T) {
	// Go's font with the letters Ａ and Ｂ in place of two ligatures.
	ttf := goregular.TTF
	for _, part := range [][2]string{{"\xfb\x02\xff\xfd\xff\xff", "\xff\x22\xff\xfd\xff\xff"}, {"\xfb\x01\xff\xfd\xff\xff", "\xff\x21\xff\xfd\xff\xff"}, {"\x07\xc2\x02\xc8", "\x03\xa2\x02\xc8"}} {
		if !bytes.Contains(ttf, []byte(part[0])) {
			t.Fatal("Go's font is another")
		}
		ttf = bytes.ReplaceAll(ttf, []byte(part[0]), []byte(part[1]))
	}
	home := t.TempDir()
	draw := func(folder string) (picture []byte, stderr string) {
		t.Helper()
		cmd := exec.Command(binary, "draw", "-", "--format", "png")
		cmd.Stdin = bytes.NewReader([]byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="Ａ"><transition event="שלום" target="Ａ"/></state></scxml>`))
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME="+folder, "XDG_DATA_DIRS="+home)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatal(err, errs.String())
		}
		return out.Bytes(), errs.String()
	}
	const note = "scxmlrun: png: these letters are not drawn as they are written, because no font here has them, or because they are joined or run from right to left: "
	boxes, stderr := draw(filepath.Join(home, "none"))
	if want := note + "Ａשלום; an SVG picture shows them\n"; stderr != want {
		t.Errorf("without a font:\ngot  %swant %s", stderr, want)
	}
	fonts := filepath.Join(home, "data", "fonts", "deep")
	if err := os.MkdirAll(fonts, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"a-Bold.ttf": ttf, "plain.TTF": ttf, "damaged.otf": ttf[:len(ttf)/2], "empty.ttc": nil} {
		if err := os.WriteFile(filepath.Join(fonts, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	letters, stderr := draw(filepath.Join(home, "data"))
	if want := note + "שלום; an SVG picture shows them\n"; stderr != want {
		t.Errorf("with a font:\ngot  %swant %s", stderr, want)
	}
	if bytes.Equal(boxes, letters) {
		t.Error("the font of the computer is not used")
	}
}
