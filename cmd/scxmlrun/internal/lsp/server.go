package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/editor"
)

// Bounds of what a client can ask for.
const (
	maxMessage = 256 << 20 // bytes of a message: a document of 64 MB, of which JSON escapes a lot
	maxRunning = 1000      // requests that wait or run
	maxText    = 8 << 20   // bytes of a document that is analysed, which takes a second and 400 MB
	maxShown   = 1000      // diagnostics of a document that the client gets, errors first
)

// Options configure a server. The zero value is useful.
type Options struct {
	Lint    scxml.LintOptions
	Version string    // of the server, for the client
	Log     io.Writer // for what should not happen; nil for nothing

	Compiled string // when a program explores, one of [searchprogram.Modes]; "" is auto
}

// ErrNoShutdown is the error of [Serve] if the client leaves without the request shutdown.
var ErrNoShutdown = errors.New("the editor has left without the request shutdown")

// Serve is a language server for one client. It returns nil when the client has sent shutdown and exit, and the
// cause if the context ends. A failed read or write, and input that is not made of messages, end it with an error.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	ctx, stop := context.WithCancelCause(ctx)
	s := &server{
		conn: newConn(in, out), opts: opts, ctx: ctx, stop: stop,
		documents: make(map[string]*document), timers: make(map[string]*time.Timer), running: make(map[string]context.CancelFunc),
		workers: make(chan struct{}, max(2, runtime.GOMAXPROCS(0))), commands: make(chan struct{}, 2),
	}
	defer s.close()
	messages := make(chan func() error)
	go func() { // it ends with the input, which nothing else can interrupt
		for {
			m, err := s.read()
			select {
			case messages <- func() error { return s.handle(m, err) }:
			case <-ctx.Done():
				return
			}
			if err != nil && !isResponse(err) {
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case handle := <-messages:
			if err := handle(); err == errExit {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
}

// errExit says that the client wants the server to end.
var errExit = errors.New("exit")

// A server is the state of [Serve]. Messages are handled one after the other; what takes longer runs on other
// goroutines, with the version of the document that there was when the message came.
type server struct {
	*conn
	opts Options
	ctx  context.Context
	stop context.CancelCauseFunc

	// Of the goroutine that handles messages.
	stage  stage
	client initializeParams
	encoding

	mu        sync.Mutex // guards the next four
	documents map[string]*document
	timers    map[string]*time.Timer
	running   map[string]context.CancelFunc // by the id of a request, or the key of its progress
	tokens    int                           // of progress, so far

	all      sync.WaitGroup // the goroutines of requests and diagnostics
	workers  chan struct{}  // taken by other requests that run
	commands chan struct{}  // taken by commands that run
	linting  sync.Mutex     // held while diagnostics are computed and sent
	folder   tempFolder
}

// A stage is how far the conversation with the client has come.
type stage int

const (
	starting stage = iota // before initialize
	serving
	ending // after shutdown
)

// close waits for all goroutines, and removes the server's files.
func (s *server) close() {
	s.stop(nil)
	s.mu.Lock()
	for _, timer := range s.timers {
		timer.Stop()
	}
	s.timers = nil
	s.mu.Unlock()
	s.all.Wait()
	s.folder.remove()
}

// handle handles what was read.
func (s *server) handle(m *message, err error) error {
	var bad *responseError
	switch {
	case errors.As(err, &bad):
		var id json.RawMessage
		if m != nil {
			id = m.ID
		}
		return s.respond(id, nil, bad)
	case errors.Is(err, io.EOF) && s.stage == ending:
		return errExit // some clients send no exit
	case errors.Is(err, io.EOF):
		return ErrNoShutdown
	case err != nil:
		return errors.Join(err, s.respond(nil, nil, failf(parseError, "%v", err)))
	case m.Method == "":
		s.answer(m)
	case m.Method == "exit":
		if s.stage != ending {
			return ErrNoShutdown
		}
		return errExit
	case m.ID == nil:
		if notified := notifications[m.Method]; notified != nil && s.stage == serving {
			if err := notified(s, m.Params); err != nil {
				return s.log(fmt.Sprintf("%s: %v", m.Method, err))
			}
		}
	default:
		return s.request(m)
	}
	return nil
}

// log tells the client what nobody asked for.
func (s *server) log(text string) error {
	return s.notify("window/logMessage", messageParams{warningMessage, text})
}

// A request prepares the answer to a request. It is called in the order of messages, and what it returns on
// another goroutine.
type request func(s *server, params json.RawMessage) (answer, error)

type answer func(ctx context.Context) (any, error)

func (s *server) request(m *message) error {
	now := lifecycle[m.Method]
	prepare := requests[m.Method]
	var result any
	var err error
	switch {
	case s.stage == starting && m.Method != "initialize":
		err = failf(notInitialized, "%s: the first request must be initialize", m.Method)
	case s.stage == ending:
		err = failf(invalidRequest, "%s: the server was shut down", m.Method)
	case now != nil:
		result, err = now(s, m.Params)
	case prepare == nil:
		err = failf(methodNotFound, "%q is not supported", m.Method)
	default:
		var work answer
		if work, err = prepare(s, m.Params); err == nil {
			return s.start(m, work)
		}
	}
	return s.respond(m.ID, result, err)
}

// start starts the work for a request. Its response is sent when it is done.
func (s *server) start(m *message, work answer) error {
	id := string(m.ID)
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	_, double := s.running[id]
	many := len(s.running) >= maxRunning
	if !double && !many {
		s.running[id] = cancel
	}
	s.mu.Unlock()
	if double || many {
		cancel()
		if double {
			return s.respond(m.ID, nil, failf(invalidRequest, "%s: a request with the id %s is still running", m.Method, id))
		}
		return s.respond(m.ID, nil, failf(requestFailed, "%s: %d requests are still running", m.Method, maxRunning))
	}
	workers := s.workers
	if m.Method == "workspace/executeCommand" {
		workers = s.commands
	}
	s.all.Go(func() {
		defer cancel()
		var result any
		err := error(failf(requestCancelled, "%s was cancelled", m.Method))
		select {
		case workers <- struct{}{}:
			done := make(chan func(), 1)
			s.all.Go(func() { // what was cancelled is answered at once; not all work can be interrupted
				defer func() { <-workers }()
				if ctx.Err() == nil {
					r, e := s.guard(ctx, m.Method, work)
					done <- func() { result, err = r, e }
				}
			})
			select {
			case finish := <-done:
				if ctx.Err() == nil {
					finish()
				}
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
		s.mu.Lock()
		delete(s.running, id)
		s.mu.Unlock()
		s.fail(s.respond(m.ID, result, err))
	})
	return nil
}

// guard works, and turns a panic into an error: the editor should not lose its server for one request.
func (s *server) guard(ctx context.Context, what string, work answer) (result any, err error) {
	defer func() {
		if x := recover(); x != nil {
			fmt.Fprintf(s.opts.Log, "%s: %v\n%s", what, x, debug.Stack())
			result, err = nil, failf(internalError, "%s: an error in the server: %v", what, x)
		}
	}()
	return work(ctx)
}

// fail ends the server if a write has failed.
func (s *server) fail(err error) {
	if err != nil {
		s.stop(err)
	}
}

// decode decodes parameters.
func decode[P any](raw json.RawMessage) (p P, err error) {
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return p, failf(invalidParams, "%v", err)
	}
	return p, nil
}

// A document is a version of an open document. It is immutable.
type document struct {
	uri      string
	name     string // in messages
	folder   fs.FS  // of the files that it names; nil if it has no folder
	blank    *editor.Document
	version  int32
	text     *source
	large    error // why it is not analysed, or nil
	analysis func() *editor.Document
	abandon  func() // as there is a later version
}

// newDocument returns the first version of a document.
func (s *server) newDocument(uri string, version int32, t *source) *document {
	d := &document{uri: uri, name: uri[strings.LastIndexAny(uri, "/:")+1:]}
	if p := file.FromURI(uri); p != "" {
		d.name, d.folder = filepath.Base(p), folderOf(p)
	}
	d.blank = editor.Analyse(d.name, "", editor.Options{Lint: s.opts.Lint, Files: d.folder, Types: typesOf(d.name, d.folder)})
	return s.next(d, version, t)
}

// next returns another version of a document. It is analysed when that is first needed.
func (s *server) next(d *document, version int32, t *source) *document {
	next := *d
	next.version, next.text, next.large = version, t, nil
	if len(t.content) > maxText {
		next.large = failf(requestFailed, "%s has %s, and the editor's server analyses at most %s: check it with scxmlrun check", d.name, megabytes(len(t.content)), megabytes(maxText))
	}
	var analysed atomic.Pointer[editor.Document]
	next.analysis = sync.OnceValue(func() *editor.Document {
		a := d.blank.Change(t.content)
		analysed.Store(a)
		return a
	})
	next.abandon = func() {
		if a := analysed.Load(); a != nil {
			a.Abandon()
		}
	}
	return &next
}

// folderOf is the folder of the named file. It is opened for each access, so that it may come and go.
type folderOf string

func (f folderOf) Open(name string) (fs.File, error) {
	dir, err := file.OpenFolder(filepath.Dir(string(f)))
	if err != nil {
		return nil, err
	}
	defer dir.Close() // not what is open in it
	return dir.Open(name)
}

// document returns the present version of an open document.
func (s *server) document(uri string) (*document, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.documents[uri]; d != nil {
		return d, nil
	}
	return nil, failf(invalidParams, "the document %q is not open", uri)
}

// about makes a request of a function that answers it from a document.
func about[P interface{ uri() string }](find func(s *server, d *document, p P) (any, error)) request {
	return func(s *server, params json.RawMessage) (answer, error) {
		p, err := decode[P](params)
		if err != nil {
			return nil, err
		}
		d, err := s.document(p.uri())
		if err != nil {
			return nil, err
		}
		return func(context.Context) (any, error) {
			if d.large != nil { // the user was told
				return nil, nil
			}
			return find(s, d, p)
		}, nil
	}
}

func megabytes(n int) string { return strconv.FormatFloat(float64(n)/(1<<20), 'g', 3, 64) + " MB" }
