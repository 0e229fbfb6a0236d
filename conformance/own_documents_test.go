package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// ownNamespace is the namespace of the attributes with which a document says
// what it tests and what it expects, see [ownDocument].
const ownNamespace = "https://github.com/scxmlrun/scxmlrun/conformance"

// An ownDocument is one of this project's own conformance documents: a chart
// that tests one rule of the REC. The attributes of its root element in
// [ownNamespace] describe it. Its file is ID-topic.scxml; further documents for
// the same assertion are IDb-topic.scxml and so on. Files that it loads are in
// the folder parts.
type ownDocument struct {
	fsys fs.FS
	File string

	Assertion string // c:assertion: the id of an assertion, see [ownAssertions]
	Section   string // c:section: its section of the REC
	About     string // c:about: what the document tests, in one sentence

	// Expect, c:expect, is "pass" if the session must end in its top-level
	// final state "pass", "reject" if the document must be rejected with a
	// diagnostic of the code Code, or "pass-or-reject" where the REC leaves the
	// choice.
	Expect string
	Code   string // c:code, only with "reject"

	// Log, c:log, is the output of all <log> elements of the session and of
	// those that it invokes, in order, separated by blanks. An entry is the
	// label, the value, or label=value. Without c:log, nothing may be logged.
	Log string

	// Data, c:data, is a JSON object with initial values of top-level data items.
	Data string

	// HTTP, c:needs="basichttp", says that the session needs the Basic HTTP
	// Event I/O Processor. Answers, c:answers, has the status class of each
	// answer to its POST requests, for example "2xx 2xx".
	HTTP    bool
	Answers string

	// Unsaved, c:unsaved, is the path of a value in the session's data that
	// cannot be saved, see [ownDocument.runRestored].
	Unsaved string
}

// openOwnDocuments reads the documents in the top folder of fsys. Its error
// joins those of all documents. A document must say what it tests and what it
// expects.
func openOwnDocuments(fsys fs.FS) ([]ownDocument, error) {
	files, err := fs.Glob(fsys, "*.scxml")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("conformance: the folder does not have any .scxml files")
	}
	var all []ownDocument
	var problems []error
	for _, file := range files {
		d, err := openOwnDocument(fsys, file)
		if err != nil {
			problems = append(problems, fmt.Errorf("conformance: %s: %w", file, err))
		}
		all = append(all, d)
	}
	return all, errors.Join(problems...)
}

func openOwnDocument(fsys fs.FS, file string) (ownDocument, error) {
	d := ownDocument{fsys: fsys, File: file}
	source, err := fs.ReadFile(fsys, file)
	if err != nil {
		return d, err
	}
	root, err := rootElement(source)
	if err != nil {
		return d, err
	}
	fields := map[string]*string{
		"assertion": &d.Assertion, "section": &d.Section, "about": &d.About, "expect": &d.Expect, "code": &d.Code,
		"log": &d.Log, "data": &d.Data, "needs": new(string), "answers": &d.Answers, "unsaved": &d.Unsaved,
	}
	for _, a := range root.Attr {
		if a.Name.Space != ownNamespace {
			continue
		}
		field, known := fields[a.Name.Local]
		if !known {
			return d, fmt.Errorf("unknown attribute c:%s", a.Name.Local)
		}
		*field = strings.Join(strings.Fields(a.Value), " ")
	}
	needs := *fields["needs"]
	d.HTTP = needs == "basichttp"
	switch {
	case d.About == "":
		return d, errors.New("c:about is missing: want one sentence about what the document tests")
	case !slices.Contains([]string{"pass", "reject", "pass-or-reject"}, d.Expect):
		return d, fmt.Errorf("c:expect=%q is not an outcome: want pass, reject or pass-or-reject", d.Expect)
	case (d.Expect == "reject") != (d.Code != ""):
		return d, errors.New(`c:expect="reject" and c:code need each other`)
	case needs != "" && !d.HTTP:
		return d, fmt.Errorf("c:needs=%q is not a feature: want basichttp", needs)
	case d.Answers != "" && !d.HTTP:
		return d, errors.New(`c:answers needs c:needs="basichttp"`)
	case strings.TrimRight(strings.Split(path.Base(file), "-")[0], "bcdefghij") != d.Assertion:
		return d, fmt.Errorf("the file name does not begin with c:assertion=%q", d.Assertion)
	}
	return d, nil
}

func rootElement(source []byte) (xml.StartElement, error) {
	for dec := xml.NewDecoder(bytes.NewReader(source)); ; {
		token, err := dec.Token()
		if err != nil {
			return xml.StartElement{}, err
		}
		if root, ok := token.(xml.StartElement); ok {
			return root, nil
		}
	}
}

// An ownFailure says what a document expects and did not get.
type ownFailure struct {
	Reason string
	Trace  string // what the session did; may be empty
}

// Error returns the reason.
func (f *ownFailure) Error() string { return f.Reason }

// A document that exceeds one of these limits counts as hanging. The longest
// delays in the documents are shorter than patience, and no document needs a
// thousandth of the real time.
const (
	patience  = time.Hour        // chart time
	hanging   = 30 * time.Second // real time
	maxEvents = 10_000           // events in total, and microsteps per macrostep
)

// runPlain runs the document on a virtual clock. It returns an [*ownFailure] if the
// document does not get what it expects.
func (d ownDocument) runPlain(ctx context.Context) error {
	_, err := d.run(ctx, false)
	return err
}

// runRestored is like runPlain, but saves, discards and restores the session after
// each macrostep. The session must do the same as without. If Unsaved is given,
// saving must fail with an error that names this path.
func (d ownDocument) runRestored(ctx context.Context) error {
	plain, err := d.run(ctx, false)
	if err != nil {
		return err
	}
	restored, err := d.run(ctx, true)
	switch {
	case d.Unsaved != "":
		var unsaved *datamodel.NotSerializableError
		if !errors.As(err, &unsaved) || unsaved.Path != d.Unsaved {
			return &ownFailure{Reason: fmt.Sprintf("the error is %v, want one that %s cannot be saved", err, d.Unsaved), Trace: restored}
		}
	case err != nil:
		return err
	case restored != plain && !d.HTTP: // addresses are random
		return &ownFailure{Reason: "a restored session behaves differently; without restoring, the trace is\n" + plain, Trace: restored}
	}
	return nil
}

func (d ownDocument) run(ctx context.Context, restored bool) (what string, err error) {
	ctx, stop := context.WithTimeout(ctx, hanging)
	defer stop()
	chart, err := scxml.Load(d.fsys, d.File)
	if refused := (*scxml.DocumentError)(nil); errors.As(err, &refused) {
		return "", d.judgeRefusal(refused)
	}
	switch {
	case err != nil:
		return "", err
	case d.Expect == "reject":
		return "", &ownFailure{Reason: "the document was not rejected"}
	}
	var trace bytes.Buffer
	var words []string
	events := 0
	tracing := scxmltest.NewTrace(&trace, func(r *record.Record) {
		switch r.Kind {
		case record.Log:
			words = append(words, logWord(r.Label, r.Value))
		case record.Event:
			if events++; events == maxEvents {
				stop()
			}
		}
	})
	clock := new(scxmltest.Clock)
	opts := []scxml.Option{scxml.WithClock(clock.Now), scxml.WithTrace(tracing), scxml.WithLimits(scxml.Limits{Microsteps: maxEvents})}
	first := []scxml.Option{scxml.WithSeed(1)} // options of New only
	if d.Data != "" {
		var data map[string]any
		if err := json.Unmarshal([]byte(d.Data), &data); err != nil {
			return "", fmt.Errorf("c:data: %w", err)
		}
		for id, v := range data {
			first = append(first, scxml.WithData(id, v))
		}
	}
	answers := new(answers)
	if d.HTTP {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.Proxy = nil
		defer transport.CloseIdleConnections()
		answers.next = transport
		processor, err := basichttp.Listen(ctx, "127.0.0.1:0", false, basichttp.Config{Transport: answers})
		if err != nil {
			return "", err
		}
		opts = append(opts, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, processor))
	}
	s, err := scxml.New(chart, append(append(first, scxml.WithMissing()), opts...)...)
	if err == nil {
		err = s.Start(ctx)
	}
	switch {
	case err != nil:
	case restored:
		s, err = clock.AdvanceRestored(ctx, s, patience, func(snapshot []byte) (*scxml.Session, error) {
			return scxml.Restore(chart, snapshot, scxml.Options(opts))
		})
	default:
		err = clock.Advance(ctx, s, patience)
	}
	answers.pending.Wait() // the event arrives before the answer
	got := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	reason := ""
	switch {
	case events >= maxEvents:
		reason = fmt.Sprintf("the session did not end within %d events", maxEvents)
	case err != nil:
		if errors.Is(err, scxml.ErrNotSerializable) {
			return trace.String(), err
		}
		reason = err.Error()
	case s.Status() == scxml.Running:
		reason = "the session did not end; its configuration is " + strings.Join(s.Configuration(), " ")
	case s.FinalState() != "pass":
		reason = fmt.Sprintf("the session ended in %q, want \"pass\"", s.FinalState())
	case got != d.Log:
		reason = fmt.Sprintf("the log differs\n got: %s\nwant: %s", got, d.Log)
	case d.Answers != "" && answers.String() != d.Answers:
		reason = fmt.Sprintf("the answers to the POST requests are %q, want %q", answers, d.Answers)
	default:
		return trace.String(), nil
	}
	return trace.String(), &ownFailure{Reason: reason, Trace: trace.String()}
}

func (d ownDocument) judgeRefusal(refused *scxml.DocumentError) error {
	switch d.Expect {
	case "pass-or-reject":
		return nil
	case "reject":
		errs := slices.DeleteFunc(slices.Clone(refused.Diagnostics), func(g scxml.Diagnostic) bool { return g.Severity != scxml.SeverityError })
		if len(errs) == 1 && errs[0].Code == d.Code {
			return nil
		}
		return &ownFailure{Reason: fmt.Sprintf("the document was rejected, want exactly one error of the code %q:\n%v", d.Code, refused)}
	}
	return &ownFailure{Reason: "the document was rejected:\n" + refused.Error()}
}

// logWord returns what a <log> adds to a document's log.
func logWord(label string, v datamodel.Value) string {
	switch {
	case v == nil && label != "":
		return label
	case label == "":
		return datamodel.Text(v)
	}
	return label + "=" + datamodel.Text(v)
}

// answers sends HTTP requests and records the classes of the statuses.
type answers struct {
	next http.RoundTripper

	pending sync.WaitGroup
	mu      sync.Mutex
	seen    []string
}

// RoundTrip implements [http.RoundTripper].
func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	a.pending.Add(1)
	defer a.pending.Done()
	resp, err := a.next.RoundTrip(r)
	a.mu.Lock()
	defer a.mu.Unlock()
	if err == nil {
		a.seen = append(a.seen, fmt.Sprintf("%dxx", resp.StatusCode/100))
	} else {
		a.seen = append(a.seen, "none")
	}
	return resp, err
}

func (a *answers) String() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return strings.Join(a.seen, " ")
}
