package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// stdinName is the FILE that means standard input, which messages call stdinShown.
const (
	stdinName  = "-"
	stdinShown = "standard input"
)

// An input reads puzzles.
type input struct {
	ctx     context.Context // when it is cancelled the input ends
	sources []source
	// wait is called before reading more of the input, which may take a while.
	wait func()
}

// A source is a file, standard input, or an argument that is a puzzle itself.
type source struct {
	name string // of a file, stdinName, or for an argument the name in errors
	text string // of an argument that is a puzzle
}

// newInput checks the arguments. Files must exist; they are opened when their turn
// comes.
func newInput(ctx context.Context, args []string) (*input, error) {
	in := &input{ctx: ctx}
	for _, arg := range args {
		s := source{name: arg}
		switch info, err := os.Stat(arg); {
		case arg == stdinName:
		case arg == "":
			return nil, cli.Usagef("the name of a file is empty")
		case err != nil && isPuzzle(arg):
			s = source{"argument", arg}
		case errors.Is(err, fs.ErrNotExist):
			return nil, cli.Usagef("cannot find %q%s", arg, nearFile(arg))
		case err != nil:
			return nil, cli.Usagef("cannot read %q: %v", arg, cli.Plain(err))
		case info.IsDir():
			return nil, cli.Usagef("%q is a folder; name its files", arg)
		}
		in.sources = append(in.sources, s)
	}
	if len(args) == 0 {
		in.sources = []source{{name: stdinName}}
	}
	return in, nil
}

// typed reports whether puzzles are typed in a terminal.
func (in *input) typed() bool {
	return cli.IsTerminal(os.Stdin) && slices.ContainsFunc(in.sources, func(s source) bool { return s.name == stdinName })
}

// isPuzzle reports whether an argument is meant to be a puzzle.
func isPuzzle(arg string) bool {
	cells := strings.Trim(arg, "0123456789.*_")
	return cells == "" && len(arg) > 20 || strings.HasPrefix(arg, ":") || format.IsLink(arg)
}

// nearFile returns a hint at a file with a similar name.
func nearFile(name string) string {
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return "" // the folder does not exist either
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if near := cli.Nearest(filepath.Base(name), names); near != "" {
		return cli.DidYouMean(name, []string{filepath.Join(filepath.Dir(name), near)})
	}
	return ""
}

// An entry is a puzzle and its place in the input.
type entry struct {
	format.Game
	source string
	line   int
}

// place returns the place of a puzzle for messages, as in "puzzles.txt:3".
func (e *entry) place() string { return fmt.Sprintf("%s:%d", e.source, e.line) }

// games reads the puzzles of all sources. It can be used once.
func (in *input) games() iter.Seq2[format.Game, error] {
	return func(yield func(format.Game, error) bool) {
		for e, err := range in.entries() {
			if !yield(e.Game, err) {
				return
			}
		}
	}
}

// entries is like games and says where each puzzle is.
func (in *input) entries() iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		for _, s := range in.sources {
			if !in.source(s, yield) {
				return
			}
		}
	}
}

// source reads the puzzles of a source. It returns false to end the input.
func (in *input) source(s source, yield func(entry, error) bool) bool {
	var r io.Reader = strings.NewReader(s.text)
	name := s.name
	switch {
	case s.text != "":
	case name == stdinName:
		name, r = stdinShown, os.Stdin
		if cli.IsTerminal(os.Stdin) {
			io.WriteString(os.Stderr, "sudoku: type or paste puzzles; Ctrl+D ends\n")
		}
	default:
		f, err := cli.Open(in.ctx, name)
		if err != nil {
			yield(entry{}, cli.Usagef("cannot read %q: %v", name, cli.Plain(err)))
			return false
		}
		defer f.Close()
		r = f
	}
	text := bufio.NewReader(newReader(in.ctx, r, in.wait))
	if header, _ := text.Peek(photo.SignatureSize); photo.IsPicture(header) {
		game, err := openedGame(in.ctx, name, text)
		return yield(entry{game, name, 1}, err) && err == nil
	}
	games := format.NewReader(name, text)
	for game, err := range games.Games() {
		var bad *format.Error
		switch {
		case errors.As(err, &bad):
			err = &cli.Error{Status: cli.Refused, Err: err}
		case err != nil && in.ctx.Err() != nil:
			err = context.Cause(in.ctx)
		case err != nil:
			err = &cli.Error{Status: cli.Failed, Err: err}
		}
		if !yield(entry{game, name, games.Line()}, err) || err != nil {
			return false
		}
	}
	return true
}

// A reader reports when it begins to wait for input, and can be stopped while it
// waits.
type reader struct {
	ctx    context.Context
	wait   func() // may be nil
	buffer [64 << 10]byte
	more   chan struct{} // asks for more of the buffer
	got    chan readResult
	unread []byte // of the buffer
	ended  error  // of the last read
}

type readResult struct {
	n   int
	err error
}

// newReader reads r in a goroutine. The goroutine is abandoned if a read does not
// end.
func newReader(ctx context.Context, r io.Reader, wait func()) *reader {
	c := &reader{ctx: ctx, wait: wait, more: make(chan struct{}), got: make(chan readResult, 1)}
	go func() {
		for {
			select {
			case <-c.more:
				n, err := r.Read(c.buffer[:])
				c.got <- readResult{n, err}
				if err != nil {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return c
}

func (c *reader) Read(p []byte) (int, error) {
	if len(c.unread) > 0 || c.ended != nil {
		return c.take(p)
	}
	if c.wait != nil {
		c.wait()
	}
	select {
	case c.more <- struct{}{}:
	case <-c.ctx.Done():
		return 0, context.Cause(c.ctx)
	}
	select {
	case result := <-c.got:
		c.unread, c.ended = c.buffer[:result.n], result.err
		return c.take(p)
	case <-c.ctx.Done():
		return 0, context.Cause(c.ctx)
	}
}

// take returns the bytes read so far.
func (c *reader) take(p []byte) (int, error) {
	if len(c.unread) == 0 {
		return 0, c.ended
	}
	n := copy(p, c.unread)
	c.unread = c.unread[n:]
	return n, nil
}
