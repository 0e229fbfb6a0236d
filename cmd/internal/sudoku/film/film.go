package film

import (
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Limits of a film.
const (
	maxFrames = 20_000
	maxCells  = 40_000 // of a frame: 250 by 160, for example
)

var errFull = errors.New("it is full, and what came later is not in it")

// A Film is a file of frames. Add and Close are for one goroutine.
type Film struct {
	name   string
	form   form
	frames chan timed
	done   chan struct{} // closed after the last frame

	lock sync.Mutex
	err  error // the first one
}

type timed struct {
	at    time.Time
	frame Frame
}

// A form is a kind of file. Times are those since the first frame.
type form interface {
	// add adds a frame that has changed in an area of cells.
	add(at time.Duration, f *Frame, area image.Rectangle) error
	// close completes the file, which has a frame. It is called once, or discard is.
	close(end time.Duration) error
	discard()
}

// Create begins a film. The file is complete, or absent: Close puts it into its place, and
// until then an older one is not changed. Numbered pictures are put there one by one.
func Create(name string) (*Film, error) {
	begin := map[string]func(string) (form, error){".png": newPNG, ".gif": newGIF, ".cast": newCast}[strings.ToLower(filepath.Ext(name))]
	if begin == nil {
		return nil, fmt.Errorf("%q is not the name of a film: want one that ends in .png, .gif or .cast", name)
	}
	form, err := begin(name)
	if err != nil {
		return nil, fmt.Errorf("cannot write the film %q: %w", name, err)
	}
	f := &Film{name: name, form: form, frames: make(chan timed, 64), done: make(chan struct{})}
	go f.write()
	return f, nil
}

// Add adds a frame, which the film keeps: it must not change any more. An error means that
// the film has ended before; Close returns it, too.
func (f *Film) Add(at time.Time, frame Frame) error {
	if err := f.failed(); err != nil {
		return err
	}
	f.frames <- timed{at, frame}
	return nil
}

// Close completes the file. A film that could not be continued has the frames before that,
// unless the file could not be written.
func (f *Film) Close() error {
	close(f.frames)
	<-f.done
	return f.failed()
}

func (f *Film) failed() error {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.err
}

func (f *Film) fail(err error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("film %q: %w", f.name, err)
	}
}

// write gives the form the frames that show something new.
func (f *Film) write() {
	defer close(f.done)
	var start time.Time
	var now time.Duration
	var shown *Frame
	n := 0
	for t := range f.frames {
		if f.failed() != nil {
			continue
		}
		if n == 0 {
			start = t.at
		}
		now = max(now, t.at.Sub(start))
		area := changes(shown, &t.frame)
		switch {
		case len(t.frame.Cells) != t.frame.Width*t.frame.Height:
			f.fail(fmt.Errorf("a frame of %d x %d has %d cells", t.frame.Width, t.frame.Height, len(t.frame.Cells)))
		case len(t.frame.Cells) > maxCells:
			f.fail(fmt.Errorf("a screen of %d x %d is too large: want at most %d characters", t.frame.Width, t.frame.Height, maxCells))
		case area.Empty():
		case n == maxFrames:
			f.fail(errFull)
		default:
			n++
			shown = &t.frame
			f.fail(f.form.add(now, shown, area))
		}
	}
	if n == 0 {
		f.form.discard()
		f.fail(errors.New("nothing was shown"))
		return
	}
	f.fail(f.form.close(now))
}
