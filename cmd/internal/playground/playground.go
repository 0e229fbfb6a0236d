package playground

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

// Host is the host of all requests. A server in a network has another name: a playground must not be
// served there, because it trusts everyone.
const Host = "page"

const (
	fileName   = "chart.scxml" // in positions
	maxSource  = 1 << 20       // bytes of a document
	maxHistory = 64 << 20      // bytes
)

// A Playground has at most one session, which requests start, replace and inspect. It is safe for
// concurrent use.
type Playground struct {
	mux       *http.ServeMux
	inspector *inspect.Inspector
	report    func(error)
	files     fs.FS // that charts may load

	mu  sync.Mutex // held while a session starts
	end func()     // ends the session
}

// New returns a playground without a session. It calls report, which may be nil, with the error of a
// session that has failed, such as a [scxml.LimitError].
func New(report func(error)) *Playground {
	p := &Playground{
		mux: http.NewServeMux(),
		inspector: inspect.New(inspect.Config{
			Remote: true, AllowHosts: []string{Host},
			Access: func(*http.Request) inspect.Access { return inspect.Full },
		}),
		report: report,
		files:  charts.FS,
		end:    func() {},
	}
	p.mux.HandleFunc("GET /examples", func(w http.ResponseWriter, _ *http.Request) { answer(w, Examples()) })
	p.mux.HandleFunc("GET /explain/{code}", serveExplain)
	p.mux.HandleFunc("POST /check", p.serveCheck)
	p.mux.HandleFunc("POST /draw", p.serveDraw)
	p.mux.HandleFunc("POST /edit", p.serveEdit)
	p.mux.HandleFunc("POST /copy", p.serveCopy)
	p.mux.HandleFunc("POST /complete", p.serveComplete)
	p.mux.HandleFunc("POST /explore", p.serveExplore)
	p.mux.HandleFunc("POST /run", p.serveRun)
	// Not Handle, see command playground-web.
	p.mux.HandleFunc("/api/", p.inspector.ServeHTTP)
	return p
}

// ServeHTTP answers a request of the page.
func (p *Playground) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.mux.ServeHTTP(w, r) }

// Close ends the session, and the streams of the inspector.
func (p *Playground) Close() {
	p.inspector.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
	p.end = func() {}
}

func (p *Playground) serveCheck(w http.ResponseWriter, r *http.Request) {
	if source, ok := read(w, r); ok {
		answer(w, p.check(source))
	}
}

func (p *Playground) serveRun(w http.ResponseWriter, r *http.Request) {
	source, ok := read(w, r)
	if !ok {
		return
	}
	query := r.URL.Query()
	clock := query.Get("clock")
	for name, values := range query {
		if name != "clock" || len(values) > 1 {
			http.Error(w, fmt.Sprintf("unknown parameter %.100q: want \"clock\", once", name), http.StatusUnprocessableEntity)
			return
		}
	}
	if clock != "" && clock != "real" && clock != "virtual" {
		http.Error(w, fmt.Sprintf("clock: %q is neither real nor virtual", clock), http.StatusUnprocessableEntity)
		return
	}
	problems := p.check(source)
	if !hasErrors(problems) {
		if err := p.run(source, clock == "virtual"); err != nil {
			problems = append(problems, Problem{Severity: "error", Message: err.Error()})
		}
	}
	answer(w, struct {
		Problems []Problem `json:"problems"`
	}{problems})
}

// read reads the body. It answers the request if that fails.
func read(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	source, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSource))
	if err != nil {
		http.Error(w, fmt.Sprintf("cannot read the document: %v", err), http.StatusBadRequest)
	}
	return source, err == nil
}

// readJSON reads the body as JSON. It answers the request if that fails.
func readJSON(w http.ResponseWriter, r *http.Request, v any) bool {
	text, ok := read(w, r)
	if !ok {
		return false
	}
	err := json.Unmarshal(text, v)
	if err != nil {
		http.Error(w, fmt.Sprintf("cannot read the request: %v", err), http.StatusBadRequest)
	}
	return err == nil
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	text, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(text) // the reader has gone
}

// run replaces the session. The one before continues if the document is refused.
func (p *Playground) run(source []byte, virtual bool) error {
	chart, err := scxml.Parse(fileName, source, options(p.files)...)
	if err != nil {
		return err
	}
	opts := []scxml.Option{scxml.WithMissing()}
	if virtual {
		opts = append(opts, scxml.WithClock(func() time.Time { return drive.VirtualStart }), scxml.WithSeed(1))
	}
	h, err := history.New(history.Config{Chart: chart, Options: opts, Bytes: maxHistory})
	if err != nil {
		return err
	}
	session, err := scxml.New(chart, append(opts, h.Option())...)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
	ctx, cancel := context.WithCancelCause(context.Background())
	var running sync.WaitGroup
	if virtual { // the inspector drives it
		p.tell(ctx, session.Start(ctx))
	} else {
		running.Go(func() { p.tell(ctx, session.Run(ctx)) })
	}
	remove := p.inspector.Add(inspect.Session{Name: chart.Name(), History: h, Files: p.files, Virtual: virtual, Drive: virtual})
	p.end = func() {
		remove()
		cancel(errReplaced)
		running.Wait()
	}
	return nil
}

var errReplaced = errors.New("the session was replaced")

// tell reports why a session has failed.
func (p *Playground) tell(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil && !errors.Is(err, scxml.ErrStopped) && p.report != nil {
		p.report(err)
	}
}

// options are those of each chart, which may load some files.
func options(files fs.FS) []scxml.ChartOption {
	limits := scxml.Strict()
	limits.ScriptTime, limits.MacrostepTime = 2*time.Second, 10*time.Second // in a browser all is slower
	return []scxml.ChartOption{scxml.WithLimits(limits), scxml.WithLoader(files)}
}
