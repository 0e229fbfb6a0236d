package film

import (
	"cmp"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
)

// number is what a name has for the numbers of pictures.
var number = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%(0?\d)?d`) })

func newPNG(name string) (form, error) {
	if !strings.Contains(name, "%") {
		out, err := durable.Replace(name, 0o666)
		return &picture{painter: newPainter(255), out: out}, err
	}
	if rest := number().ReplaceAllLiteralString(name, ""); strings.Contains(rest, "%") || len(number().FindAllString(name, -1)) != 1 {
		return nil, fmt.Errorf("numbered pictures need one %%d or %%03d in their name")
	}
	out, err := durable.Replace(fmt.Sprintf(name, 1), 0o666) // can it be written?
	if err == nil {
		out.Discard()
	}
	return &pictures{painter: newPainter(255), name: name}, err
}

// Existing returns a file that a film with this name would replace, or "".
func Existing(name string) string {
	folder, base := filepath.Split(name)
	verb := number().FindStringIndex(base)
	if verb == nil || !strings.EqualFold(filepath.Ext(name), ".png") {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name
		}
		return ""
	}
	picture := regexp.MustCompile("^" + regexp.QuoteMeta(base[:verb[0]]) + `\d+` + regexp.QuoteMeta(base[verb[1]:]) + "$")
	entries, _ := os.ReadDir(cmp.Or(folder, "."))
	for _, e := range entries {
		if e.Type().IsRegular() && picture.MatchString(e.Name()) {
			return folder + e.Name()
		}
	}
	return ""
}

// A picture is one of the last frame.
type picture struct {
	*painter
	out  *durable.Replacement
	last *Frame
}

func (p *picture) add(_ time.Duration, f *Frame, _ image.Rectangle) error {
	p.last = f
	return nil
}

func (p *picture) close(time.Duration) error { return p.write(p.out, p.last) }

func (p *picture) discard() { p.out.Discard() }

// pictures are one of each frame.
type pictures struct {
	*painter
	name string
	n    int
}

func (p *pictures) add(_ time.Duration, f *Frame, _ image.Rectangle) error {
	p.n++
	out, err := durable.Replace(fmt.Sprintf(p.name, p.n), 0o666)
	if err != nil {
		return err
	}
	return p.write(out, f)
}

func (p *pictures) close(time.Duration) error { return nil }

func (p *pictures) discard() {}

// write completes a file with a frame.
func (p *painter) write(out *durable.Replacement, f *Frame) error {
	bounds := p.paint(f, image.Rect(0, 0, f.Width, f.Height))
	if err := png.Encode(out, p.image.SubImage(bounds)); err != nil {
		out.Discard()
		return err
	}
	return out.Commit()
}
