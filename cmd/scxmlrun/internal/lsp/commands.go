package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/searchprogram"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// The commands of lenses have the URI of a document as their argument. Some clients have commands too: one that
// shows references, with a position and locations as further arguments, and one that completes.
const (
	drawCommand       = "scxmlrun.draw"
	exploreCommand    = "scxmlrun.explore"
	showPlacesCommand = "scxmlrun.showPlaces"
	suggestCommand    = "editor.action.triggerSuggest" // of VS Code
)

// Bounds of a search that one click starts.
const (
	exploreStates = 100_000
	exploreMemory = 512 << 20
	exploreTime   = 20 * time.Second
)

var commands = map[string]func(*server, context.Context, *document, executeCommandParams) (any, error){
	drawCommand:    (*server).draw,
	exploreCommand: (*server).explore,
}

func executeCommand(s *server, params json.RawMessage) (answer, error) {
	p, err := decode[executeCommandParams](params)
	if err != nil {
		return nil, err
	}
	run := commands[p.Command]
	if run == nil {
		return nil, failf(invalidParams, "%q is not a command of this server", p.Command)
	}
	var uri string
	if len(p.Arguments) != 1 || json.Unmarshal(p.Arguments[0], &uri) != nil {
		return nil, failf(invalidParams, "%s: want one argument, the URI of a document", p.Command)
	}
	d, err := s.document(uri)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) { return run(s, ctx, d, p) }, nil
}

// compile compiles a document, for what a message says.
func (d *document) compile(what string) (*scxml.Chart, error) {
	if d.large != nil {
		return nil, d.large
	}
	var files []scxml.ChartOption
	if d.folder != nil {
		files = append(files, scxml.WithLoader(d.folder))
	}
	chart, err := scxml.Sketch(d.name, []byte(d.text.content), files...)
	var refused *scxml.DocumentError
	if errors.As(err, &refused) {
		if chart != nil && what == "draw" { // the picture shows what is wrong
			return chart, nil
		}
		first := slices.IndexFunc(refused.Diagnostics, func(p scxml.Diagnostic) bool { return p.Severity == scxml.SeverityError })
		return nil, failf(requestFailed, "cannot %s %s before this is corrected: %v", what, d.name, refused.Diagnostics[first])
	}
	return chart, err
}

// draw draws the chart into a file and shows it, or says where it is. The result is the URI of the file.
func (s *server) draw(ctx context.Context, d *document, _ executeCommandParams) (any, error) {
	chart, err := d.compile("draw")
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	l, err := diagram.New(chart).Layout(ctx)
	if err == nil {
		err = l.WriteSVG(&b, diagram.SVGOptions{Marks: l.Diagram.Marks()})
	}
	if err != nil {
		return nil, fmt.Errorf("cannot draw %s: %w", d.name, err)
	}
	name := strings.TrimSuffix(d.name, filepath.Ext(d.name)) + ".svg"
	uri, err := s.folder.write(name, []byte(cli.Escape(b.String(), cli.InXML)))
	if err != nil {
		return nil, fmt.Errorf("cannot write the picture of %s: %w", d.name, err)
	}
	if s.client.Capabilities.Window.ShowDocument.Support {
		shown, err := s.call(ctx, "window/showDocument", object{"uri": uri, "external": true})
		if err == nil && strings.Contains(string(shown), "true") {
			return uri, nil
		}
	}
	return uri, s.say(infoMessage, "The picture is in "+file.FromURI(uri))
}

// say shows a message to the user.
func (s *server) say(kind int, text string) error {
	return s.notify("window/showMessage", messageParams{kind, cli.Visible(text, cli.KeepNewlines)})
}

// explore searches the states of the chart, and shows what it has found. That is also the result.
func (s *server) explore(ctx context.Context, d *document, p executeCommandParams) (any, error) {
	chart, err := d.compile("explore")
	if err != nil {
		return nil, err
	}
	ctx, progress := s.begin(ctx, p.WorkDoneToken, "Exploring "+d.name)
	defer progress("end", "")
	limited, cancel := context.WithTimeout(ctx, exploreTime)
	defer cancel()
	defer cli.BoundMemory(exploreMemory)()
	report, _, err := searchprogram.Explore(limited, chart, explore.Options{
		MaxStates: exploreStates, MaxMemory: exploreMemory,
		Workers: max(1, runtime.GOMAXPROCS(0)-1), // somebody is typing
		Session: []scxml.Option{scxml.WithInvoker("*", scxml.InvokerFunc(waits))},
		Progress: func(p explore.Progress) {
			progress("report", fmt.Sprintf("%s, depth %d, %d to visit", text.Count(p.States, "state"), p.Depth, p.Frontier))
		},
	}, s.opts.Compiled)
	switch {
	case errors.Is(err, scxml.ErrService):
		return nil, fmt.Errorf(`cannot explore %s: %s; "scxmlrun explore --no-services" explores it without services`, d.name, strings.TrimPrefix(err.Error(), "explore: "))
	case err != nil:
		return nil, fmt.Errorf("cannot explore %s: %s", d.name, strings.TrimPrefix(err.Error(), "explore: "))
	case ctx.Err() != nil:
		return nil, failf(requestCancelled, "the search was cancelled")
	}
	found := d.summary(chart, report)
	kind := infoMessage
	if report.Verdict != explore.Holds {
		kind = warningMessage
	}
	return found, s.say(kind, found)
}

// waits is a service that does not answer. A search ends with an error where it would run.
func waits(ctx context.Context, _ *scxml.Invocation) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// summary says what a search has found.
func (d *document) summary(chart *scxml.Chart, r *explore.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", d.name)
	switch r.Verdict {
	case explore.Holds:
		b.WriteString("no deadlock, exceeded limit or endless loop")
	case explore.Searched:
		b.WriteString("no deadlock, exceeded limit or endless loop, as far as searched")
	case explore.Inconclusive:
		fmt.Fprintf(&b, "nothing wrong so far, but not all states were visited (bound: %s)", r.Bound)
	default:
		b.WriteString(text.Count(len(r.Violations), "violation"))
	}
	fmt.Fprintf(&b, "; %s, %s", text.Count(r.States, "state"), text.Count(r.Transitions, "transition"))
	for _, v := range r.Violations {
		fmt.Fprintf(&b, "\n%s", v)
	}
	for i, g := range r.Grows {
		if i == 0 {
			b.WriteString("\nWhat grows, as far as seen:")
		}
		fmt.Fprintf(&b, "\n%s", g)
	}
	for i, reason := range r.LeftOut {
		if i == 0 {
			b.WriteString("\nNot tried:")
		}
		fmt.Fprintf(&b, "\n%s (%s)", reason, reason.Name)
	}
	return b.String()
}

// progressKey is the key in server.running of what has a progress.
func progressKey(token json.RawMessage) string { return "progress " + string(token) }

// begin begins to show a progress, if the client can. The returned function reports it, at most a few times
// a second, and ends it. The context ends when the user cancels it.
func (s *server) begin(ctx context.Context, token json.RawMessage, title string) (context.Context, func(kind, text string)) {
	ctx, cancel := context.WithCancel(ctx)
	if token == nil && s.client.Capabilities.Window.WorkDoneProgress {
		s.mu.Lock()
		s.tokens++
		token = json.RawMessage(fmt.Sprintf(`"scxmlrun-%d"`, s.tokens))
		s.mu.Unlock()
		if _, err := s.call(ctx, "window/workDoneProgress/create", progressToken{token}); err != nil {
			token = nil
		}
	}
	if token == nil {
		return ctx, func(kind, _ string) {
			if kind == "end" {
				cancel()
			}
		}
	}
	key := progressKey(token)
	s.mu.Lock()
	s.running[key] = cancel
	s.mu.Unlock()
	s.fail(s.notify("$/progress", progressParams{token, workDone{Kind: "begin", Title: title, Cancellable: true}}))
	return ctx, func(kind, text string) {
		if kind == "end" {
			s.mu.Lock()
			delete(s.running, key)
			s.mu.Unlock()
			cancel()
		}
		s.fail(s.notify("$/progress", progressParams{token, workDone{Kind: kind, Message: text}}))
	}
}
